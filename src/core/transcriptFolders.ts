// Which folders under `projects/` hold transcripts of one repository. A folder's name can't be turned back into a path, and
// a sibling's name may begin like ours: beyond the exact names of our checkouts a folder is ours only if the working
// directory written in one of its transcripts lies in the repository. Reads bounded heads, never a whole transcript.

import type { Disk } from './disk';
import { findCheckout } from './gitRoot';
import { flavourOf, isSamePath, slug, slugPrefix, slugVariants } from './pathRules';

export interface Repository {
  /** Real path; what memories are keyed by. */
  readonly root: string;
  /** Real paths of the folders whose content belongs to it: the root, the opened folder, linked worktrees. */
  readonly checkouts: readonly string[];
  /** Outside git every folder is a project of its own, subfolders too. */
  readonly isGit: boolean;
}

/** Heads are read in two steps; past the second one a transcript says nothing about its place. */
const headBytes = [16 * 1024, 512 * 1024] as const;
const mostFolders = 2000;
const foldersAtOnce = 16;
const headsOfFolder = 3;
const absent = () => undefined;

/**
 * The transcript folders of a repository: first the exact names (which need not exist yet), then the existing ones whose
 * transcripts prove that they belong here. `openedAs` is the path before links were followed.
 */
export async function findTranscriptDirs(
  projectsDir: string,
  repository: Repository,
  openedAs: string,
  disk: Disk,
): Promise<readonly string[]> {
  const { join } = flavourOf(projectsDir);
  const exact = new Set(repository.checkouts.map((path) => slug(path.normalize('NFC'))));
  const variants = new Set([...repository.checkouts, openedAs].flatMap(slugVariants));
  const prefixes = repository.isGit ? [...variants].map(slugPrefix) : [];
  const entries = (await disk.list(projectsDir).catch(absent)) ?? [];
  const candidates = entries
    .filter(({ name, kind }) => !exact.has(name) && (kind === 'folder' || kind === 'link'))
    .map(({ name }) => name)
    .filter((name) => variants.has(name) || prefixes.some((prefix) => name.startsWith(prefix)))
    .sort()
    .slice(0, mostFolders);
  const proven = await inBatches(candidates, async (name) => {
    for (const cwd of await readWorkingDirectories(join(projectsDir, name), disk, headsOfFolder)) {
      if (await belongsTo(cwd, repository, disk)) return name;
    }
    return undefined;
  });
  return [...exact, ...proven.filter((name) => name !== undefined)].map((name) => join(projectsDir, name));
}

/** Runs `work` over all, a few at a time, keeping the order. */
export async function inBatches<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < all.length; at += foldersAtOnce) {
    results.push(...(await Promise.all(all.slice(at, at + foldersAtOnce).map(work))));
  }
  return results;
}

/**
 * Whether a working directory, which may be gone, lies in the repository. A repository nested in ours is not ours, and a
 * link that leads into ours is.
 */
export async function belongsTo(cwd: string, repository: Repository, disk: Disk): Promise<boolean> {
  const flavour = flavourOf(repository.root);
  if (flavourOf(cwd) !== flavour || !flavour.isAbsolute(cwd)) return false;
  const { existing, real } = await nearestReal(cwd, disk);
  if (!repository.isGit) return repository.checkouts.some((checkout) => isSamePath(checkout, real));
  const checkout = await findCheckout(existing, disk);
  return checkout !== undefined && isSamePath(checkout.root, repository.root);
}

/** The real path of the nearest folder that exists, upwards from an absolute path, and the path with that part made real. */
export async function nearestReal(
  path: string,
  disk: Disk,
): Promise<{ readonly existing: string; readonly real: string }> {
  const { dirname, basename, join } = flavourOf(path);
  const missing: string[] = [];
  for (let here = path; ; here = dirname(here)) {
    const existing = await disk.realpath(here).catch(absent);
    if (existing !== undefined) return { existing, real: join(existing, ...missing) };
    if (dirname(here) === here) return { existing: here, real: path };
    missing.unshift(basename(here));
  }
}

/**
 * Where the sessions of a transcript folder were started, read from the heads of at most `most` transcripts, each path once.
 * Text of strangers: a path to compare, not one to open.
 */
export async function readWorkingDirectories(folder: string, disk: Disk, most: number): Promise<readonly string[]> {
  const { join, basename } = flavourOf(folder);
  const found = new Set<string>();
  for (const name of (await listTranscripts(folder, disk)).slice(0, most)) {
    const cwd = await readWorkingDirectory(join(folder, name), basename(folder), disk);
    if (cwd !== undefined) found.add(cwd);
  }
  return [...found];
}

/** Names of the main transcripts in a folder, in the order of names. */
export async function listTranscripts(folder: string, disk: Disk): Promise<readonly string[]> {
  const entries = (await disk.list(folder).catch(absent)) ?? [];
  return entries
    .filter(({ name, kind }) => kind === 'file' && name.endsWith('.jsonl') && !name.startsWith('agent-'))
    .map(({ name }) => name)
    .sort();
}

/** The first working directory that the folder is named after, else the first one: a session may change its directory. */
async function readWorkingDirectory(file: string, folderName: string, disk: Disk): Promise<string | undefined> {
  for (const length of headBytes) {
    const head = await disk.readRange(file, 0, length).catch(absent);
    if (!head) return undefined;
    const found = [...workingDirectories(head.bytes.toString('utf8'))];
    const own = found.find((cwd) => slugVariants(cwd).includes(folderName));
    if (found.length > 0) return own ?? found[0];
    if (head.bytes.length < length) return undefined;
  }
  return undefined;
}

/** The `cwd` of each record that stands whole in this text. */
function* workingDirectories(text: string): Generator<string> {
  for (const line of text.split('\n')) {
    // A cheap test first: most lines of a head are long and have been told already where they are.
    if (!line.includes('"cwd"')) continue;
    const record = parseLine(line);
    const cwd = typeof record === 'object' && record !== null && 'cwd' in record ? record.cwd : undefined;
    if (typeof cwd === 'string' && cwd !== '' && !cwd.includes('\0')) yield cwd;
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
