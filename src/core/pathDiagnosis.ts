// What may be wrong with where a project's memories lie, for a person who asks: another project under the same folder
// name, memories of this repository in a second place, a folder that may be this project's from before it was moved.
// Costs a look into many transcripts' heads. It suggests and never decides: nothing is moved, read on or joined by it.

import type { Disk } from './disk';
import { flavourOf, isInside, isSamePath, slugPrefix, slugVariants } from './pathRules';
import type { PathWarning, ProjectPaths } from './paths';
import { belongsTo, inBatches, listTranscripts, nearestReal, readWorkingDirectories } from './transcriptFolders';

const headsOfOwnFolder = 50;
const headsOfOtherFolder = 3;
const absent = () => undefined;

/**
 * Looks for what is too costly to look for at every start. Never throws; the most serious first. Opens transcripts of other
 * projects too (their heads, to compare paths): only when a person asks, and not while memory is switched off.
 */
export async function diagnosePaths(paths: ProjectPaths, disk: Disk): Promise<readonly PathWarning[]> {
  const projectsDir = flavourOf(paths.configDir).join(paths.configDir, 'projects');
  const entries = (await disk.list(projectsDir).catch(absent)) ?? [];
  const names = entries.filter(({ kind }) => kind === 'folder' || kind === 'link').map(({ name }) => name);
  const place = { paths, projectsDir, names: names.sort(), disk };
  const found = [
    ...(await findCollisions(place)),
    ...(await findSecondStores(place)),
    ...(await findOlderPaths(place)),
  ];
  return found;
}

interface Place {
  readonly paths: ProjectPaths;
  readonly projectsDir: string;
  /** Folders under `projects/`. */
  readonly names: readonly string[];
  readonly disk: Disk;
}

/** Projects whose folder name is one of ours: they share transcripts with us and, by default, memories. */
async function findCollisions({ paths, projectsDir, names, disk }: Place): Promise<readonly PathWarning[]> {
  const { join, dirname } = flavourOf(paths.root);
  const own = new Set(paths.checkouts.map((path) => slugVariants(path)[0] ?? ''));
  const prefixes = [...own].map(slugPrefix);
  const near = names.filter((name) => own.has(name) || prefixes.some((prefix) => name.startsWith(prefix)));
  const workingDirectories = await inBatches(near, (name) =>
    readWorkingDirectories(join(projectsDir, name), disk, own.has(name) ? headsOfOwnFolder : headsOfOtherFolder),
  );
  const others = new Set<string>();
  for (const cwd of new Set(workingDirectories.flat())) {
    if (flavourOf(cwd) !== flavourOf(paths.root)) continue;
    // A session may have run in a subfolder of the other project: its parents are looked at too.
    for (let here = cwd; ; here = dirname(here)) {
      const hasOurName = slugVariants(here).some((name) => own.has(name));
      if (hasOurName && !(await isOurs(here, paths, disk))) others.add(here);
      if (dirname(here) === here) break;
    }
  }
  return [...others].sort().map((path) => ({
    kind: 'collision',
    path,
    message:
      `“${shown(path)}” has the same folder name as this project: ` +
      `${paths.memoryDirSource === 'default' ? 'both share one memory folder and its chat sessions' : 'their chat sessions lie in one folder'}.`,
  }));
}

async function isOurs(path: string, paths: ProjectPaths, disk: Disk): Promise<boolean> {
  const { real } = await nearestReal(path, disk);
  return [...paths.checkouts, paths.openedAs].some((own) => isSamePath(own, real) || isSamePath(own, path));
}

/** Other folders that hold, or by another rule would hold, memories of this very repository. */
async function findSecondStores({ paths, projectsDir, names, disk }: Place): Promise<readonly PathWarning[]> {
  const { join, basename } = flavourOf(paths.configDir);
  const used = (await nearestReal(paths.memoryDir, disk)).real;
  const asOpened = slugVariants(paths.openedAs).filter((_name) => !isSamePath(paths.openedAs, paths.directory));
  const own = [
    paths.slug,
    ...paths.checkouts.flatMap(slugVariants),
    ...paths.transcriptDirs.map((each) => basename(each)),
  ];
  const warnings: PathWarning[] = [];
  for (const name of new Set([...asOpened, ...own])) {
    if (!names.includes(name)) continue;
    const store = join(projectsDir, name, 'memory');
    const isAsOpened = asOpened.includes(name);
    // As text: whether two cases of a name are one folder is the file system's to say, and these are its words.
    if ((await nearestReal(store, disk)).real === used) continue;
    const isFilled = await hasMemories(store, disk);
    if (isAsOpened) {
      const what = isFilled ? 'memories' : 'chat sessions';
      const message = `This project was opened through a link; “${shown(join(projectsDir, name))}” holds ${what} under the link's own path.`;
      warnings.push({ kind: 'symlink', path: join(projectsDir, name), message });
    } else if (isFilled) {
      const message = `“${shown(store)}” holds memories of this repository too; “${shown(paths.memoryDir)}” is used.`;
      warnings.push({ kind: 'other_store', path: store, message });
    }
  }
  return warnings;
}

async function hasMemories(folder: string, disk: Disk): Promise<boolean> {
  const entries = (await disk.list(folder).catch(absent)) ?? [];
  return entries.some(({ name, kind }) => kind === 'file' && /\.md$/i.test(name) && !name.startsWith('.'));
}

/**
 * Folders with memories whose project is no longer where its sessions ran, and which looks like this one: most of the files
 * they worked on lie in this repository, or, if they tell of none, the folder has our name.
 */
async function findOlderPaths({ paths, projectsDir, names, disk }: Place): Promise<readonly PathWarning[]> {
  const { join, basename } = flavourOf(paths.root);
  const own = new Set([...paths.checkouts, paths.openedAs].flatMap(slugVariants));
  for (const folder of paths.transcriptDirs) own.add(basename(folder));
  const strangers = names.filter((name) => !own.has(name));
  const found = await inBatches(strangers, async (name): Promise<PathWarning | undefined> => {
    const folder = join(projectsDir, name);
    if (!(await hasMemories(join(folder, 'memory'), disk))) return undefined;
    const workingDirectories = await readWorkingDirectories(folder, disk, headsOfOtherFolder);
    const before = workingDirectories.find((cwd) => slugVariants(cwd).includes(name));
    if (before === undefined || flavourOf(before) !== flavourOf(paths.root)) return undefined;
    // A path that can't be looked at is not known to be gone.
    const isThere = await disk.stat(before).then(
      (stat) => stat !== undefined,
      () => true,
    );
    if (isThere || (await belongsTo(before, paths, disk)) || !(await isLikelyOurs(before, folder, paths, disk)))
      return undefined;
    const message =
      `“${shown(join(folder, 'memory'))}” holds memories of “${shown(before)}”, which is no longer there. ` +
      'It may be this project before it was renamed or moved.';
    return { kind: 'renamed', path: join(folder, 'memory'), message };
  });
  return found.filter((warning) => warning !== undefined);
}

const evidenceBytes = 512 * 1024;
const mostFiles = 40;
/** Fewer files than this say nothing either way. */
const leastFiles = 3;

async function isLikelyOurs(before: string, folder: string, paths: ProjectPaths, disk: Disk): Promise<boolean> {
  const { join, relative, basename } = flavourOf(paths.root);
  const worked = new Set<string>();
  for (const name of (await listTranscripts(folder, disk)).slice(0, headsOfOtherFolder)) {
    const head = await disk.readRange(join(folder, name), 0, evidenceBytes).catch(absent);
    for (const path of mentionedFiles(head?.bytes.toString('utf8') ?? '')) {
      if (worked.size < mostFiles && isInside(before, path) && !isSamePath(before, path))
        worked.add(relative(before, path));
    }
  }
  if (worked.size < leastFiles) return basename(before) === basename(paths.root);
  let there = 0;
  for (const path of worked) if (await disk.stat(join(paths.top, path)).catch(absent)) there += 1;
  return there * 2 >= worked.size;
}

/** Absolute paths that tool calls in this text name. Only compared, never opened. */
function* mentionedFiles(text: string): Generator<string> {
  for (const [, quoted] of text.matchAll(/"(?:file_path|filePath|notebook_path)":("(?:[^"\\\n]|\\.){1,1000}")/g)) {
    try {
      const path: unknown = JSON.parse(quoted ?? '');
      if (typeof path === 'string' && !path.includes('\0') && flavourOf(path).isAbsolute(path)) yield path;
    } catch {
      // Not a text after all.
    }
  }
}

/** A stranger's path inside a sentence: one line, bounded. */
function shown(path: string): string {
  const plain = path.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\u{FFFD}');
  return plain.length <= 300 ? plain : `${plain.slice(0, 299)}…`;
}
