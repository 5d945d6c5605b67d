// Which repository a folder belongs to, found without running git: `.git`, `gitdir:`, `commondir` and the links back.
// A pointer to another repository counts only if that repository points back at us, so that a cloned folder can't claim
// someone else's memories. What can't be read or checked leaves the folder on its own.

import type { Disk } from './disk';
import { flavourOf, isSamePath } from './pathRules';

export interface Checkout {
  /** Real path of the folder that holds `.git`. */
  readonly top: string;
  /** The main checkout's folder, for a linked worktree too; the bare repository itself if there is no main checkout. */
  readonly root: string;
  /**
   * The git directory that lists the worktrees, if it is certainly this repository's own. Unknown for a submodule and for
   * `--separate-git-dir`, whose git directory says nowhere that it belongs to this folder.
   */
  readonly commonDir: string | undefined;
}

/** Pointer files are a line long; more is not one. */
const pointerBytes = 4096;
const absent = () => undefined;

/** The key of a repository: `Checkout.root`. `undefined` outside git. Never runs git, never throws. */
export async function findGitRoot(directory: string, disk: Disk): Promise<string | undefined> {
  return (await findCheckout(directory, disk))?.root;
}

/** The checkout a folder lies in: the nearest `.git` upwards, as git itself looks for it. Never throws. */
export async function findCheckout(directory: string, disk: Disk): Promise<Checkout | undefined> {
  const { join, dirname } = flavourOf(directory);
  let top = (await disk.realpath(directory).catch(absent)) ?? directory;
  for (;;) {
    const dotGit = join(top, '.git');
    const stat = await disk.stat(dotGit).catch(absent);
    if (stat?.kind === 'folder') return { top, root: top, commonDir: dotGit };
    if (stat?.kind === 'file') return { top, root: top, commonDir: undefined, ...(await findMain(top, disk)) };
    const parent = dirname(top);
    if (parent === top) return undefined;
    top = parent;
  }
}

/** Where git keeps what belongs to a checkout: `.git`, or the folder it names, which may be another's: only to be looked at. */
export async function gitDirOf(top: string, disk: Disk): Promise<string> {
  const { join, resolve } = flavourOf(top);
  return resolve(top, (await pointerOf(top, disk)) ?? join(top, '.git'));
}

/** What `.git` names where it is a file. */
async function pointerOf(top: string, disk: Disk): Promise<string | undefined> {
  const line = await readLine(flavourOf(top).join(top, '.git'), disk);
  const pointer = /^gitdir:(.+)$/.exec(line ?? '')?.[1]?.trim();
  return !pointer || isRemote(pointer, top) ? undefined : pointer;
}

/** The main repository of a linked worktree, or `undefined` if this is none or the two don't point at each other. */
async function findMain(top: string, disk: Disk) {
  const { join, dirname, basename, resolve } = flavourOf(top);
  const dotGit = join(top, '.git');
  const pointer = await pointerOf(top, disk);
  if (pointer === undefined) return undefined;
  const gitDir = await disk.realpath(resolve(top, pointer)).catch(absent);
  const common = gitDir && (await readLine(join(gitDir, 'commondir'), disk));
  const back = gitDir && (await readLine(join(gitDir, 'gitdir'), disk));
  if (!gitDir || !common || !back || isRemote(common, top) || isRemote(back, top)) return undefined;
  const commonDir = await disk.realpath(resolve(gitDir, common)).catch(absent);
  if (!commonDir || !isSamePath(dirname(gitDir), join(commonDir, 'worktrees'))) return undefined;
  // Compared with our own name and not with what that may be a link to: a link into another worktree is not that worktree.
  const backLink = await disk.realpath(resolve(gitDir, back)).catch(absent);
  if (!backLink || !isSamePath(backLink, dotGit)) return undefined;
  return { root: basename(commonDir) === '.git' ? dirname(commonDir) : commonDir, commonDir };
}

/**
 * Real paths of the linked worktrees that exist and point back at this repository, in the order of their names. A
 * repository that lists a foreign folder as its worktree does not get it.
 */
export async function listWorktrees(checkout: Checkout, disk: Disk): Promise<readonly string[]> {
  if (checkout.commonDir === undefined) return [];
  const { join, dirname, resolve } = flavourOf(checkout.commonDir);
  const folder = join(checkout.commonDir, 'worktrees');
  const names = ((await disk.list(folder).catch(absent)) ?? []).filter(({ kind }) => kind === 'folder');
  const found: string[] = [];
  for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const gitDir = join(folder, name);
    const link = await readLine(join(gitDir, 'gitdir'), disk);
    if (!link || isRemote(link, checkout.top)) continue;
    const top = await disk.realpath(dirname(resolve(gitDir, link))).catch(absent);
    const main = top && (await findMain(top, disk));
    if (main && isSamePath(main.root, checkout.root)) found.push(top);
  }
  return found;
}

/** A cloned folder must not make us log in at a server it names. */
const isRemote = (pointer: string, from: string): boolean => /^[\\/]{2}/.test(pointer) && !/^[\\/]{2}/.test(from);

/** The first line of a regular file, trimmed. */
async function readLine(path: string, disk: Disk): Promise<string | undefined> {
  const stat = await disk.stat(path).catch(absent);
  // A device or a pipe would keep us waiting.
  if (stat?.kind !== 'file') return undefined;
  const file = await disk.readRange(path, 0, pointerBytes).catch(absent);
  return file?.bytes.toString('utf8').split('\n', 1)[0]?.trim();
}
