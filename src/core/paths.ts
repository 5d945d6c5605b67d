// Where everything of one project lies: repository, memories, transcripts, team folder, our own state. Found as Claude Code
// finds it, so that both mean the same folder. Looks only: nothing is created, written or sent, no credential is read, and
// while memory is switched off no transcript is opened.

import type { Disk } from './disk';
import { openFolder, shortHash } from './files';
import { findCheckout, listWorktrees } from './gitRoot';
import { absolute, checkMemoryDirectory, flavourOf, isInside, isSamePath, slug, slugVariants } from './pathRules';
import { decideSwitches, readSettings, type Settings, type Switches } from './switches';
import { findTranscriptDirs, nearestReal, type Repository } from './transcriptFolders';

export type { Switches } from './switches';

export interface PathWarning {
  readonly kind:
    | 'collision' // another project has the same folder name
    | 'symlink' // the path before following links has a folder of its own
    | 'renamed' // a folder that may be this project's under an older path
    | 'other_store' // this repository has memories in a second place
    | 'settings_ignored' // an untrusted folder's settings
    | 'settings_broken'
    | 'directory_refused' // a folder named for memories can't be used
    | 'team_refused';
  /** A sentence for a person. */
  readonly message: string;
  /** The folder, file or project in question. */
  readonly path?: string;
}

export interface ProjectPaths extends Repository {
  /** Real path of the folder that was opened. */
  readonly directory: string;
  /** The same before links were followed. */
  readonly openedAs: string;
  /** Real path of the canonical git root (the main checkout, for a linked worktree), else `directory`. */
  readonly root: string;
  /** The open checkout's folder: differs from `root` in a linked worktree. What belongs into commits goes here. */
  readonly top: string;
  /** The project's folder name under `projects/`, made from `root` unless the environment names it. */
  readonly slug: string;
  readonly configDir: string;
  /** Absolute; need not exist. May be, or lie behind, a link. */
  readonly memoryDir: string;
  readonly memoryDirSource: 'default' | 'autoMemoryDirectory' | 'environment';
  /** What named it, e.g. `autoMemoryDirectory in ~/.claude/settings.json`; `undefined` for the default. */
  readonly memoryDirNamedBy: string | undefined;
  /**
   * Folders with transcripts of this repository, absolute; the first ones (root, opened folder, linked worktrees) need not
   * exist yet. Where names collide such a folder holds another project's sessions too: ask `belongsTo` with their `cwd`.
   */
  readonly transcriptDirs: readonly string[];
  /** Real path inside `top`, need not exist; `undefined` means `team/` in the memory folder. */
  readonly teamDir: string | undefined;
  /**
   * `<config>/reverie/<name>-<hash>`, both made from the real path of the memory folder alone: two projects that share one
   * store share its state.
   */
  readonly stateDir: string;
  /** What was noticed on the way. `diagnosePaths` looks for more. */
  readonly warnings: readonly PathWarning[];
}

export interface ResolveOptions {
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly platform?: NodeJS.Platform | undefined;
  /** Overrides the environment's. May start with `~/`. */
  readonly configDir?: string | undefined;
  /** Whether a project's own settings files may move the memory folder or switch memory on. Off they can always switch it. */
  readonly trusted: boolean;
  /**
   * The team folder a person chose: relative to the open checkout, or absolute in it. Whose word that is, is the caller's to
   * know: pass none that only an untrusted project names.
   */
  readonly teamDirectory?: string | undefined;
  readonly disk: Disk;
}

const absent = () => undefined;

/** Finds a project's places and whether memory is on. Never throws for what it finds on disk; what is odd becomes a warning. */
export async function resolveProject(options: ResolveOptions): Promise<{ paths: ProjectPaths; switches: Switches }> {
  const { env, homeDir, disk, platform = process.platform } = options;
  const flavour = platform === 'win32' ? flavourOf('C:\\') : flavourOf('/');
  const warnings: PathWarning[] = [];

  const openedAs = absolute(options.directory, flavour.resolve('.'), homeDir);
  const directory = (await disk.realpath(openedAs).catch(absent)) ?? openedAs;
  const checkout = await findCheckout(directory, disk);
  const root = checkout?.root ?? directory;
  const top = checkout?.top ?? directory;
  const worktrees = checkout ? await listWorktrees(checkout, disk) : [];
  const checkouts = distinct([root, directory, top, ...worktrees]);
  const configDir = absolute(
    options.configDir || env.CLAUDE_CONFIG_DIR || flavour.join(homeDir, '.claude'),
    directory,
    homeDir,
  );

  const isOpen = (folder: string) => isSamePath(folder, directory) || isSamePath(folder, top);
  const projects = distinct([directory, top, root]).map((folder) => {
    const mistrust = !options.trusted ? ('untrusted' as const) : isOpen(folder) ? undefined : ('elsewhere' as const);
    return { folder, mistrust };
  });
  const settings = await readSettings({ configDir, homeDir, platform, env, projects }, disk);
  warnings.push(...settingsWarnings(settings));
  const switches = decideSwitches(settings);

  const named = projectDirName(env);
  const memory = await findMemoryDir(
    { settings, homeDir, platform, configDir, names: named ? [named] : slugVariants(root.normalize('NFC')) },
    disk,
    warnings,
  );

  const projectsDir = flavour.join(configDir, 'projects');
  const repository = { root, checkouts, isGit: checkout !== undefined };
  // While memory is off, the names are told without opening anything.
  const found = switches.enabled
    ? await findTranscriptDirs(projectsDir, repository, openedAs, disk)
    : distinct(checkouts.map((path) => flavour.join(projectsDir, slug(path.normalize('NFC')))));
  const transcriptDirs = named ? distinct([flavour.join(projectsDir, named), ...found]) : found;

  const real = (await nearestReal(memory.memoryDir, disk)).real;
  const teamDir = await findTeamDir(options.teamDirectory, { top, memoryDir: memory.memoryDir, real }, disk, warnings);
  const paths: ProjectPaths = {
    ...repository,
    directory,
    openedAs,
    top,
    configDir,
    ...memory,
    transcriptDirs,
    teamDir,
    stateDir: flavour.join(configDir, 'reverie', `${storeName(real)}-${shortHash(real)}`),
    warnings,
  };
  return { paths, switches };
}

/** Each path once, the first spelling stays. */
function distinct(paths: readonly string[]): readonly string[] {
  return paths.filter((path, at) => paths.findIndex((other) => isSamePath(other, path)) === at);
}

/** The folder name that the launch environment gives all projects. A settings file can't. */
function projectDirName(env: NodeJS.ProcessEnv): string | undefined {
  const name = env.CLAUDE_CODE_PROJECT_DIR_NAME;
  if (!name || !env.CLAUDE_CONFIG_DIR || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) return undefined;
  return /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i.test(name) ? undefined : name;
}

interface MemoryPlaces {
  readonly settings: Settings;
  readonly homeDir: string;
  readonly platform: NodeJS.Platform;
  readonly configDir: string;
  /** Names the project's folder may have, the best first. */
  readonly names: readonly string[];
}

/**
 * The environment's override, then the strongest settings file that names a folder, then the default. A refused override
 * falls through; a refused setting means the default, not the next file's: what a person set has been said, only badly.
 */
async function findMemoryDir(places: MemoryPlaces, disk: Disk, warnings: PathWarning[]) {
  const { settings, homeDir, platform, configDir, names } = places;
  const { join } = flavourOf(configDir);
  const accept = (value: unknown, from: string): string | undefined => {
    const checked =
      typeof value === 'string' ? checkMemoryDirectory(value, homeDir, platform) : { refused: 'it is not a text' };
    if ('path' in checked) return checked.path;
    warnings.push({ kind: 'directory_refused', message: `${from} can't be used: ${checked.refused}.` });
    return undefined;
  };

  const fallback = names[0] ?? '';
  const override = settings.variable('CLAUDE_COWORK_MEMORY_PATH_OVERRIDE');
  const overridden = override && accept(override.value, override.from);
  if (overridden) {
    return {
      slug: fallback,
      memoryDir: overridden,
      memoryDirSource: 'environment' as const,
      memoryDirNamedBy: override.from,
    };
  }
  const file = settings.files.find(({ directory, mistrust }) => directory !== undefined && mistrust === undefined);
  const from = file && `autoMemoryDirectory in ${file.label}`;
  const set = from && accept(file.directory, from);
  if (set)
    return { slug: fallback, memoryDir: set, memoryDirSource: 'autoMemoryDirectory' as const, memoryDirNamedBy: from };

  const remote = settings.variable('CLAUDE_CODE_REMOTE_MEMORY_DIR');
  const remoteBase = remote && accept(remote.value, remote.from);
  const base = join(remoteBase ?? configDir, 'projects');
  const slug = (await existingStore(base, names, disk)) ?? fallback;
  return {
    slug,
    memoryDir: join(base, slug, 'memory'),
    memoryDirSource: remoteBase ? ('environment' as const) : ('default' as const),
    memoryDirNamedBy: remoteBase ? remote.from : undefined,
  };
}

/** The first name that has a memory folder already; only looked for where there is more than one name. */
async function existingStore(base: string, names: readonly string[], disk: Disk): Promise<string | undefined> {
  if (names.length < 2) return undefined;
  for (const name of names) {
    const stat = await disk.stat(flavourOf(base).join(base, name, 'memory')).catch(absent);
    if (stat?.kind === 'folder') return name;
  }
  return undefined;
}

/** The readable part of a state folder's name. */
function storeName(memoryDir: string): string {
  const { basename, dirname } = flavourOf(memoryDir);
  const project = dirname(memoryDir);
  const isDefault = basename(memoryDir) === 'memory' && basename(dirname(project)) === 'projects';
  return isDefault ? basename(project) : slug(memoryDir);
}

const placeVariables = ['CLAUDE_COWORK_MEMORY_PATH_OVERRIDE', 'CLAUDE_CODE_REMOTE_MEMORY_DIR'];

function settingsWarnings(settings: Settings): readonly PathWarning[] {
  return settings.files.flatMap(({ label, path, problem, mistrust, directory, env }): PathWarning[] => {
    if (problem) return [{ kind: 'settings_broken', path, message: `${label} is not used as it stands: ${problem}.` }];
    if (mistrust !== 'untrusted') return [];
    const ignored = [
      ...(directory === undefined ? [] : ['autoMemoryDirectory']),
      ...placeVariables.filter((name) => env[name] !== undefined).map((name) => `env.${name}`),
    ];
    if (ignored.length === 0) return [];
    return [
      {
        kind: 'settings_ignored',
        path,
        message: `${ignored.join(', ')} in ${label} is not used: this folder is not trusted.`,
      },
    ];
  });
}

/** The team folder that `wanted` names in an open checkout, as `ProjectPaths.teamDir`; why not is pushed to `warnings`. */
export async function locateTeamDir(
  wanted: string | undefined,
  { top, memoryDir }: Pick<ProjectPaths, 'top' | 'memoryDir'>,
  disk: Disk,
  warnings: PathWarning[] = [],
): Promise<string | undefined> {
  return findTeamDir(wanted, { top, memoryDir, real: (await nearestReal(memoryDir, disk)).real }, disk, warnings);
}

interface TeamSurroundings {
  readonly top: string;
  readonly memoryDir: string;
  /** Real path of the memory folder. */
  readonly real: string;
}

/** Confined to the open checkout, links included; and never a folder in which private memories would be committed. */
async function findTeamDir(
  wanted: string | undefined,
  { top, memoryDir, real }: TeamSurroundings,
  disk: Disk,
  warnings: PathWarning[],
): Promise<string | undefined> {
  if (!wanted) return undefined;
  const { resolve, relative, sep, join } = flavourOf(top);
  const refuse = (why: string) => {
    warnings.push({ kind: 'team_refused', message: `The team folder can't be used: ${why}.`, path: wanted });
    return undefined;
  };
  const path = wanted.includes('\0') ? '' : resolve(top, wanted);
  if (isSamePath(path, join(memoryDir, 'team'))) return undefined;
  if (!isInside(top, path)) return refuse('it does not lie in the repository');
  if (isSamePath(top, path)) return refuse('it is the whole repository');
  const within = relative(top, path).split(sep);
  if (within.some((segment) => /^(\.git|git~\d+)[. ]*$/i.test(segment))) return refuse("it is git's own");
  const found = await openFolder(top, disk).locate(within.join('/')).catch(absent);
  if (found === undefined) return refuse('its path leads out of the repository, or can not be checked');
  const isGitsOwn = relative(top, found)
    .split(sep)
    .some((segment) => /^\.git$/i.test(segment));
  if (isGitsOwn) return refuse("it is git's own");
  if (isInside(found, real) || isInside(real, found)) return refuse('private memories lie in the same place');
  return found;
}
