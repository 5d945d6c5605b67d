// The engine as the editor and the command line load it: one bundle of its own, which the editor reads when somebody first
// needs it, so that starting it costs next to nothing. It holds what the two call and nothing else; types need no loading.

export { tryModel } from './agent/tryModel';
export { nodeDisk } from './disk';
export { completeSettings, readChoice, readSettings, writeChoice, writeSettings } from './engineSettings';
export { ageDays, caveat, formatMemory, memoryTypes, parseMemory } from './memory/memory';
export { MemoryError } from './memoryError';
export { openProject } from './openProject';
export { summarizeTranscript } from './sessions/sessionSummary';
