// Scores a tidied memory folder against a truth beside it (its form: the README of the tidy corpus). It reads the two folders
// by itself and trusts nothing that the engine says of them, but for what a dream reports without changing a file.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface TidyTruth {
  readonly now: string;
  readonly mtimes: Record<string, string>;
  readonly files: Record<string, { treatment: string[]; bytesMustStay: boolean; pinned?: boolean; group?: string }>;
  readonly merges: {
    id: string;
    kind: string;
    members: string[];
    survivor: string | null;
    mustSurvive: string[][];
    sources: string[];
  }[];
  readonly conflicts: { subject: string; older: string; newer: string; sentences: string[] }[];
  readonly lookAlikes: { members: string[] }[];
  readonly dates: { file: string; sentence: string; old: string; new: string }[];
  readonly deadlines: { file: string; sentence: string; passed: boolean }[];
  readonly wikiLinks: {
    file: string;
    old: string;
    target: string | null;
    acceptNew: string[];
    candidates: string[];
    mayStay?: string;
  }[];
  readonly frontMatter: { file: string; missing: string[]; bodyStartsWith: string }[];
  readonly index: {
    mustLinkOnce: string[];
    addLines: string[];
    dropDead: string[];
    dropDuplicate: { either: string[] };
    repair: { line: string; wrong: string; right: string };
    shorten: { line: string; file: string; maxLength: number }[];
    keepVerbatim: string[];
  };
  readonly forbidden: { action: string; files?: string[]; pairs?: string[][] }[];
}

/** What a dream said of memories, beside what it changed. */
export interface TidyReport {
  readonly contradictions: readonly { older: { path: string }; newer: { path: string } }[];
  readonly sources: Readonly<Record<string, readonly string[]>>;
  /** Texts about files: reasons and remarks. */
  readonly said: readonly { path: string; text: string }[];
}

export interface TidyScore {
  /** Must be empty. */
  readonly breaches: string[];
  /** Owed and not done. */
  readonly undone: string[];
  /** Done although nothing had to be. */
  readonly noise: string[];
}

export const filesOf = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  );

const squeezed = (text: string): string => text.replace(/\s+/g, ' ');

export function scoreTidy(
  truth: TidyTruth,
  before: Map<string, string>,
  after: Map<string, string>,
  report: TidyReport,
): TidyScore {
  const breaches: string[] = [];
  const undone: string[] = [];
  const noise: string[] = [];
  const text = (path: string) => after.get(path) ?? '';
  const groupOf = (path: string) => truth.files[path]?.group;

  for (const path of after.keys()) if (!before.has(path)) breaches.push(`a new file: ${path}`);
  for (const [path, old] of before) {
    const is = after.get(path);
    const mayGo = truth.merges.some(({ members, survivor }) => members.includes(path) && survivor !== path);
    if (is === undefined && !mayGo) breaches.push(`${path} is gone`);
    const mustStay = truth.files[path]?.bytesMustStay ?? path !== 'MEMORY.md';
    if (mustStay && is !== undefined && is !== old) breaches.push(`${path} changed`);
    if (is !== undefined && old.includes('\r\n') && /(?<!\r)\n/.test(is)) breaches.push(`${path} lost line ends`);
    if (is !== undefined && old.startsWith('\ufeff') !== is.startsWith('\ufeff')) breaches.push(`${path} lost its BOM`);
  }

  for (const { id, kind, members, survivor, mustSurvive, sources } of truth.merges) {
    const left = members.filter((path) => after.has(path));
    if (left.length === 0) breaches.push(`${id}: nothing is left`);
    if (left.length > 1) {
      undone.push(`merge ${kind} ${id}`);
      continue;
    }
    const [kept = ''] = left;
    if (survivor !== null && kept !== survivor) breaches.push(`${id}: ${survivor} had to survive`);
    for (const wordings of mustSurvive)
      if (!wordings.some((wording) => squeezed(text(kept)).includes(squeezed(wording))))
        breaches.push(`${id} lost “${wordings[0]}”`);
    const dropped = members.find((path) => path !== kept) ?? '';
    const known = [...(report.sources[dropped] ?? []), ...(report.sources[kept] ?? []), text(kept)].join(' ');
    for (const source of sources) if (!known.includes(source)) breaches.push(`${id} lost its source ${source}`);
  }

  for (const { older, newer, sentences } of truth.conflicts) {
    for (const [at, path] of [older, newer].entries())
      if (!squeezed(text(path)).includes(squeezed(sentences[at] ?? '')))
        breaches.push(`a side of a contradiction changed: ${path}`);
    if (!report.contradictions.some((one) => one.older.path === older && one.newer.path === newer))
      undone.push(`contradiction ${older}`);
  }
  for (const { older, newer } of report.contradictions) {
    if (!truth.conflicts.some((one) => one.older === older.path && one.newer === newer.path))
      noise.push(`contradiction ${older.path} ${newer.path}`);
  }
  for (const { members } of truth.lookAlikes)
    for (const path of members) if (!after.has(path)) breaches.push(`look-alike ${path} is gone`);

  for (const { file, sentence, old, new: date } of truth.dates) {
    const [lead = '', tail = ''] = sentence.split(old);
    const lines = text(file).split('\n');
    const fixed = lines.some(
      (line) => line.includes(lead.trim()) && line.includes(date) && line.includes(tail.trim()) && !line.includes(old),
    );
    if (!fixed) undone.push(`date ${file}`);
    const rest = (all: string) =>
      all
        .split('\n')
        .filter((line) => !line.includes(lead.trim()) && !/^\s*modified:/.test(line))
        .join('\n');
    if (rest(before.get(file) ?? '') !== rest(text(file))) breaches.push(`more than a date changed in ${file}`);
  }
  const saidOf = (path: string) =>
    report.said
      .filter((one) => one.path === path)
      .map((one) => one.text)
      .join(' ');
  for (const { file, sentence, passed } of truth.deadlines) {
    if (!text(file).includes(sentence)) breaches.push(`deadline sentence changed in ${file}`);
    const isMarked = text(file) !== before.get(file) || /passed/i.test(saidOf(file));
    if (isMarked !== passed) (passed ? undone : breaches).push(`deadline ${file}`);
  }
  for (const { file, old, target, acceptNew, candidates, mayStay } of truth.wikiLinks) {
    if (target === null) {
      if (!text(file).includes(old)) breaches.push(`guessed link in ${file}`);
      if (candidates.length > 1 && !candidates.every((path) => saidOf(file).includes(path)))
        undone.push(`unclear link ${file}`);
    } else if (!acceptNew.some((link) => text(file).includes(link)) && !(mayStay && text(file).includes(old)))
      undone.push(`link ${file}`);
  }
  for (const { file, missing, bodyStartsWith } of truth.frontMatter) {
    const now = text(file);
    for (const key of missing) if (!new RegExp(`^${key}: *\\S`, 'm').test(now)) undone.push(`${key} of ${file}`);
    const bare = now
      .split('\n')
      .filter((line) => !missing.some((key) => line.startsWith(`${key}:`)))
      .join('\n');
    if (bare !== before.get(file)) breaches.push(`more than front matter changed in ${file}`);
    if (!now.includes(bodyStartsWith)) breaches.push(`body of ${file}`);
  }

  const index = text('MEMORY.md');
  const lines = index.split(/\r?\n/);
  const links = lines
    .filter((line) => !line.includes('<!--'))
    .flatMap((line) => {
      const target = /^\s*[-*+] \[(?:\\.|[^\]])*\]\(([^)]*)\)/.exec(line)?.[1];
      return target === undefined || /^[a-z]+:/.test(target) ? [] : [decodeURIComponent(target.replace(/#.*/, ''))];
    });
  for (const path of truth.index.mustLinkOnce) {
    const count = links.filter((link) => link === path).length;
    if (after.has(path) && count !== 1)
      (count === 0 && truth.index.addLines.includes(path) ? undone : breaches).push(`${path} is linked ${count} times`);
  }
  for (const line of truth.index.dropDead) if (lines.includes(line)) undone.push(`dead line ${line}`);
  if (truth.index.dropDuplicate.either.every((line) => lines.includes(line))) undone.push('duplicate line');
  if (links.includes(truth.index.repair.wrong) || !links.includes(truth.index.repair.right))
    undone.push('misspelt target');
  for (const { line, file, maxLength } of truth.index.shorten) {
    const now = lines.find((one) => one.includes(`](${encodeURI(file)})`) || one.includes(`](${file})`));
    if (lines.includes(line) || now === undefined || now.length > maxLength) undone.push(`long line of ${file}`);
  }
  let at = -1;
  for (const line of truth.index.keepVerbatim) {
    at = lines.indexOf(line, at + 1);
    if (at === -1) {
      breaches.push(`index line lost or moved: ${line}`);
      break;
    }
  }
  for (const [path, { treatment }] of Object.entries(truth.files))
    if (treatment.includes('untouched') && after.get(path) !== before.get(path)) noise.push(`touched ${path}`);
  for (const { action, pairs = [] } of truth.forbidden)
    if (action.startsWith('merge'))
      for (const pair of pairs)
        if (pair.some((path) => !after.has(path) && groupOf(path)?.startsWith('m') !== true))
          breaches.push(`${action}: ${pair.join(' ')}`);
  return { breaches, undone, noise };
}
