// The private memories as the tidy works on them: read once, changed through the overlay, with the reason for each change.
// A pinned memory, one with a problem and one of the team are never changed or removed, whoever asks: the desk refuses.

import { createBreath } from '../breath';
import type { Overlay } from '../memory/changeset';
import { type Memory, parseMemory } from '../memory/memory';
import { type ChangeNote, type DreamContext, joinedOrigins, type Origins, type Remark } from './dreamEngine';
import { because, type Reason, reasonText, remarked } from './reasons';

export interface Desk {
  /** Private memories that are still there, by path. Those with a problem and pinned ones too. */
  files(): readonly Memory[];
  get(path: string): Memory | undefined;
  isEditable(memory: Memory): boolean;
  /** Replaces the text. With `keepsTime` the file's time stays: nothing new is said in it. */
  edit(path: string, text: string, note: ChangeNote, options?: { readonly keepsTime?: boolean }): Promise<void>;
  /** Takes a memory out. `note.mergedInto` is required: nothing else is a reason to remove one. */
  remove(path: string, note: ChangeNote & { readonly mergedInto: string }): Promise<void>;
  /** Adds a reason to a path that changes otherwise, the index for one. */
  note(path: string, note: ChangeNote): void;
  /** To be awaited between the steps of long work. */
  readonly breath: () => Promise<void> | undefined;
  remark(path: string, why: Reason): void;
  /** Where a removed memory went, through every step. */
  survivorOf(path: string): string | undefined;
  readonly gone: ReadonlyMap<string, string>;
  readonly notes: ReadonlyMap<string, ChangeNote>;
  readonly remarks: readonly Remark[];
}

export async function openDesk(
  { heads, now }: Pick<DreamContext, 'heads' | 'now'>,
  overlay: Overlay,
  touched: (path: string) => void,
  signal: AbortSignal,
): Promise<Desk> {
  const files = new Map<string, Memory>();
  const notes = new Map<string, ChangeNote>();
  const gone = new Map<string, string>();
  const remarks: Remark[] = [];
  const breath = createBreath();
  for (const head of [...heads].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (head.scope !== 'private') continue;
    signal.throwIfAborted();
    await breath();
    // Bytes that are no text, a file that is too large or out of reach: its head is all there is.
    const text = isReadable(head.problem?.kind) ? await overlay.read(head.path).catch(() => undefined) : undefined;
    if (text === undefined) files.set(head.path, { ...head, text: '', body: '', data: {}, sourceMessages: [] });
    else files.set(head.path, parseMemory(head.path, text, head.mtimeMs, now));
  }

  function note(path: string, { reasons = [], mergedInto, ...origins }: ChangeNote): void {
    const before = notes.get(path);
    const known = new Set(before?.reasons?.map(reasonText));
    notes.set(path, {
      ...because(...(before?.reasons ?? []), ...reasons.filter((one) => !known.has(reasonText(one)))),
      ...joinedOrigins(before ?? { sources: [] }, origins),
      ...(mergedInto === undefined ? {} : { mergedInto }),
    });
    touched(path);
  }

  const isEditable = (memory: Memory) => memory.problem === undefined && !memory.pinned;

  function editable(path: string): Memory {
    const memory = files.get(path);
    if (!memory || !isEditable(memory)) throw new Error(`The tidy must not change ${path}.`);
    return memory;
  }

  return {
    files: () => [...files.values()],
    get: (path) => files.get(path),
    isEditable,
    async edit(path, text, why, { keepsTime = false } = {}) {
      const memory = editable(path);
      if (text === memory.text) return;
      await overlay.write(path, text, keepsTime ? memory.mtimeMs : undefined);
      files.set(path, parseMemory(path, text, keepsTime ? memory.mtimeMs : now, now));
      note(path, why);
    },
    async remove(path, why) {
      editable(path);
      await overlay.remove(path);
      files.delete(path);
      gone.set(path, why.mergedInto);
      // What was said of its text no longer matters.
      notes.delete(path);
      note(path, why);
    },
    note,
    breath,
    remark: (path, why) => void remarks.push(remarked(path, why)),
    survivorOf(path) {
      let survivor = gone.get(path);
      for (let next = survivor; next !== undefined; next = gone.get(next)) survivor = next;
      return survivor;
    },
    gone,
    notes,
    remarks,
  };
}

const isReadable = (problem: string | undefined): boolean =>
  problem === undefined || !['not_text', 'too_large', 'link_outside', 'unreadable'].includes(problem);

/** The chat sessions that memories came from, with the messages where they are known. */
export function originsOf(...memories: readonly Memory[]): Origins {
  const known = memories.flatMap(({ originSessionId: id, sourceMessages }) =>
    id === undefined ? [] : [{ sources: [id], messages: { [id]: sourceMessages } }],
  );
  return known.reduce<Origins>(joinedOrigins, { sources: [] });
}
