// The memories there are, as a list for a model: one line each, made of the head alone. Used where a model shall choose
// among memories or avoid repeating them. Line format: type, path, time, description, as Claude Code lists them.

import { estimateTokens } from '../tokens';
import type { MemoryHeader } from './memory';

/** As many as Claude Code lists. */
const mostLines = 200;

/** The newest memories, one a line, within the tokens; says how many are left out. Empty when there are none. */
export function formatManifest(heads: readonly MemoryHeader[], maxTokens: number): string {
  const lines: string[] = [];
  let tokens = 0;
  const newest = [...heads].sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1));
  for (const head of newest) {
    const line = manifestLine(head);
    tokens += estimateTokens(line);
    if (lines.length >= mostLines || tokens > maxTokens) break;
    lines.push(line);
  }
  const left = heads.length - lines.length;
  if (left > 0) lines.push(`(${left} older ones are not listed.)`);
  return lines.join('\n');
}

export function manifestLine({ type, path, modifiedAt, description, name }: MemoryHeader): string {
  const tag = type ? `[${type}] ` : '';
  const told = description ?? name;
  return `- ${tag}${path} (${new Date(modifiedAt).toISOString()})${told ? `: ${wholeStart(told)}` : ''}`;
}

/** As much of a name or a description as is told, not cut between the two halves of a character. */
export const wholeStart = (text: string): string => text.slice(0, 200).replace(/[\ud800-\udbff]$/, '');
