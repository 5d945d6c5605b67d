// Which chat sessions have words that nobody looked at: those after their cursors, and the past, which is only read when a person
// asks. It reads no transcript itself.

import type { Extraction } from './extraction/extraction';
import type { ExtractionOutcome } from './extraction/outcome';
import type { Project } from './project';
import type { Cursors } from './sessions/cursors';
import type { TranscriptSource } from './sessions/transcript';

/** `prepare`: cursors start at *now*, once, before the first look. */
export function createLearning(options: {
  readonly source: TranscriptSource;
  readonly cursors: Cursors;
  readonly extraction: Pick<Extraction, 'executeExtractMemories'>;
  readonly prepare: () => Promise<void>;
}): Pick<Project, 'past' | 'learnPast' | 'behind'> {
  const { source, cursors, extraction, prepare } = options;
  return {
    async past(sinceMs = 0) {
      await prepare();
      const sessions = (await cursors.past(await source.list(sinceMs))).filter((session) => session.kind !== 'foreign');
      return { sessions, bytes: sessions.reduce((sum, session) => sum + session.pastBytes, 0) };
    },
    async learnPast(sessions, progress = () => {}, signal) {
      const outcomes: ExtractionOutcome[] = [];
      for (const session of sessions) {
        if (signal?.aborted) break;
        outcomes.push(await extraction.executeExtractMemories(session, 'past', signal));
        progress({
          done: outcomes.length,
          total: sessions.length,
          memories: outcomes.reduce((sum, outcome) => sum + outcome.savedCount, 0),
          suggestions: outcomes.reduce((sum, outcome) => sum + outcome.suggestedCount, 0),
        });
      }
      return outcomes;
    },
    async behind() {
      await prepare();
      const sessions = await source.list(0);
      const pending = await Promise.all(sessions.map((session) => cursors.pending(session)));
      return sessions.filter((session, at) => session.kind !== 'foreign' && pending[at]);
    },
  };
}
