// What came of reading a chat session, in words that the tree, the status bar and the command line share.

import { type ModelErrorCode, noUsage, type Usage } from '../agent/languageModel';
import type { Session } from '../sessions/transcript';

/** Why a run did nothing (decision 24). */
export type SkipReason =
  | 'disabled'
  | 'paused'
  | 'untrusted'
  | 'overlapped'
  | 'direct_write'
  | 'throttled'
  | 'nothing_new'
  | 'budget'
  | 'secret';

export interface ExtractionOutcome {
  readonly session: Session;
  readonly title: string | undefined;
  readonly outcome: 'saved' | 'nothing' | 'skipped' | 'proposed' | 'failed';
  readonly reason?: SkipReason | string;
  /** Topic files, the index not counted. */
  readonly writtenPaths: readonly string[];
  readonly savedCount: number;
  /** Memories that the person asked to forget in passing; they lie in the trash. */
  readonly forgottenCount: number;
  /** Suggestions that wait because of this run. */
  readonly suggestedCount: number;
  /** Lines that were added to the daily logs, in assistant mode; then `writtenPaths` are logs. */
  readonly loggedCount?: number;
  /** Runs that `undo` takes. */
  readonly runs: readonly string[];
  readonly usage: Usage;
  /** Turns of the model; none for the offline engine. */
  readonly turns: number;
  /** The id of the model that read it. */
  readonly model?: string;
  /** What kind of failure, where a model failed; `reason` is the sentence. */
  readonly failure?: ModelErrorCode;
}

/** What is said of a run that came to nothing. */
export const noResult = {
  writtenPaths: [],
  savedCount: 0,
  forgottenCount: 0,
  suggestedCount: 0,
  runs: [],
  usage: noUsage,
  turns: 0,
} satisfies Partial<ExtractionOutcome>;
