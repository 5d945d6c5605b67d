// The forms that a chat of VS Code lies in, told apart by what stands in the file and never by its name: a log of changes, one
// object, Copilot's transcript. Which generation it is, and what was said in it. It reads no file.

import { type Exchange, exchangesOf } from './chatExchange';
import { applyEntry, type ChatState, emptyState, entryShape, isFlatSession, isLogEntry, sessionShape } from './chatLog';
import { addEvent, type CopilotState, emptyCopilotState, eventShape, exchangesIn } from './copilotTranscript';
import { isObject, type JsonObject, textField } from './json';
import type { ShapeFields } from './jsonShape';

/** Whatever form it is: their fields are apart. */
export const chatShape: ShapeFields = { ...sessionShape, ...entryShape, ...eventShape };

/** What the values of a file come to. Changed in place. */
export interface Loaded {
  chat: ChatState;
  copilot: CopilotState;
  form: 'log' | 'flat' | 'copilot' | undefined;
  version: unknown;
}

export const nothingLoaded = (): Loaded => ({
  chat: emptyState(),
  copilot: emptyCopilotState(),
  form: undefined,
  version: undefined,
});

/** In English, for a person. */
export type UnreadableWhy = 'written by an older VS Code' | 'written by a newer VS Code' | 'damaged';

/** `none` without a reason: not a chat, or nothing at all. */
export type Look =
  | { readonly kind: 'chat'; readonly isEmpty: boolean }
  | { readonly kind: 'none'; readonly why?: UnreadableWhy };

/** The generation that is read. */
const ourVersion = 3;

/** Adds a value of the file, in its order, that was cut down to `chatShape`. */
export function take(loaded: Loaded, value: JsonObject, isWhole: boolean): void {
  if (isLogEntry(value)) {
    loaded.form ??= 'log';
    if (value.kind === 0) loaded.version ??= isObject(value.v) ? value.v.version : undefined;
    // Of a line that broke off, what the whole session was is worth having; a change that is not whole is none.
    if (isWhole || value.kind === 0) loaded.chat = applyEntry(loaded.chat, value);
  } else if (isFlatSession(value)) {
    loaded.form ??= 'flat';
    loaded.version ??= value.version ?? 1;
    loaded.chat = { session: { ...value } };
  } else if (typeof value.type === 'string' && isObject(value.data)) {
    loaded.form ??= 'copilot';
    if (isWhole) loaded.copilot = addEvent(loaded.copilot, value);
  }
}

/** What a file is that was read whole. */
export function lookOf(loaded: Loaded, { exchanges }: { readonly exchanges: readonly Exchange[] }, size: number): Look {
  if (loaded.form === undefined) return size > 0 ? { kind: 'none', why: 'damaged' } : { kind: 'none' };
  const byVersion = loaded.form === 'copilot' ? undefined : lookOfVersion(loaded.version ?? ourVersion);
  if (byVersion?.kind === 'none') return byVersion;
  return { kind: 'chat', isEmpty: exchanges.length === 0 };
}

export function lookOfVersion(version: unknown): Look {
  if (version === undefined || version === ourVersion) return { kind: 'chat', isEmpty: false };
  const isOlder = typeof version === 'number' && version < ourVersion;
  return { kind: 'none', why: isOlder ? 'written by an older VS Code' : 'written by a newer VS Code' };
}

export function wordsOf({ form, chat, copilot }: Loaded): {
  readonly exchanges: readonly Exchange[];
  readonly customTitle: string | undefined;
} {
  if (form === 'copilot') return { exchanges: exchangesIn(copilot), customTitle: undefined };
  return { exchanges: exchangesOf(chat.session), customTitle: textField(chat.session, 'customTitle') };
}
