// What stands in the middle of a dream: something that looks at memories through an overlay and writes into it. The offline
// tidy is one, a forked agent another. It promises nothing: what it wrote is checked, and shown to a person, by others.

import type { Usage } from '../agent/languageModel';
import type { LogSpan } from '../logs/distilled';
import type { FileChange, Overlay } from '../memory/changeset';
import type { MemoryHeader, MemoryType } from '../memory/memory';
import type { Session } from '../sessions/transcript';
import type { Reason } from './reasons';

export const dreamPhases = ['orient', 'gather', 'consolidate', 'prune'] as const;
export type DreamPhase = (typeof dreamPhases)[number];

/** Where a change came from. */
export interface Origins {
  /** Ids of chat sessions, and lines of daily logs: `logs/…#3f9a2c1b0d4e`. */
  readonly sources: readonly string[];
  /** Of those sessions the messages that it came from, by uuid, where they are known. */
  readonly messages?: Readonly<Record<string, readonly string[]>>;
}

/** The origins of two changes that became one, each once. */
export function joinedOrigins(one: Origins, other: Origins): Origins {
  const messages: Record<string, readonly string[]> = {};
  for (const [session, uuids] of [...Object.entries(one.messages ?? {}), ...Object.entries(other.messages ?? {})])
    if (uuids.length > 0) messages[session] = [...new Set([...(messages[session] ?? []), ...uuids])];
  return {
    sources: [...new Set([...one.sources, ...other.sources])],
    ...(Object.keys(messages).length === 0 ? {} : { messages }),
  };
}

export interface ChangeNote extends Origins {
  /** Why, for a person: in English, or in the words of a model. */
  readonly reason: string;
  /** The same, to be said in another language. Absent where a model gave the reason. */
  readonly reasons?: readonly Reason[];
  /** Of a deleted memory: the one that says all of it now. */
  readonly mergedInto?: string;
}

/** One side of a contradiction. */
export interface Saying {
  readonly path: string;
  /** The sentence as it stands there. */
  readonly sentence: string;
  /** Milliseconds. */
  readonly at: number;
  readonly session?: string;
  /** uuids of the messages it came from, where they are known. */
  readonly messages?: readonly string[];
}

/** Two memories that say different things of the same; a person decides which one holds. */
export interface Contradiction {
  /** Made of paths and sentences: the same question has the same id. */
  readonly id: string;
  readonly subject: string;
  readonly older: Saying;
  /** What is proposed. */
  readonly newer: Saying;
}

/** Something a person may want to know of a memory, without a change to it. */
export interface Remark {
  readonly path: string;
  /** English. */
  readonly text: string;
  /** The same, to be said in another language. */
  readonly why?: Reason;
}

export interface DreamResult {
  /** By path, for every change in the overlay that has one. */
  readonly notes: ReadonlyMap<string, ChangeNote>;
  readonly contradictions: readonly Contradiction[];
  /** Memories without an index line because the budget is used up: found by recall only. */
  readonly recallOnly: readonly string[];
  readonly remarks: readonly Remark[];
  readonly usage: Usage;
  /** What of the daily logs was looked at: distilled, once a person or their mode has settled what came of it. */
  readonly logs?: readonly LogSpan[];
}

export interface DreamContext {
  /** Of every memory as the dream begins. */
  readonly heads: readonly MemoryHeader[];
  readonly overlay: Overlay;
  /** Touched since the last dream. */
  readonly sessions: readonly Session[];
  /** Milliseconds. */
  readonly now: number;
  /** Somebody asked for this dream, as against a timer. */
  readonly byHand: boolean;
  /** Somebody looks through its changes before they count, or asked for them to be made. */
  readonly isSeen: boolean;
  /** Whether a file of the memory folder exists, whatever it is. Rejects for a path that leads elsewhere. */
  readonly exists: (path: string) => Promise<boolean>;
}

/** What a person sees while it runs. */
export interface DreamProgress {
  phase(phase: DreamPhase): void;
  touched(path: string): void;
  usage(usage: Usage): void;
}

export type DreamEngine = (context: DreamContext, signal: AbortSignal, progress: DreamProgress) => Promise<DreamResult>;

export interface NamedEngine {
  /** `offline`, or the model's id. */
  readonly name: string;
  readonly dream: DreamEngine;
}

/** A change that a dream proposes, with all a person needs to judge it. */
export interface ProposedChange extends FileChange, ChangeNote {
  readonly kind: 'create' | 'update' | 'delete';
  /** The memory's name; of the index, its file name. */
  readonly title: string;
  readonly type?: MemoryType;
}

/** How much of the private memories a dream would take away. */
export interface Loss {
  readonly memoriesBefore: number;
  readonly memoriesAfter: number;
  /** Memories removed without being said whole by another one. */
  readonly removed: number;
  /** Of bodies, white space aside. */
  readonly charsBefore: number;
  readonly charsAfter: number;
  /** Of words that stand nowhere any more. */
  readonly lostChars: number;
  /** The larger of the two shares, 0 to 100. */
  readonly percent: number;
  readonly limitPercent: number;
  /** Never applied by itself then. */
  readonly tooMuchLost: boolean;
}
