// What git says of one folder: who committed which file last and when, what the last commit holds, whether a path is
// ignored, who this person is. Reads only, by commands that are written here and never by a shell; a repository's own
// settings start no program, nothing is fetched, no lock is taken. Without git or a repository, or when it takes too
// long, there is simply no answer.

import { spawn } from 'node:child_process';

export interface Origin {
  /** A stranger's words. */
  readonly author: string;
  readonly email: string;
  /** Milliseconds. */
  readonly at: number;
}

export interface Committed {
  /** The commit that is checked out. */
  readonly head: string;
  /** Ids of the contents, by path below the folder. */
  readonly blobs: ReadonlyMap<string, string>;
  /** Of the last commit that changed a file, merges aside; as far as the history was read. */
  readonly origins: ReadonlyMap<string, Origin>;
}

export interface Git {
  /** The same object while the same commit is checked out. `undefined` without git, repository or commit. */
  committed(): Promise<Committed | undefined>;
  /** As commits name this person here. */
  identity(): Promise<{ readonly name: string; readonly email: string } | undefined>;
  isIgnored(path: string): Promise<boolean>;
  /** Where git keeps what belongs to this checkout, absolute. */
  directory(): Promise<string | undefined>;
}

/** The only arguments before a command: none of them lets a repository name a program. */
const settings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.quotePath=false',
  'log.showSignature=false',
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting]);

const quickMs = 2_000;
const historyMs = 5_000;
const mostBytes = 8 * 1024 * 1024;
const mostCommits = 5_000;

/** `folder` need not exist yet for `isIgnored`, which asks from `around`. */
export function openGit(options: {
  readonly folder: string;
  /** A folder that is there, in the same repository. */
  readonly around: string;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
}): Git {
  let known: { readonly head: string; readonly value: Promise<Committed | undefined> } | undefined;

  /** What a command printed, as far as it came in time; `undefined` when it could not run or failed. */
  function run(
    folder: string,
    args: readonly string[],
    limitMs: number,
    takesPart = false,
  ): Promise<string | undefined> {
    return new Promise((resolve) => {
      const { PATH, Path, HOME, USERPROFILE, HOMEDRIVE, HOMEPATH, SystemRoot, XDG_CONFIG_HOME, APPDATA } = options.env;
      const child = spawn('git', ['--no-pager', ...settings, '-C', folder, ...args], {
        // Not the folder itself: on one system programs are looked for where a process stands.
        cwd: options.homeDir,
        stdio: ['ignore', 'pipe', 'ignore'],
        windowsHide: true,
        env: {
          ...defined({ PATH, Path, HOME, USERPROFILE, HOMEDRIVE, HOMEPATH, SystemRoot, XDG_CONFIG_HOME, APPDATA }),
          GIT_OPTIONAL_LOCKS: '0',
          GIT_TERMINAL_PROMPT: '0',
          GIT_NO_LAZY_FETCH: '1',
          GIT_ALLOW_PROTOCOL: 'none',
          LC_ALL: 'C',
        },
      });
      const parts: Buffer[] = [];
      let size = 0;
      let isCut = false;
      const cut = () => {
        isCut = true;
        child.kill('SIGKILL');
      };
      const timer = setTimeout(cut, limitMs);
      timer.unref();
      child.stdout.on('data', (part: Buffer) => {
        size += part.length;
        if (size > mostBytes) cut();
        else parts.push(part);
      });
      const end = (isWhole: boolean) => {
        clearTimeout(timer);
        resolve(isWhole || (isCut && takesPart) ? Buffer.concat(parts).toString('utf8') : undefined);
      };
      child.on('error', () => end(false));
      child.on('close', (code) => end(code === 0 && !isCut));
    });
  }

  const line = async (...args: readonly string[]) =>
    (await run(options.folder, args, quickMs))?.split('\n')[0]?.trim() || undefined;

  async function read(head: string): Promise<Committed | undefined> {
    const [tree, history] = await Promise.all([
      run(options.folder, ['ls-tree', '-r', '-z', head, '--', '.'], quickMs),
      run(
        options.folder,
        [
          ...['log', head, `--max-count=${mostCommits}`, '-z', '--format=%x01%aN%x00%aE%x00%at', '--name-only'],
          ...['--no-color', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-show-signature', '--relative'],
          ...['--', '.'],
        ],
        historyMs,
        true,
      ),
    ]);
    return tree === undefined ? undefined : { head, blobs: parseTree(tree), origins: parseHistory(history ?? '') };
  }

  return {
    async committed() {
      const head = await line('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
      if (head === undefined || !/^[0-9a-f]{40,64}$/.test(head)) return undefined;
      if (known?.head !== head) known = { head, value: read(head) };
      return known.value;
    },
    async identity() {
      const [name, email] = [await line('config', '--get', 'user.name'), await line('config', '--get', 'user.email')];
      return name === undefined && email === undefined ? undefined : { name: name ?? '', email: email ?? '' };
    },
    isIgnored: async (path) =>
      (await run(options.around, ['check-ignore', '--quiet', '--no-index', '--', path], quickMs)) !== undefined,
    directory: () => line('rev-parse', '--absolute-git-dir'),
  };
}

/** `mode SP blob SP id TAB path NUL`, in which paths are relative to the folder asked from. */
function parseTree(output: string): Map<string, string> {
  const blobs = new Map<string, string>();
  for (const entry of output.split('\0')) {
    const match = /^100\d{3} blob ([0-9a-f]{40,64})\t(.+)$/s.exec(entry);
    if (match?.[1] && match[2]) blobs.set(match[2], match[1]);
  }
  return blobs;
}

/** The newest commit of each file. The last record may be cut. */
function parseHistory(output: string): Map<string, Origin> {
  const origins = new Map<string, Origin>();
  for (const record of output.split('\x01').slice(1)) {
    const [author, email, time, ...names] = record.split('\0');
    const at = Number(time) * 1000;
    if (author === undefined || email === undefined || !Number.isFinite(at)) continue;
    for (const raw of names) {
      const name = raw.replace(/^\n/, '');
      if (name !== '' && !origins.has(name)) origins.set(name, { author, email, at });
    }
  }
  return origins;
}

const defined = (values: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
