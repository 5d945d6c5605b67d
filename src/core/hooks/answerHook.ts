// What a hook answers: for a prompt the memories that fit, for the rest one line in the spool. It looks at one project with
// words only, sends nothing, starts nothing and takes no directory from a project's own settings. Whatever is off, odd or
// missing is answered with nothing: a hook is never in the way of a prompt.

import { isAbsolute, join } from 'node:path';
import type { Disk } from '../disk';
import { type EngineSettings, readSettings } from '../engineSettings';
import type { Logger } from '../log';
import { locateTeamDir, type ProjectPaths, resolveProject } from '../paths';
import { openPause } from '../pause';
import { skipOf } from '../recall/skip';
import { openSurfaced } from '../recall/surfaced';
import { readTeamSwitch } from '../teamSwitch';
import { type HookInput, parseHookInput } from './hookInput';
import { appendToSpool, spoolFolder } from './spool';

/** What a prompt's answer is looked for in. `teamDir` as in `ProjectPaths`. */
export interface HookPaths extends Pick<ProjectPaths, 'memoryDir' | 'stateDir' | 'teamDir'> {
  readonly isTeamOn: boolean;
}

export interface HookSurroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly disk: Disk;
  readonly now: () => number;
  readonly log: Logger;
}

/**
 * Set for a Claude Code that a program starts by itself, and inherited by its hooks: they do nothing then, so that no run can
 * set off another one.
 */
const loopMarker = 'REVERIE_HOOKS';
const isOff = (env: NodeJS.ProcessEnv): boolean => /^(?:0|off|no|false)$/i.test(env[loopMarker]?.trim() ?? '');

/** As far as words are looked at for whether memory is wanted. */
const readForWishes = 100_000;

/** What goes to standard output, '' for nothing. `text` is what came on standard input. Rejects for what the disk refuses. */
export async function answerHook(text: string, surroundings: HookSurroundings): Promise<string> {
  const { env, log, now, disk } = surroundings;
  if (isOff(env)) return '';
  const input = parseHookInput(text);
  if (!input) {
    log.debug('No hook of ours.');
    return '';
  }
  if (input.event === 'UserPromptSubmit') {
    const skipped = skipOf(input.prompt.slice(0, readForWishes), true);
    if (skipped || input.prompt.trim() === '') return '';
  }
  const place = await findPlace(input, surroundings);
  if (!place) return '';
  const { paths } = place;
  switch (input.event) {
    case 'UserPromptSubmit': {
      // The other events have no use for an index: they are answered before it is loaded.
      const { recallForPrompt } = await import('./hookRecall');
      return recallForPrompt(input, { ...paths, ...(await teamOf(place, disk)) }, surroundings);
    }
    case 'PreCompact': {
      const surfaced = openSurfaced({ folder: join(paths.stateDir, 'recall'), disk, log });
      await surfaced.clear(input.session);
      break;
    }
  }
  if (place.settings.extraction.mode !== 'off') {
    await appendToSpool(disk, spoolFolder(paths.stateDir), { event: input.event, session: input.session, at: now() });
  }
  return '';
}

interface Place {
  readonly paths: ProjectPaths;
  readonly settings: EngineSettings;
}

/** The project, if memory is at work in it. */
async function findPlace(
  input: HookInput,
  { env, homeDir, disk, now, log }: HookSurroundings,
): Promise<Place | undefined> {
  const directory = await firstFolder([env.CLAUDE_PROJECT_DIR, input.cwd], disk);
  if (directory === undefined) {
    log.debug('The folder of this session is not there.');
    return undefined;
  }
  // Whether a person trusts the project is the editor's to know: what it names is not followed (decision 6).
  const { paths, switches } = await resolveProject({ directory, env, homeDir, trusted: false, disk });
  const settings = await readSettings(disk, paths.configDir);
  const isPaused = (await openPause({ folder: paths.stateDir, disk, now }).get()) !== undefined;
  if (switches.enabled && settings.enabled && !isPaused) return { paths, settings };
  log.debug(`Memory is at rest: ${isPaused ? 'paused' : (switches.disabledBy ?? 'reverie.enabled')}.`);
  return undefined;
}

/** Team memory as a person switched it on for this checkout, and never as the project has it. */
async function teamOf({ paths, settings }: Place, disk: Disk): Promise<Pick<HookPaths, 'isTeamOn' | 'teamDir'>> {
  const kept = await readTeamSwitch(disk, paths.stateDir, paths.top);
  if (!(kept ?? settings.team).enabled) return { isTeamOn: false, teamDir: undefined };
  return { isTeamOn: true, teamDir: await locateTeamDir(kept?.directory, paths, disk) };
}

/** Where Claude Code was started comes first: a session's working directory follows its `cd`s. */
async function firstFolder(candidates: readonly (string | undefined)[], disk: Disk): Promise<string | undefined> {
  for (const path of candidates) {
    if (path === undefined || !isAbsolute(path)) continue;
    const stat = await disk.stat(path).catch(() => undefined);
    if (stat?.kind === 'folder') return path;
  }
  return undefined;
}
