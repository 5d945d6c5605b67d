// The engine as an editor loads it: one bundle of its own, read when somebody first needs it, so that starting the editor
// costs next to nothing. It holds what the editor's side calls and nothing else; types need no loading.

export { tryModel } from './agent/tryModel';
export { nodeDisk } from './disk';
export { completeSettings, readChoice, writeChoice, writeSettings } from './engineSettings';
export { formatMemory, parseMemory } from './memory/memory';
export { MemoryError } from './memoryError';
export { openProject } from './openProject';
