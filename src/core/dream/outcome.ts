// What may be asked of a dream and what comes of it, as values that the views and the command line share.

import { type ModelErrorCode, noUsage, type Usage } from '../agent/languageModel';
import type { Contradiction, DreamPhase, DreamResult, Loss, ProposedChange, Remark } from './dreamEngine';
import type { GateCheck, GateName, GateResult } from './gates';

export interface DreamOptions {
  /** Passes the gates of time, throttle and sessions; never the lock. */
  readonly force?: boolean;
  /** Applies by itself, as the mode `automatic` does. */
  readonly apply?: boolean;
  /** Only tells what it would do: no lock, no proposal, no history. */
  readonly dryRun?: boolean;
  /** The chat session that triggers it; not counted. */
  readonly currentSession?: string;
  readonly signal?: AbortSignal;
}

export interface DreamOutcome {
  readonly outcome: 'proposed' | 'applied' | 'unchanged' | 'skipped' | 'failed';
  /** Of a skipped one: the gate that is closed. */
  readonly gate?: GateName;
  readonly gates: readonly GateResult[];
  /** In words for a person. `cancelled` for what they stopped themselves. */
  readonly reason?: string;
  /** What kind of failure, where a model failed. */
  readonly failure?: ModelErrorCode;
  readonly proposalId?: string;
  /** What `undo` takes. */
  readonly run?: string;
  readonly changes: readonly ProposedChange[];
  readonly contradictions: readonly Contradiction[];
  readonly recallOnly: readonly string[];
  readonly remarks: readonly Remark[];
  readonly loss?: Loss;
  readonly sessionsReviewed: number;
  readonly phases: readonly DreamPhase[];
  readonly usage: Usage;
}

/** What an engine found, checked. */
export interface Found extends Pick<DreamOutcome, 'changes' | 'contradictions' | 'recallOnly' | 'remarks' | 'usage'> {
  readonly loss: Loss;
  readonly logs?: DreamResult['logs'];
}

export const nothing = {
  gates: [],
  changes: [],
  contradictions: [],
  recallOnly: [],
  remarks: [],
  sessionsReviewed: 0,
  phases: [],
  usage: noUsage,
} satisfies Omit<DreamOutcome, 'outcome'>;

export function skipped(check: Pick<GateCheck, 'results' | 'sessions'>, gate: GateName, reason: string): DreamOutcome {
  return { ...nothing, outcome: 'skipped', gate, gates: check.results, reason };
}

/** Why a dream was not applied by itself. */
export const lossReason = ({ percent, limitPercent }: Loss): string =>
  `It was not applied: it would take away ${percent} % of the memories or of their text; the limit is ${limitPercent} %.`;
