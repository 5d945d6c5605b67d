// Whether memory is switched on, and which folder the settings name for it: Claude Code's own settings files and
// environment variables, read and never written. In doubt it is off: a settings file that can't be parsed is ignored but
// for what switches memory off, and what it says about a switch in unreadable words counts as off too. What a folder
// nobody trusts says counts only where it switches off.

import type { ParseError } from 'jsonc-parser';
import type { Disk } from './disk';
import { flavourOf, isInside, isSamePath } from './pathRules';

export interface Switches {
  readonly enabled: boolean;
  /** What switched it off, e.g. `autoMemoryEnabled in ~/.claude/settings.json`. */
  readonly disabledBy?: string;
}

type Scope = 'policy' | 'user' | 'project' | 'local';

/** A folder nobody trusts; or another checkout of this repository than the open one. */
type Mistrust = 'untrusted' | 'elsewhere';

interface SettingsFile {
  readonly scope: Scope;
  readonly path: string;
  /** The path as a person reads it, with `~`. */
  readonly label: string;
  /** Why only what switches off counts, if that is so. */
  readonly mistrust: Mistrust | undefined;
  /** As in the file; `undefined` where it says nothing. */
  readonly enabled: boolean | undefined;
  readonly directory: unknown;
  readonly env: Readonly<Record<string, string>>;
  /** A switch whose value can't be made out, or why the file itself can't be read. */
  readonly doubt: string | undefined;
  readonly problem: string | undefined;
}

export interface Settings {
  /** The strongest first. */
  readonly files: readonly SettingsFile[];
  /** The given environment under what the settings files set, with the place each value came from. */
  variable(name: string): { readonly value: string; readonly from: string } | undefined;
}

export interface SettingsPlaces {
  readonly configDir: string;
  readonly homeDir: string;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Folders whose `.claude` may hold project settings, the strongest first. */
  readonly projects: readonly { readonly folder: string; readonly mistrust: Mistrust | undefined }[];
}

/** Settings files are small; one that isn't is refused unread. */
const largestFile = 1024 * 1024;

/** Each of these, when it says yes, switches memory off. */
const offVariables = [
  'CLAUDE_CODE_SAFE_MODE',
  'CLAUDE_CODE_DISABLE_AUTO_MEMORY',
  'CLAUDE_CODE_DISABLE_CLAUDE_MDS',
  'CLAUDE_CODE_SIMPLE',
  'CLAUDE_CODE_REMOTE',
] as const;

const saysYes = (text: string | undefined): boolean => /^(1|true|yes|on)$/i.test(text?.trim() ?? '');
const saysNo = (text: string | undefined): boolean => /^(0|false|no|off)$/i.test(text?.trim() ?? '');

/** Reads every settings file that has a say. Never throws: what can't be read is a doubt. */
export async function readSettings(places: SettingsPlaces, disk: Disk): Promise<Settings> {
  const wanted = await settingsPlaces(places, disk);
  const read = await Promise.all(wanted.map((place) => readSettingsFile(place, places.homeDir, disk)));
  const files = read.filter((file) => file !== undefined);
  return {
    files,
    variable(name) {
      const deciding = files.find(
        ({ env, mistrust }) =>
          env[name] !== undefined &&
          (mistrust === undefined || (saysYes(env[name]) && offVariables.some((each) => each === name))),
      );
      if (deciding) return { value: deciding.env[name] ?? '', from: `env.${name} in ${deciding.label}` };
      const value = places.env[name];
      return value === undefined || value === '' ? undefined : { value, from: `${name} in the environment` };
    },
  };
}

interface Place {
  readonly scope: Scope;
  readonly path: string;
  readonly mistrust: Mistrust | undefined;
}

async function settingsPlaces(places: SettingsPlaces, disk: Disk): Promise<readonly Place[]> {
  const { join } = flavourOf(places.configDir);
  const user = join(places.configDir, 'settings.json');
  const found: Place[] = [];
  for (const folder of policyFolders(places.platform)) {
    const dropIns = (await disk.list(join(folder, 'managed-settings.d')).catch(() => undefined)) ?? [];
    const names = dropIns.map(({ name }) => name).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
    // A later drop-in overrides an earlier one, and each overrides the file itself.
    for (const name of names.sort().reverse()) {
      found.push({ scope: 'policy', path: join(folder, 'managed-settings.d', name), mistrust: undefined });
    }
    found.push({ scope: 'policy', path: join(folder, 'managed-settings.json'), mistrust: undefined });
  }
  for (const [scope, name] of [
    ['local', 'settings.local.json'],
    ['project', 'settings.json'],
  ] as const) {
    for (const { folder, mistrust } of places.projects) {
      const path = join(folder, '.claude', name);
      // Where the home folder is a repository, the person's own settings look like the project's.
      if (isSamePath(path, user) || found.some((each) => isSamePath(each.path, path))) continue;
      found.push({ scope, path, mistrust });
    }
  }
  found.push({ scope: 'user', path: user, mistrust: undefined });
  return found;
}

/**
 * Where an organisation puts what nobody may override. Property lists, the registry and settings fetched from a server are
 * not looked at.
 */
function policyFolders(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'darwin') return ['/Library/Application Support/ClaudeCode'];
  if (platform === 'win32') return ['C:\\Program Files\\ClaudeCode', 'C:\\ProgramData\\ClaudeCode'];
  return ['/etc/claude-code'];
}

async function readSettingsFile(place: Place, homeDir: string, disk: Disk): Promise<SettingsFile | undefined> {
  const file = { ...place, label: shortened(place.path, homeDir) };
  const silent = { enabled: undefined, directory: undefined, env: {} };
  const unreadable = { ...file, ...silent, doubt: `${file.label}, which can't be read`, problem: "it can't be read" };
  try {
    const stat = await disk.stat(place.path);
    if (!stat) return undefined;
    if (stat.kind !== 'file' || stat.size > largestFile) return unreadable;
    const bytes = await disk.read(place.path);
    return bytes && { ...file, ...(await parseSettings(bytes.toString('utf8'), file.label)) };
  } catch {
    return unreadable;
  }
}

/** What reads comments and trailing commas is loaded where there are some. */
async function parseJson(text: string, errors: ParseError[]): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const { parse } = await import('jsonc-parser');
    return parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  }
}

type Parsed = Pick<SettingsFile, 'enabled' | 'directory' | 'env' | 'doubt' | 'problem'>;

async function parseSettings(text: string, label: string): Promise<Parsed> {
  const errors: ParseError[] = [];
  const value = await parseJson(text.replace(/^\uFEFF/, ''), errors);
  // What a broken file still shows is used for nothing but finding out what it wanted switched off.
  const isBroken = errors.length > 0 || (value !== undefined && !isRecord(value));
  const record = isRecord(value) ? value : {};
  const entries = Object.entries(isRecord(record.env) ? record.env : {});
  // Numbers and booleans are not what the format asks for, but what they mean is plain.
  const env = Object.fromEntries(
    entries.filter(([, each]) => typeof each !== 'object').map(([key, each]) => [key, `${each}`]),
  );
  const stated = record.autoMemoryEnabled;
  if (!isBroken) {
    const isOdd = stated !== undefined && typeof stated !== 'boolean';
    return {
      enabled: stated === undefined ? undefined : stated === true,
      directory: record.autoMemoryDirectory,
      env,
      doubt: undefined,
      problem: isOdd ? 'autoMemoryEnabled is neither true nor false, which counts as false' : undefined,
    };
  }
  const unclear =
    (text.includes('autoMemoryEnabled') && stated !== true ? 'autoMemoryEnabled' : undefined) ??
    offVariables.find((name) => text.includes(`"${name}"`) && !saysNo(env[name]));
  return {
    enabled: undefined,
    directory: undefined,
    env: {},
    doubt: unclear && `${unclear} in ${label}, which can't be parsed`,
    problem: "it can't be parsed",
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `~/…` for what lies in the home folder. */
export function shortened(path: string, homeDir: string): string {
  const flavour = flavourOf(path);
  if (!isInside(homeDir, path) || isSamePath(homeDir, path)) return path;
  return `~/${flavour.relative(homeDir, path).split(flavour.sep).join('/')}`;
}

/**
 * Decides in Claude Code's own order: safe mode, `CLAUDE_CODE_DISABLE_AUTO_MEMORY` (whose *no* forces memory on, whatever
 * stands below), simple mode, a remote session without a place for memories, then `autoMemoryEnabled`. Two things are ours: a
 * doubtful settings file is off, and so is `CLAUDE_CODE_DISABLE_CLAUDE_MDS`, as what Claude Code would not load is not to
 * be learned either. Flags of a command line, the toggle of a session and what the server decides can't be seen from here.
 */
export function decideSwitches(settings: Settings): Switches {
  const off = (disabledBy: string): Switches => ({ enabled: false, disabledBy });
  const yes = (name: (typeof offVariables)[number]) => {
    const found = settings.variable(name);
    return found && saysYes(found.value) ? off(found.from) : undefined;
  };

  const safeMode = yes('CLAUDE_CODE_SAFE_MODE');
  if (safeMode) return safeMode;
  const disabled = settings.variable('CLAUDE_CODE_DISABLE_AUTO_MEMORY');
  if (saysYes(disabled?.value)) return off(disabled?.from ?? '');
  if (saysNo(disabled?.value)) return { enabled: true };
  const doubtful = settings.files.find(({ doubt }) => doubt !== undefined);
  if (doubtful?.doubt) return off(doubtful.doubt);
  const unloaded = yes('CLAUDE_CODE_DISABLE_CLAUDE_MDS') ?? yes('CLAUDE_CODE_SIMPLE');
  if (unloaded) return unloaded;
  const remote = settings.variable('CLAUDE_CODE_REMOTE');
  const hasPlace =
    settings.variable('CLAUDE_CODE_REMOTE_MEMORY_DIR') ?? settings.variable('CLAUDE_COWORK_MEMORY_PATH_OVERRIDE');
  if (remote && !saysNo(remote.value) && !hasPlace) return off(remote.from);
  const deciding = settings.files.find(
    ({ enabled, mistrust }) => enabled !== undefined && (mistrust === undefined || !enabled),
  );
  return deciding?.enabled === false ? off(`autoMemoryEnabled in ${deciding.label}`) : { enabled: true };
}
