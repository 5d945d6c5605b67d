// Whether a person switched team memory on for a checkout, and where its folder is: what the editor's settings of a trusted
// workspace say, left in our own state so that the command line, hooks and the memory server do alike. A project can't
// write it. Nothing kept means off.

import { join } from 'node:path';
import type { Disk } from './disk';
import { readJson, writeJson } from './files';

export interface TeamSwitch {
  readonly enabled: boolean;
  /** Relative to the checkout; `undefined`: `team` in the memory folder. */
  readonly directory: string | undefined;
}

type Kept = Readonly<Record<string, { readonly enabled?: unknown; readonly directory?: unknown }>>;

const fileOf = (stateDir: string): string => join(stateDir, 'team.json');

/** What was left for the checkout whose folder is `top`; `undefined` when nobody ever switched it on there. */
export async function readTeamSwitch(disk: Disk, stateDir: string, top: string): Promise<TeamSwitch | undefined> {
  const kept = await readJson<Kept>(disk, fileOf(stateDir)).catch(() => undefined);
  const found = kept && Object.hasOwn(kept, top) ? kept[top] : undefined;
  if (typeof found !== 'object' || found === null) return undefined;
  const { enabled, directory } = found;
  return {
    enabled: enabled === true,
    directory: typeof directory === 'string' && directory !== '' ? directory : undefined,
  };
}

/** Writes only when something differs; what is off and was never on is not written. */
export async function keepTeamSwitch(disk: Disk, stateDir: string, top: string, now: TeamSwitch): Promise<void> {
  const before = await readTeamSwitch(disk, stateDir, top);
  if (before ? before.enabled === now.enabled && before.directory === now.directory : !now.enabled) return;
  const kept = (await readJson<Kept>(disk, fileOf(stateDir))) ?? {};
  const { enabled, directory } = now;
  await writeJson(disk, fileOf(stateDir), {
    ...kept,
    [top]: { enabled, ...(directory === undefined ? {} : { directory }) },
  });
}
