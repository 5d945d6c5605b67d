// Links between memories: `[[name]]` and Markdown links in bodies. One that leads nowhere is repaired when exactly one memory
// fits; with none or several it stays, and several are told. A link to a memory that was merged follows it.

import { stemOf } from '../memory/memory';
import { fileLink, type LinkTarget, leadsTo, linksIn, nameLink, rewriteLinks } from '../memory/memoryLinks';
import { isMistyped } from '../memory/slips';
import { fold } from '../sessions/signals/text';
import { because, reasonFor } from './reasons';
import { type Desk, originsOf } from './tidyDesk';

/** Paths of those that a broken link may mean: from the closest reading that any of them fits. */
export function linkCandidates(link: string, targets: readonly LinkTarget[]): string[] {
  const wanted = tokensOf(link.replace(/\.md$/i, '')).join(' ');
  if (wanted === '') return [];
  const spellings = targets.map(({ path, name }) => {
    const stem = tokensOf(stemOf(path));
    const named = tokensOf(name);
    const bare = [withoutType(stem).join(' '), withoutType(named).join(' ')];
    return { path, whole: [stem.join(' '), named.join(' ')], bare };
  });
  const bareWanted = withoutType(wanted.split(' ')).join(' ');
  const readings: ((one: (typeof spellings)[number]) => boolean)[] = [
    ({ whole }) => whole.includes(wanted),
    ({ whole, bare }) => bare.includes(bareWanted) || whole.includes(bareWanted),
    // Part of a name: of two words or more, at its beginning or its end.
    ({ whole, bare }) =>
      bareWanted.includes(' ') &&
      [...bare, ...whole].some(
        (name) => `${name} `.startsWith(`${bareWanted} `) || ` ${name}`.endsWith(` ${bareWanted}`),
      ),
    ({ whole, bare }) => [...bare, ...whole].some((name) => isSlipOf(bareWanted, name)),
  ];
  for (const fits of readings) {
    const found = spellings.filter(fits).map(({ path }) => path);
    if (found.length > 0) return found;
  }
  return [];
}

/** Word for word the same but for slips of the keys. Digits have none. */
function isSlipOf(typed: string, meant: string): boolean {
  const [words, others] = [typed.split(' '), meant.split(' ')];
  return (
    words.length === others.length &&
    words.every((word, at) => {
      const other = others[at] ?? '';
      return (
        word === other ||
        (!/\d/.test(word + other) && word[0] === other[0] && (isMistyped(word, other) || isMistyped(other, word)))
      );
    })
  );
}

const tokensOf = (text: string): string[] =>
  fold(text.normalize('NFC').toLowerCase())
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token !== '');

const typePrefix = /^(?:user|feedback|project|reference)$/;
const withoutType = (tokens: readonly string[]): readonly string[] =>
  tokens.length > 1 && typePrefix.test(tokens[0] ?? '') ? tokens.slice(1) : tokens;

export interface MendedLinks {
  readonly text: string;
  readonly mended: readonly { readonly from: string; readonly to: string }[];
  /** Links that several memories fit. */
  readonly unclear: readonly { readonly link: string; readonly candidates: readonly string[] }[];
}

/** The text with what can be repaired. `movedTo` says where a memory that is no longer there went. */
export function mendLinks(
  text: string,
  path: string,
  targets: readonly LinkTarget[],
  gone: readonly LinkTarget[],
  movedTo: (path: string) => string | undefined,
): MendedLinks {
  const unclear: { link: string; candidates: readonly string[] }[] = [];
  const others = targets.filter((target) => target.path !== path);

  /** The path that a broken link is to lead to, or `undefined` when it stays. */
  function destination(link: string, asWritten: string): string | undefined {
    const left = gone.find((target) => leadsTo(link, target) || target.path === link);
    if (left) return movedTo(left.path);
    const candidates = linkCandidates(link, others);
    if (candidates.length > 1) unclear.push({ link: asWritten, candidates });
    return candidates.length === 1 ? candidates[0] : undefined;
  }

  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const result = rewriteLinks(text, path, ({ kind, to: link, more, written }) => {
    if (kind === 'name') {
      if (targets.some((target) => leadsTo(link, target))) return undefined;
      const to = destination(link, written);
      return to === undefined ? undefined : nameLink(to, more);
    }
    if (targets.some((one) => one.path === link)) return undefined;
    const isTold = gone.some((one) => one.path === link) || linkCandidates(stemOf(link), others).length > 0;
    const to = isTold ? destination(link, written) : undefined;
    return to?.startsWith(folder) ? fileLink(more, to.slice(folder.length)) : undefined;
  });
  return { text: result.text, mended: result.changed, unclear };
}

/** Wiki links of a text that lead to none of these. */
export function deadWikiLinks(text: string, targets: readonly LinkTarget[]): string[] {
  return [...linksIn(text, '')]
    .filter(({ kind, to }) => kind === 'name' && !targets.some((target) => leadsTo(to, target)))
    .map(({ to }) => to);
}

/** Repairs the links of every memory. `gone` are those that were there when the dream began. */
export async function settleLinks(desk: Desk, gone: readonly LinkTarget[], team: readonly LinkTarget[]): Promise<void> {
  const targets = [...desk.files(), ...team];
  for (const memory of desk.files()) {
    await desk.breath();
    if (!memory.text.includes('[')) continue;
    const { text, mended, unclear } = mendLinks(memory.text, memory.path, targets, gone, desk.survivorOf);
    for (const { link, candidates } of unclear)
      desk.remark(memory.path, reasonFor('unclearLink', link, candidates.join(', ')));
    if (mended.length === 0 || !desk.isEditable(memory)) continue;
    const why = because(reasonFor('linkMended', mended.map(({ from, to }) => `${from} → ${to}`).join(', ')));
    await desk.edit(memory.path, text, { ...why, ...originsOf(memory) }, { keepsTime: true });
  }
}
