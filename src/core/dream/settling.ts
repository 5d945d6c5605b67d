// What a person's answer to a contradiction makes of the two memories, and which sentences one memory has that another lacks: the
// question before anything is taken away. Pure.

import { linesOf } from '../memory/indexLines';
import { editFrontMatter, type Memory } from '../memory/memory';
import { sentencesOf } from '../memory/sentences';
import { saysAtLeast } from '../memory/similarity';
import type { Contradiction } from './dreamEngine';

/** Sentences, and lines that are no sentences (code, tables, comments), of one memory that the other does not have. */
export function lostIn(drop: Memory, keep: Memory): string[] {
  const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();
  const kept = squeezed(keep.body);
  const block: string[] = [];
  const prose: string[] = [];
  for (const line of linesOf(drop.body)) {
    if (line.text.trim() === '') continue;
    (line.isCode || /^\s*[|<]/.test(line.text) ? block : prose).push(line.text);
  }
  const lostBlock = block.some((line) => !kept.includes(squeezed(line))) ? block : [];
  const lostProse = prose.filter((line) =>
    sentencesOf(line).some((sentence) => !kept.includes(squeezed(sentence)) && !saysAtLeast(keep.body, sentence)),
  );
  return [...lostProse, ...lostBlock];
}

export type Choice = 'newer' | 'older' | 'both';

/** A person's answer, as texts. `undefined`: the memory is removed. */
export interface Settled {
  readonly keep: { readonly path: string; readonly text: string };
  readonly other: { readonly path: string; readonly text: string | undefined };
}

/**
 * What an answer makes of the two: one of them holds, and gets what only the other one said beside the contradiction; or both
 * stay, and the older is marked as superseded. Pure.
 */
export function settleContradiction(
  { older, newer }: Contradiction,
  choice: Choice,
  files: { readonly older: Memory; readonly newer: Memory },
): Settled {
  if (choice === 'both') {
    const marked = editFrontMatter(files.older.text, { supersededBy: newer.path });
    return { keep: { path: newer.path, text: files.newer.text }, other: { path: older.path, text: marked } };
  }
  const [keep, drop, wrong] =
    choice === 'newer' ? [files.newer, files.older, older.sentence] : [files.older, files.newer, newer.sentence];
  const beside = { ...drop, body: drop.body.replace(wrong, '') };
  const lost = lostIn(beside, keep).filter((line) => line.trim() !== '');
  const end = keep.text.includes('\r\n') ? '\r\n' : '\n';
  const text = lost.length === 0 ? keep.text : `${keep.text.trimEnd()}${end}${end}${lost.join(end).trim()}${end}`;
  return { keep: { path: keep.path, text }, other: { path: drop.path, text: undefined } };
}
