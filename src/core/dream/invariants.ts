// What every dream's changes must keep, whoever dreamt them. Nothing outside the private memories, no pinned one, no file that
// can't be parsed, no secret, no new date that only makes sense today; links that resolve, an index that lists each file once
// within its budget. What breaks a rule is repaired where that is certain, else refused with the reason; it trusts no note.

import { createBreath } from '../breath';
import { pathProblem } from '../files';
import type { Changeset, FileChange } from '../memory/changeset';
import { bodyOf } from '../memory/frontBlock';
import { changedInPart, withoutLinesOf } from '../memory/indexParts';
import { type Memory, type MemoryHeader, parseMemory, stemOf } from '../memory/memory';
import { indexBudget, parseIndex } from '../memory/memoryIndex';
import { withoutLinksTo } from '../memory/memoryLinks';
import { isIndexPath, scopeOf } from '../memory/memoryPaths';
import { findSecrets } from '../memory/secrets';
import { saysAtLeast } from '../memory/similarity';
import type { ChangeNote, DreamContext, DreamResult, ProposedChange, Remark } from './dreamEngine';
import { because, type Reason, reasonFor, reasonText, remarked } from './reasons';
import { withAbsoluteDates } from './tidyDates';
import { completeMissing } from './tidyHeads';
import { tidyIndex } from './tidyIndex';
import { deadWikiLinks, mendLinks } from './tidyLinks';

export interface Checked {
  /** What is left, repaired; topic files before the index. */
  readonly changes: readonly ProposedChange[];
  /** What is not done, and why. */
  readonly refused: readonly Remark[];
}

/** Far beyond any memory; a model that writes more has gone astray. */
const longestMemory = 100_000;
const mostDeletions = 50;
const indexPath = 'MEMORY.md';

export interface InvariantContext extends Pick<DreamContext, 'heads' | 'now' | 'exists'> {
  /** The text before the dream. */
  readonly read: (path: string) => Promise<string | undefined>;
}

export async function checkInvariants(
  changes: Changeset,
  result: Pick<DreamResult, 'notes' | 'recallOnly'>,
  context: InvariantContext,
): Promise<Checked> {
  const { now } = context;
  const refused: Remark[] = [];
  const kept: FileChange[] = [];
  const headOf = new Map(context.heads.map((head) => [head.path, head]));
  const topics = changes.filter((change) => change.path !== indexPath && change.before !== change.after);
  for (const change of topics) {
    const reason = refusalOf(change, headOf.get(change.path), now);
    if (reason !== undefined) refused.push(remarked(change.path, reason));
    else kept.push(repaired(change, now));
  }

  const safe: FileChange[] = [];
  for (const change of kept) {
    const added = addedText(change);
    const [secret] = added === '' ? [] : await findSecrets(added);
    if (secret) refused.push(remarked(change.path, reasonFor('secret', secret.rule)));
    else safe.push(change);
  }

  const noted = await withHeirs(safe, result.notes, context);
  const linked = await withLinks(noted, context);
  const index = await checkedIndex(
    changes.find((change) => change.path === indexPath),
    linked,
    refused.map(({ path }) => path),
    result,
    context,
  );
  const all = [...linked, ...(index ? [index] : [])].filter((change) => change.before !== change.after);
  return { changes: all.map((change) => proposed(change, result.notes, now)), refused };
}

/** Why a change must not be made, or `undefined`. */
function refusalOf(
  { path, before, after }: FileChange,
  head: MemoryHeader | undefined,
  now: number,
): Reason | undefined {
  const problem = pathProblem(path, before === null);
  if (problem) return reasonFor('badPath', problem);
  if (scopeOf(path) === 'team') return reasonFor('ofTeam');
  if (/(?:^|\/)\./.test(path) || !/\.md$/i.test(path) || /^logs\//i.test(path)) return reasonFor('noMemory');
  if (/(?:^|\/)claude(?:\.local)?\.md$/i.test(path)) return reasonFor('guidance');
  if (isIndexPath(path)) return reasonFor('otherIndex');
  if (before !== null) {
    const memory = parseMemory(path, before, head?.mtimeMs ?? now, now);
    if (memory.pinned) return reasonFor('pinned');
    if (memory.problem) return reasonFor('problem', memory.problem.kind.replaceAll('_', ' '));
  }
  if (after === null) return undefined;
  if (after.length > longestMemory) return reasonFor('tooLong');
  const { problem: fault, body } = parseMemory(path, after, now, now);
  if (fault) return reasonFor('unreadable', fault.kind.replaceAll('_', ' '));
  return body.trim() === '' ? reasonFor('emptied') : undefined;
}

/** Lines of the new text that the old one does not have, as text. */
function addedText({ before, after }: FileChange): string {
  const old = new Set((before ?? '').split('\n').map((line) => line.trim()));
  return (after ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !old.has(line.trim()))
    .join('\n');
}

/** With dates in new lines made absolute, and a new file's front matter whole. */
function repaired(change: FileChange, now: number): FileChange {
  const { path, before, after } = change;
  if (after === null) return change;
  const old = new Set((before ?? '').split('\n'));
  const body = bodyOf(after);
  const dated = withAbsoluteDates(body, now).split('\n');
  const lines = body.split('\n').map((line, at) => (old.has(line) ? line : (dated[at] ?? line)));
  const text = after.slice(0, after.length - body.length) + lines.join('\n');
  return { ...change, after: before === null ? completeMissing(parseMemory(path, text, now, now)) : text };
}

type NotedChange = FileChange & { readonly note?: ChangeNote };

/** Deletions with the memory that says all of what is deleted, where there is one; a false claim of one is taken back. */
async function withHeirs(
  changes: readonly FileChange[],
  notes: ReadonlyMap<string, ChangeNote>,
  context: InvariantContext,
): Promise<NotedChange[]> {
  const deletions = changes.filter(({ after }) => after === null);
  // A dream that deletes this much is astray; what it says of its reasons does not matter then.
  const looks = deletions.length <= mostDeletions;
  const after = new Map(changes.map((change) => [change.path, change.after]));
  const textOf = async (path: string) =>
    after.has(path) ? (after.get(path) ?? undefined) : context.read(path).catch(() => undefined);
  const result: NotedChange[] = [];
  for (const change of changes) {
    const note = notes.get(change.path);
    if (!deletions.includes(change)) {
      result.push({ ...change, ...(note ? { note } : {}) });
      continue;
    }
    const { mergedInto, ...rest } = note ?? { reason: '', sources: [] };
    const before = bodyOf(change.before ?? '');
    const gone = parseMemory(change.path, change.before ?? '', 0, context.now);
    const others = context.heads
      .filter((head) => head.type === gone.type && head.scope === 'private')
      .map(({ path }) => path);
    const created = changes.filter((other) => other.before === null).map(({ path }) => path);
    let heir: string | undefined;
    for (const path of [...(mergedInto === undefined ? [] : [mergedInto]), ...(looks ? [...others, ...created] : [])]) {
      const text = path === change.path ? undefined : await textOf(path);
      if (text === undefined) continue;
      const both = [gone, parseMemory(path, text, 0, context.now)];
      if (!saysAtLeast(withoutLinksTo(both, bodyOf(text), path), withoutLinksTo(both, before, change.path))) continue;
      heir = path;
      break;
    }
    const claim = mergedInto === undefined || heir === mergedInto ? [] : [reasonFor('notAllIn', mergedInto)];
    const said = rest.reasons ?? (rest.reason === '' ? [reasonFor('removed')] : undefined);
    const why = said ? because(...said, ...claim) : { reason: [rest.reason, ...claim.map(reasonText)].join(' ') };
    const kept =
      heir ?? (mergedInto !== undefined && (await textOf(mergedInto)) !== undefined ? mergedInto : undefined);
    result.push({ ...change, note: { ...rest, ...why, ...(kept === undefined ? {} : { mergedInto: kept }) } });
  }
  return result;
}

/** With links of new text that resolve: to what was merged, to the one that fits, else they become plain words. */
async function withLinks(changes: readonly NotedChange[], context: InvariantContext): Promise<NotedChange[]> {
  const gone = new Map(changes.filter(({ after }) => after === null).map((change) => [change.path, change]));
  const created = changes
    .filter(({ before }) => before === null)
    .map(({ path, after }) => parsed(path, after, context.now));
  const targets = [...context.heads.filter(({ path }) => !gone.has(path)), ...created];
  const left = context.heads.filter(({ path }) => gone.has(path));
  const movedTo = (path: string) => gone.get(path)?.note?.mergedInto;
  return changes.map((change) => {
    const { path, before, after } = change;
    if (after === null || !after.includes('[[')) return change;
    const known = new Set(before === null ? [] : deadWikiLinks(before, [...targets, ...left]));
    let { text } = mendLinks(after, path, targets, left, movedTo);
    for (const link of deadWikiLinks(text, targets)) if (!known.has(link)) text = text.replaceAll(`[[${link}]]`, link);
    return { ...change, after: text };
  });
}

const parsed = (path: string, text: string | null, now: number): Memory => parseMemory(path, text ?? '', now, now);

/** The index as it has to be after these changes. */
async function checkedIndex(
  change: FileChange | undefined,
  changes: readonly NotedChange[],
  refused: readonly string[],
  result: Pick<DreamResult, 'recallOnly'>,
  context: InvariantContext,
): Promise<FileChange | undefined> {
  const before = change ? change.before : ((await context.read(indexPath)) ?? null);
  const files = await filesAfter(changes, context);
  const present = new Set(files.map(({ path }) => path.normalize('NFC')));
  const [withoutRefused] = change ? withoutLinesOf([change], refused) : [];
  const wanted = withoutRefused?.after ?? (change?.after === null ? '' : (before ?? ''));
  const wasOver = before !== null && indexBudget(before).overBudget;
  const unlisted = new Set(result.recallOnly.map((path) => path.normalize('NFC')));
  const fresh = new Set(parseIndex(wanted).entries.map(({ target }) => target.normalize('NFC')));
  // Lines of memories that stay, headings, comments: what a dream has no reason to take away is put back at its place.
  const isAllowed = (target: string | undefined, isAdded: boolean) => {
    if (target === undefined || isAdded) return isAdded;
    if (fresh.has(target) || !present.has(target)) return true;
    return wasOver && unlisted.has(target);
  };
  const restored = before === null ? wanted : changedInPart(before, wanted, isAllowed);
  const others = new Set<string>();
  const unknown = new Set<string>();
  for (const { target } of parseIndex(restored).entries) {
    if (present.has(target.normalize('NFC')) || changes.some(({ path, after }) => path === target && after === null))
      continue;
    const found = await context.exists(target).catch(() => undefined);
    if (found === undefined) unknown.add(target);
    else if (found) others.add(target);
  }
  const survivors = new Map(changes.map(({ path, note }) => [path, note?.mergedInto]));
  const isTopicChange = changes.length > 0;
  if (!change && !isTopicChange) return undefined;
  const tidied = tidyIndex({
    text: before === null && restored === '' ? undefined : restored,
    files,
    others,
    unknown,
    survivorOf: (path) => survivors.get(path),
  });
  const after = tidied.text ?? null;
  if (after === before) return undefined;
  return { ...(change ?? { path: indexPath, before }), after };
}

/** The private memories as they would be. */
async function filesAfter(changes: readonly NotedChange[], { heads, read, now }: InvariantContext): Promise<Memory[]> {
  const byPath = new Map(changes.map((change) => [change.path, change]));
  const files: Memory[] = [];
  const breath = createBreath();
  for (const head of heads) {
    await breath();
    if (head.scope !== 'private') continue;
    const change = byPath.get(head.path);
    if (change?.after === null) continue;
    const text = change ? change.after : await read(head.path).catch(() => undefined);
    files.push(
      text === undefined
        ? { ...head, text: '', body: '', data: {}, sourceMessages: [] }
        : parseMemory(head.path, text, head.mtimeMs, now),
    );
  }
  const created = changes.filter(({ before, after }) => before === null && after !== null);
  return [...files, ...created.map(({ path, after }) => parsed(path, after, now))];
}

function proposed(change: NotedChange, notes: ReadonlyMap<string, ChangeNote>, now: number): ProposedChange {
  const { note: own, ...file } = change;
  const { mergedInto, ...note } = own ?? notes.get(change.path) ?? { reason: '', sources: [] };
  const kind = change.before === null ? 'create' : change.after === null ? 'delete' : 'update';
  const code = kind === 'create' ? 'isNew' : isIndexPath(change.path) ? 'follows' : 'changed';
  const said = { ...note, ...(note.reason === '' ? because(reasonFor(code)) : {}) };
  if (isIndexPath(change.path)) return { ...file, kind, ...said, title: 'MEMORY.md' };
  const { name, type } = parseMemory(change.path, change.after ?? change.before ?? '', now, now);
  return {
    ...file,
    kind,
    ...said,
    title: name || stemOf(change.path),
    ...(mergedInto === undefined ? {} : { mergedInto }),
    ...(type === undefined ? {} : { type }),
  };
}
