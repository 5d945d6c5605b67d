// What the dream review's page and the extension say to each other: two tagged unions and the states the page can show. Each
// request is answered, with an error if need be. Everything a person reads is in the state as finished text; the page adds
// nothing but counts. No imports: both sides, one of them a browser, share this file.

/** Two sayings and conflicts are what a person has to decide. */
export type CardKind = 'created' | 'updated' | 'merged' | 'deleted' | 'choose' | 'conflict';

/** A stretch of text; `strong` marks changed words in a line, and figures elsewhere. */
export interface Span {
  readonly text: string;
  readonly strong?: boolean;
}

export interface Line {
  readonly state: 'same' | 'removed' | 'added';
  readonly spans: readonly Span[];
}

/** Lines that stand beside each other; one of them may be missing. */
export interface DiffRow {
  readonly before?: Line;
  readonly after?: Line;
}

export interface Heading {
  readonly text: string;
  readonly note?: string;
}

export interface Section {
  /** Set when this part can be taken or left by itself: its position in the file's hunks. */
  readonly hunk?: number;
  /** Over a part that can be left: `Change 1 of 2 · line 7`. */
  readonly label?: string;
  /** One heading: only that side exists. */
  readonly headings: readonly [Heading] | readonly [before: Heading, after: Heading];
  readonly rows: readonly DiffRow[];
}

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly note?: string;
  readonly quote?: readonly Span[];
  /** Beneath: when it was said. */
  readonly detail?: string;
  /** Position in the card's sources of the message it came from. */
  readonly source?: number;
}

export interface Source {
  /** Id of the chat session. */
  readonly session: string;
  /** Of the messages that the change came from, where they are known. */
  readonly messages: readonly string[];
  /** The memory that came from it. */
  readonly path: string;
  readonly title: string;
  readonly detail: string;
  /** The transcript is no longer there. */
  readonly isGone: boolean;
}

export interface Card {
  /** The path of the memory, or the id of the question. Unique in a review. */
  readonly id: string;
  readonly kind: CardKind;
  readonly kindText: string;
  readonly name: string;
  /** `feedback · team` */
  readonly about: string;
  readonly path: string;
  /** Codicon of the type. */
  readonly icon: string;
  /** What the checkbox says to a screen reader. */
  readonly applyLabel: string;
  readonly reason: string;
  /** Another memory that this one went into. */
  readonly link?: { readonly path: string; readonly label: string };
  readonly sources: readonly Source[];
  /** A note above the texts, for what needs a decision. */
  readonly note?: { readonly head: string; readonly text: string };
  readonly sections: readonly Section[];
  readonly question?: { readonly legend: string; readonly options: readonly Option[]; readonly proposed: string };
  /** Whether it begins selected. */
  readonly isSelected: boolean;
  /** The answer that means *leave it alone*: choosing another one selects the card. */
  readonly idle?: string;
}

export interface Review {
  readonly proposal: string;
  readonly title: string;
  readonly facts: readonly (readonly Span[])[];
  readonly loss?: { readonly head: string; readonly text: string; readonly show: string; readonly discard: string };
  readonly cards: readonly Card[];
  /** What the dream saw and did not touch. */
  readonly remarks?: {
    readonly label: string;
    readonly items: readonly { readonly path: string; readonly text: string }[];
  };
}

export type CardResult = 'applied' | 'partly' | 'left';
export type PageAction = 'showMemories' | 'showHistory' | 'runDream' | 'review' | 'close';

export type ReviewState =
  | { readonly status: 'loading' }
  | { readonly status: 'pending' | 'applying'; readonly review: Review }
  | {
      readonly status: 'applied';
      readonly review: Review;
      readonly title: string;
      readonly text: string;
      readonly results: Readonly<Record<string, CardResult>>;
    }
  | {
      readonly status: 'message';
      readonly kind: 'empty' | 'discarded' | 'superseded' | 'undone' | 'unreadable';
      readonly title: string;
      readonly text: string;
      readonly actions: readonly PageAction[];
    };

/** What a person chose of one card. A card that is not named is left out. */
export interface CardChoice {
  readonly id: string;
  /** Hunks that are taken; all, when absent. */
  readonly hunks?: readonly number[];
  /** The answer to the card's question. */
  readonly answer?: string;
}

type Asked =
  | { readonly type: 'ready' }
  | { readonly type: 'apply'; readonly proposal: string; readonly cards: readonly CardChoice[]; readonly all: boolean }
  | { readonly type: 'discard'; readonly proposal: string }
  | { readonly type: 'undo' }
  | { readonly type: 'openDiff'; readonly card: string }
  | { readonly type: 'openSource'; readonly card: string; readonly source: number }
  | { readonly type: 'openMemory'; readonly path: string }
  | { readonly type: 'act'; readonly action: PageAction };

/** From the page. `request` is the number that the answer repeats. */
export type ReviewRequest = Asked & { readonly request: number };

/** To the page. */
export type ReviewMessage =
  | {
      readonly type: 'state';
      /** Whose proposal this is; kept by the page for a window that is opened anew. */
      readonly project: string;
      readonly state: ReviewState;
      readonly texts: PageTexts;
    }
  | { readonly type: 'reveal'; readonly card: string }
  | { readonly type: 'answer'; readonly request: number; readonly ok: true }
  | { readonly type: 'answer'; readonly request: number; readonly ok: false; readonly error: string };

/** Texts that the page puts numbers into (`{0}`), or that belong to no single card. */
export interface PageTexts {
  readonly all: string;
  readonly kinds: Readonly<Record<CardKind, string>>;
  readonly show: string;
  readonly sideBySide: string;
  readonly inline: string;
  readonly collapseAll: string;
  readonly expandAll: string;
  readonly collapse: string;
  readonly expand: string;
  readonly openDiff: string;
  readonly openDiffOf: string;
  readonly leftOut: string;
  readonly moreLines: string;
  readonly removed: string;
  readonly added: string;
  readonly transcriptGone: string;
  readonly openMessage: string;
  readonly apply: string;
  readonly applySelected: string;
  readonly applyAll: string;
  readonly applyAllAsks: string;
  readonly applying: string;
  readonly discard: string;
  readonly undo: string;
  readonly close: string;
  readonly undoHint: string;
  readonly selected: string;
  readonly loading: string;
  readonly results: Readonly<Record<CardResult, string>>;
  readonly actions: Readonly<Record<PageAction, string>>;
  readonly keys: { readonly move: string; readonly select: string; readonly diff: string; readonly apply: string };
}

const actions: readonly PageAction[] = ['showMemories', 'showHistory', 'runDream', 'review', 'close'];

/** A message from the page as a request; `undefined` for anything else. */
export function parseRequest(value: unknown): ReviewRequest | undefined {
  if (!isRecord(value) || typeof value.request !== 'number' || !Number.isSafeInteger(value.request)) return undefined;
  const asked = parseAsked(value);
  return asked && { ...asked, request: value.request };
}

function parseAsked(value: Readonly<Record<string, unknown>>): Asked | undefined {
  const { type, proposal, card, source, path, action, cards, all } = value;
  switch (type) {
    case 'ready':
    case 'undo':
      return { type };
    case 'apply': {
      if (typeof proposal !== 'string' || !Array.isArray(cards) || typeof all !== 'boolean') return undefined;
      const choices = cards.map(parseChoice);
      return choices.every((choice) => choice !== undefined) ? { type, proposal, cards: choices, all } : undefined;
    }
    case 'discard':
      return typeof proposal === 'string' ? { type, proposal } : undefined;
    case 'openDiff':
      return typeof card === 'string' ? { type, card } : undefined;
    case 'openSource':
      return typeof card === 'string' && isPosition(source) ? { type, card, source } : undefined;
    case 'openMemory':
      return typeof path === 'string' ? { type, path } : undefined;
    case 'act': {
      const known = actions.find((each) => each === action);
      return known && { type, action: known };
    }
    default:
      return undefined;
  }
}

function parseChoice(value: unknown): CardChoice | undefined {
  if (!isRecord(value) || typeof value.id !== 'string') return undefined;
  const { id, hunks, answer } = value;
  if (hunks !== undefined && !(Array.isArray(hunks) && hunks.every(isPosition))) return undefined;
  if (answer !== undefined && typeof answer !== 'string') return undefined;
  return { id, ...(hunks === undefined ? {} : { hunks }), ...(answer === undefined ? {} : { answer }) };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isPosition = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
