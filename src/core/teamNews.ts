// What came from teammates and this person has not looked at yet, and who wrote what. News is a memory of the team whose
// words were never seen here and that somebody else committed; what this person writes, in whatever program, is none. What
// was seen is kept by a hash of the words, so that a change of branches or a renamed file brings no news again.
// Lines are only appended, by several processes; where git has no answer there is no author, and foreign words are news.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Disk } from './disk';
import { createEmitter, type Disposable, type Event } from './event';
import { replaceFile, shortHash } from './files';
import type { Git, Origin } from './git';
import type { Logger } from './log';
import type { MemoryHeader } from './memory/memory';
import { isIndexPath, scopeOf } from './memory/memoryPaths';
import type { MemoryStore } from './memory/memoryStore';

export interface TeamState {
  readonly isOn: boolean;
  /** By memory path. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Paths of what is new. */
  readonly fresh: ReadonlySet<string>;
  /** How many memories there were, where this process was the first ever to look at the team's folder. */
  readonly firstSight?: number;
}

export const noTeam: TeamState = { isOn: false, origins: new Map(), fresh: new Set() };

export interface TeamNews extends Disposable {
  /** Never rejects: without an answer nothing is new. */
  state(): Promise<TeamState>;
  /** All that is new now, or these paths. */
  markSeen(paths?: readonly string[]): Promise<void>;
  /** To be told of what this program wrote. */
  own(paths: readonly string[]): void;
  /** Another commit is checked out, or something was seen, here or in another process. */
  readonly onDidChange: Event<void>;
  /** A file of the state folder changed. */
  heard(name: string | undefined): void;
  /** Watches for another commit. */
  start(): Promise<void>;
}

/** A hash of words seen, one a line. */
const seenName = 'teamSeen.txt';
/** From here on the file is written anew with what is there now. */
const mostLines = 20_000;
const readsAtOnce = 8;
/** A pull changes files first and the branch last. */
const settleMs = 400;

export function openTeamNews(options: {
  /** The project's state folder. */
  readonly folder: string;
  /** The team's folder. What was seen of another one says nothing of it. */
  readonly teamDir: string;
  readonly git: Git | undefined;
  readonly store: Pick<MemoryStore, 'heads' | 'readText'>;
  readonly disk: Disk;
  readonly log: Logger;
}): TeamNews {
  const { git, store, disk, log } = options;
  const { readText } = store;
  const file = join(options.folder, seenName);
  const mark = `folder ${shortHash(options.teamDir)}`;
  const changed = createEmitter<void>((error) => log.warn(`News from the team can't be shown: ${error}`));
  const lifetime: Disposable[] = [];
  let timer: NodeJS.Timeout | undefined;
  let firstSight: number | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  /** Words of files by path, while the file is the same. */
  const words = new Map<string, { readonly stamp: string; readonly hash: string; readonly blobs: readonly string[] }>();

  async function seen(): Promise<ReadonlySet<string> | undefined> {
    const lines = (await disk.read(file))?.toString('utf8').split('\n') ?? [];
    return lines.includes(mark) ? new Set(lines) : undefined;
  }

  async function append(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    await disk.makeFolder(options.folder);
    // The line end before it parts it from a line that a crash tore.
    await disk.append(file, Buffer.from(`\n${lines.join('\n')}\n`));
  }

  /** One after the other: what is being noted counts as seen for who asks next. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = queue.then(work, work);
    queue = next.catch(() => {});
    return next;
  };

  async function wordsOf(head: MemoryHeader) {
    const stamp = `${head.mtimeMs} ${head.size}`;
    const known = words.get(head.path);
    if (known?.stamp === stamp) return known;
    const text = await readText(head.path).catch(() => undefined);
    if (text === undefined) return undefined;
    const plain = text.replace(/\r\n/g, '\n');
    const found = { stamp, hash: hashOf(plain), blobs: [blobId(text), ...(plain === text ? [] : [blobId(plain)])] };
    words.set(head.path, found);
    return found;
  }

  async function readAll(heads: readonly MemoryHeader[]) {
    const found = new Map<string, NonNullable<Awaited<ReturnType<typeof wordsOf>>>>();
    let at = 0;
    async function next(): Promise<void> {
      for (let head = heads[at++]; head; head = heads[at++]) {
        const one = await wordsOf(head);
        if (one) found.set(head.path, one);
      }
    }
    await Promise.all(Array.from({ length: readsAtOnce }, next));
    for (const path of words.keys()) if (!found.has(path)) words.delete(path);
    return found;
  }

  async function look(): Promise<TeamState> {
    const heads = await store.heads();
    const ours = heads.filter((head) => scopeOf(head.path) === 'team' && head.problem === undefined);
    const [committed, known, found] = await Promise.all([git?.committed(), seen(), readAll(ours)]);
    const origins = new Map<string, Origin>();
    for (const { path } of ours) {
      const origin = committed?.origins.get(below(path));
      if (origin) origins.set(path, origin);
    }
    const hashes = [...new Set([...found.values()].map(({ hash }) => hash))];
    if (!known) {
      // Who joins a team is not told of each memory it ever had.
      await append([mark, ...hashes]);
      if (ours.length > 0) firstSight = ours.length;
      return stateWith(origins, []);
    }
    if (known.size > mostLines) await rewrite(hashes.filter((hash) => known.has(hash)));
    const unseen = [...found].filter(([, { hash }]) => !known.has(hash));
    const me = unseen.length > 0 ? (await git?.identity())?.email.toLowerCase() : undefined;
    const fresh = unseen.filter(([path, { blobs }]) => {
      if (!committed) return true;
      // What differs from the commit was changed on this machine.
      if (!blobs.includes(committed.blobs.get(below(path)) ?? '')) return false;
      return me === undefined || origins.get(path)?.email.toLowerCase() !== me;
    });
    return stateWith(
      origins,
      fresh.map(([path]) => path),
    );
  }

  const stateWith = (origins: TeamState['origins'], fresh: readonly string[]): TeamState => ({
    isOn: true,
    origins,
    fresh: new Set(fresh),
    ...(firstSight === undefined ? {} : { firstSight }),
  });

  async function rewrite(hashes: readonly string[]): Promise<void> {
    const text = Buffer.from(`${[mark, ...hashes].join('\n')}\n`);
    await replaceFile(disk, file, text, `${file}.${process.pid}.tmp`, { mode: 0o600 });
  }

  function later(): void {
    clearTimeout(timer);
    timer = setTimeout(() => changed.fire(), settleMs);
    timer.unref();
  }

  return {
    state: () =>
      inTurn(look).catch((error) => {
        log.warn(`News from the team: ${error}`);
        return { ...noTeam, isOn: true };
      }),
    async markSeen(paths) {
      const isAny = await inTurn(async () => {
        const { fresh } = await look();
        const seenNow = [...fresh].filter((path) => paths?.includes(path) ?? true);
        await append(seenNow.flatMap((path) => words.get(path)?.hash ?? []));
        return seenNow.length > 0;
      });
      if (isAny) changed.fire();
    },
    own(paths) {
      const ours = paths.filter((path) => scopeOf(path) === 'team' && !isIndexPath(path));
      if (ours.length === 0) return;
      void inTurn(async () => {
        const texts = await Promise.all(ours.map((path) => readText(path).catch(() => undefined)));
        if (await seen())
          await append(texts.flatMap((text) => (text === undefined ? [] : hashOf(text.replace(/\r\n/g, '\n')))));
      }).catch((error) => log.warn(`What was written for the team can't be noted: ${error}`));
    },
    onDidChange: changed.event,
    heard(name) {
      if (name === undefined || name === seenName) later();
    },
    async start() {
      const folder = await git?.directory();
      if (folder === undefined) return;
      const heard = (name: string | undefined) => {
        if (name === undefined || name === 'HEAD' || name === 'ORIG_HEAD') later();
      };
      for (const place of [folder, join(folder, 'logs')]) {
        const watch = disk.watch(place, heard);
        if (watch) lifetime.push(watch);
      }
    },
    dispose() {
      clearTimeout(timer);
      for (const one of lifetime.splice(0)) one.dispose();
    },
  };
}

const below = (path: string): string => path.slice('team/'.length);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

/** What git calls these bytes, in a repository that counts by SHA-1. */
const blobId = (text: string): string => {
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
};
