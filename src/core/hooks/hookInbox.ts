// Brings what hooks left in the spool to the session watcher, which decides what comes of it. It looks when it is told that
// something came, one look at a time, and never asks by itself.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { openGuard, type ProcessTable } from '../guard';
import type { Logger } from '../log';
import type { SessionWatcher } from '../sessions/sessionWatcher';
import { openSpool, spoolFolder } from './spool';

export interface HookInbox {
  /** The first look; before it, `look` does nothing, as nobody watches sessions yet. */
  begin(): Promise<void>;
  /** Something may have come. Never rejects; resolves when the watcher has heard of it. */
  look(): Promise<void>;
}

export function openHookInbox(options: {
  readonly stateDir: string;
  /** As `openSpool` has it. */
  readonly reader: string;
  readonly watcher: Pick<SessionWatcher, 'ended' | 'turnOver'>;
  readonly processes: ProcessTable;
  readonly disk: Disk;
  readonly log: Logger;
}): HookInbox {
  const { watcher, reader, processes, disk, log } = options;
  const folder = spoolFolder(options.stateDir);
  const guard = openGuard({ folder: join(folder, 'guard'), disk, processes });
  const spool = openSpool({ folder, reader, guard, disk });
  let hasBegun = false;
  let work: Promise<void> = Promise.resolve();
  let isWaiting = false;

  async function act(): Promise<void> {
    isWaiting = false;
    try {
      for (const { event, session } of await spool.take()) {
        if (event === 'Stop') await watcher.turnOver(session);
        else await watcher.ended(session, event === 'PreCompact' ? 'compact' : 'hook');
      }
    } catch (error) {
      log.warn(`What hooks left can't be read: ${String(error)}`);
    }
  }

  async function look(): Promise<void> {
    if (!hasBegun) return;
    // A look that has not begun yet sees what came just now.
    if (!isWaiting) {
      isWaiting = true;
      work = work.then(act);
    }
    await work;
  }

  return {
    begin() {
      hasBegun = true;
      return look();
    },
    look,
  };
}
