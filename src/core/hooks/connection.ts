// Connects Claude Code's hooks with Reverie: our entries into one of its settings files and out again. What is written was
// shown before, byte for byte, and the file as it was is kept beside our state, so that taking out gives back the very same
// bytes as long as nobody else changed it. A file that is read-only, broken or no text stays as it is, and the answer says why.

import { dirname, join } from 'node:path';
import type { Disk } from '../disk';
import { decodeText, openFolder, readJson, replaceFile, shortHash, writeJson } from '../files';
import { MemoryError } from '../memoryError';
import { isObject } from '../sessions/json';
import { addHooks, type FoundHooks, findHooks, removeHooks } from './settingsText';

/** Why a settings file is left as it is. */
export interface ConnectionProblem {
  readonly file: string;
  readonly problem: 'broken' | 'odd' | 'not_text' | 'too_large' | 'not_a_file' | 'read_only';
  readonly detail?: string;
}

/** A change that was not made yet. */
export interface ConnectionPlan {
  readonly file: string;
  /** `undefined`: there is no file. */
  readonly before: string | undefined;
  /** `undefined`: there will be none. */
  readonly after: string | undefined;
  readonly created: readonly string[];
}

export type ConnectionState = FoundHooks & { readonly file: string };

export interface HookConnection {
  state(file: string): Promise<ConnectionState | ConnectionProblem>;
  planConnect(file: string, command: string): Promise<ConnectionPlan | ConnectionProblem>;
  planDisconnect(file: string): Promise<ConnectionPlan | ConnectionProblem>;
  /**
   * Makes a planned change; nothing happens when it changes nothing. Returns the problem when the system refuses to write.
   * Throws `MemoryError` `changed` when the file is no longer what was planned on.
   */
  apply(plan: ConnectionPlan): Promise<ConnectionProblem | undefined>;
}

/** What was done to a file, so that it can be taken back. */
interface ConnectionRecord {
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
  readonly created: readonly string[];
  /** The folder of the file did not exist. */
  readonly madeFolder: boolean;
}

const largestBytes = 1_048_576;
const refusals = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY']);

/** The settings of all of a person's projects. */
export const userSettings = (configDir: string): string => join(configDir, 'settings.json');

/**
 * The settings of one project on this machine; `top` is the real path of the open checkout. Throws `MemoryError` `outside` where
 * a link in the project would have us write elsewhere.
 */
export const localSettings = (top: string, disk: Disk): Promise<string> =>
  openFolder(top, disk).locate('.claude/settings.local.json');

export function openHookConnection(options: { readonly configDir: string; readonly disk: Disk }): HookConnection {
  const { disk } = options;
  const folder = join(options.configDir, 'reverie', 'connections');

  /** The file behind links, which stay: people keep their settings elsewhere. */
  const realOf = async (file: string): Promise<string> => (await disk.realpath(file)) ?? file;
  const recordOf = (real: string): string => join(folder, `${shortHash(real)}.json`);

  async function read(file: string): Promise<{ readonly text: string | undefined } | ConnectionProblem> {
    const stat = await disk.stat(file);
    if (!stat) return (await disk.lstat(file)) ? { file, problem: 'not_a_file' } : { text: undefined };
    if (stat.kind !== 'file') return { file, problem: 'not_a_file' };
    if (stat.size > largestBytes) return { file, problem: 'too_large' };
    try {
      const bytes = await disk.read(file);
      return { text: bytes && decodeText(bytes, file) };
    } catch (error) {
      if (error instanceof MemoryError) return { file, problem: 'not_text' };
      throw error;
    }
  }

  const isReadOnly = async (file: string): Promise<boolean> => {
    const stat = await disk.stat(file);
    return stat !== undefined && (stat.mode & 0o222) === 0;
  };

  async function recorded(real: string): Promise<ConnectionRecord | undefined> {
    const value = await readJson<unknown>(disk, recordOf(real));
    const isRecord =
      isObject(value) &&
      (value.before === null || typeof value.before === 'string') &&
      typeof value.after === 'string' &&
      Array.isArray(value.created);
    return isRecord ? (value as unknown as ConnectionRecord) : undefined;
  }

  async function write(real: string, text: string): Promise<void> {
    await replaceFile(disk, real, Buffer.from(text), join(dirname(real), `.reverie-${shortHash(real)}.tmp`));
  }

  async function applyConnect(plan: ConnectionPlan, after: string, real: string): Promise<void> {
    const earlier = await recorded(real);
    // Brought up to date: what lay there before the first time is still what to go back to.
    const isKnown = earlier !== undefined && earlier.after === plan.before;
    const madeFolder = (await disk.stat(dirname(real))) === undefined;
    const record: ConnectionRecord = {
      file: plan.file,
      before: isKnown ? earlier.before : (plan.before ?? null),
      after,
      created: isKnown ? [...earlier.created, ...plan.created] : plan.created,
      madeFolder: madeFolder || (isKnown && earlier.madeFolder),
    };
    if (plan.before !== undefined) {
      const backup = join(folder, `${shortHash(real)}.settings.json`);
      await replaceFile(disk, backup, Buffer.from(plan.before), `${backup}.tmp`, { mode: 0o600 });
    }
    await writeJson(disk, recordOf(real), record);
    try {
      await write(real, after);
    } catch (error) {
      if (earlier) await writeJson(disk, recordOf(real), earlier);
      else await disk.remove(recordOf(real));
      throw error;
    }
  }

  return {
    async state(file) {
      const found = await read(file);
      if ('problem' in found) return found;
      const hooks = findHooks(found.text ?? '');
      return { file, ...hooks };
    },

    async planConnect(file, command) {
      const found = await read(file);
      if ('problem' in found) return found;
      const added = addHooks(found.text, command);
      if ('problem' in added) return { file, ...added };
      if (added.text !== found.text && (await isReadOnly(file))) return { file, problem: 'read_only' };
      return { file, before: found.text, after: added.text, created: added.created };
    },

    async planDisconnect(file) {
      const found = await read(file);
      if ('problem' in found) return found;
      const before = found.text;
      if (before === undefined) return { file, before, after: before, created: [] };
      const record = await recorded(await realOf(file));
      const first = record?.after === before ? (record.before ?? undefined) : before;
      if (first === undefined || !isConnected(first)) return { file, before, after: first, created: [] };
      const removed = removeHooks(before, record?.created);
      if ('problem' in removed) return { file, ...removed };
      if (removed.text !== before && (await isReadOnly(file))) return { file, problem: 'read_only' };
      return { file, before, after: removed.text, created: [] };
    },

    async apply(plan) {
      const { file, before, after } = plan;
      const now = await read(file);
      if ('problem' in now) return now;
      if (now.text !== before)
        throw new MemoryError('changed', `${file} changed meanwhile. Nothing was changed.`, file);
      if (after === before) return undefined;
      if (await isReadOnly(file)) return { file, problem: 'read_only' };
      const real = await realOf(file);
      try {
        if (after !== undefined && isConnected(after)) {
          await applyConnect(plan, after, real);
          return undefined;
        }
        const record = await recorded(real);
        if (after === undefined) await disk.remove(real);
        else await write(real, after);
        if (after === undefined && record?.madeFolder) await disk.removeFolder(dirname(real));
        await disk.remove(recordOf(real));
        return undefined;
      } catch (error) {
        if (!refusals.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        return { file, problem: 'read_only' };
      }
    },
  };
}

function isConnected(text: string): boolean {
  const found = findHooks(text);
  return !('problem' in found) && found.events.length > 0;
}
