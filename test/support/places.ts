// A temporary home with repositories in it, made by git itself, and disks that show another system's folders. What a test
// writes here is gone afterwards.

import { createHash } from 'node:crypto';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, win32 } from 'node:path';
import { type Disk, type FolderEntry, nodeDisk } from '../../src/core/disk';
import { slug } from '../../src/core/pathRules';
import { type ResolveOptions, resolveProject } from '../../src/core/paths';
import { startsFrom } from './disks';
import { runGit } from './git';
import { transcript, uuidOf } from './transcripts';

const author = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

export interface Places {
  readonly base: string;
  readonly home: string;
  /** `<home>/.claude`. */
  readonly config: string;
  readonly projects: string;
  write(path: string, text: string): string;
  git(folder: string, ...args: readonly string[]): string;
  /** A repository with one commit. */
  repository(path: string): string;
  /** A transcript in `projects/<folder>`, by default the one that Claude Code would use. */
  session(cwd: string, folder?: string, id?: string): string;
  /** A memory in `projects/<folder>/memory`. */
  memory(folder: string, name?: string): string;
  resolve(directory: string, options?: Partial<ResolveOptions>): ReturnType<typeof resolveProject>;
  remove(): void;
}

export function createPlaces(): Places {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'places-')));
  const home = join(base, 'home');
  const config = join(home, '.claude');
  const projects = join(config, 'projects');
  mkdirSync(projects, { recursive: true });

  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const git = (folder: string, ...args: readonly string[]) => runGit(home, folder, args, author);
  return {
    base,
    home,
    config,
    projects,
    write,
    git,
    repository(path) {
      cpSync(template(git), path, { recursive: true });
      return path;
    },
    session(cwd, folder = slug(cwd.normalize('NFC')), id = cwd) {
      const talk = transcript(uuidOf(id), cwd).human('Hello').assistant('Hello.').turnEnd();
      return write(join(projects, folder, `${uuidOf(id)}.jsonl`), talk.text());
    },
    memory: (folder, name = 'role.md') =>
      write(join(projects, folder, 'memory', name), '---\nname: role\ndescription: role\ntype: user\n---\nA tester.\n'),
    resolve: (directory, options = {}) =>
      resolveProject({
        directory,
        homeDir: home,
        env: {},
        trusted: true,
        platform: 'linux',
        disk: nodeDisk,
        ...options,
      }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

let madeTemplate: string | undefined;

/** Made by git once; a copy of a repository is one. */
function template(git: Places['git']): string {
  if (madeTemplate === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'places-repository-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'readme.txt'), 'hello\n');
    git(folder, 'init', '-q');
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'Begin');
    madeTemplate = folder;
  }
  return madeTemplate;
}

/** Names, kinds, contents and times of everything below a folder: equal only if nothing was touched. */
export function treeHash(folder: string): string {
  const hash = createHash('sha256');
  const visit = (path: string) => {
    const stat = lstatSync(path, { bigint: true });
    hash.update(`${path}\0${stat.mode}\0${stat.mtimeNs}\0`);
    if (stat.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stat.isFile()) hash.update(readFileSync(path));
    else if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
  };
  visit(folder);
  return hash.digest('hex');
}

/** Shows what lies in `there` as if it lay in `here`. */
export function movedDisk(here: string, there: string): Disk {
  const move = (path: unknown) =>
    path === here || `${path}`.startsWith(`${here}/`) ? there + `${path}`.slice(here.length) : path;
  return new Proxy(nodeDisk, {
    get:
      (disk, key: keyof Disk) =>
      (path: unknown, ...rest: unknown[]) =>
        (disk[key] as (...args: unknown[]) => unknown)(move(path), ...rest),
  });
}

/**
 * A disk of Windows' kind to look at: names in any case, paths given back as they are stored. Below `projects` case counts,
 * as it does where people found two folders for one project.
 */
export function windowsDisk(files: Readonly<Record<string, string>>): Disk {
  const key = (path: string) => path.replace(/^.*?(?=\\projects\\|$)/, (start) => start.toLowerCase());
  const entries = new Map<string, { path: string; text: string | undefined }>();
  for (const [path, text] of Object.entries(files)) {
    entries.set(key(path), { path, text });
    for (let here = win32.dirname(path); ; here = win32.dirname(here)) {
      entries.set(key(here), { path: here, text: undefined });
      if (win32.dirname(here) === here) break;
    }
  }
  const find = (path: string) => entries.get(key(win32.normalize(path).replace(/(?<!:)\\$/, '')));
  const stat = async (path: string) => {
    const entry = find(path);
    const kind = entry?.text === undefined ? ('folder' as const) : ('file' as const);
    return entry && { kind, size: entry.text?.length ?? 0, mtimeMs: 0, inode: 1, mode: 0o644 };
  };
  const read = async (path: string) => {
    const text = find(path)?.text;
    return text === undefined ? undefined : Buffer.from(text);
  };
  const refuse = () => Promise.reject(new Error('this disk is only to be looked at'));
  const readRange: Disk['readRange'] = async (path, from, length) => {
    const [bytes, found] = [await read(path), await stat(path)];
    return bytes && found && { bytes: bytes.subarray(from, from + length), stat: found };
  };
  return {
    read,
    readRange,
    readStarts: startsFrom(readRange),
    stat,
    lstat: stat,
    async list(path) {
      const folder = find(path);
      if (!folder || folder.text !== undefined) return undefined;
      return [...entries.values()]
        .filter((entry) => entry !== folder && key(win32.dirname(entry.path)) === key(folder.path))
        .map(
          (entry): FolderEntry => ({
            name: win32.basename(entry.path),
            kind: entry.text === undefined ? 'folder' : 'file',
          }),
        );
    },
    realpath: async (path) => find(path)?.path,
    create: refuse,
    append: refuse,
    rename: refuse,
    link: refuse,
    remove: refuse,
    removeFolder: refuse,
    makeFolder: refuse,
    setModified: refuse,
    watch: () => undefined,
  };
}
