// A project of a test: its own folder and config folder below a temporary one, and the engine over it with a set clock.
// Chat sessions are written as Claude Code writes them.

import { mkdir, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { defaultSettings, type EngineSettings } from '../../src/core/engineSettings';
import type { ExtractionOutcome } from '../../src/core/extraction/outcome';
import { openProject } from '../../src/core/openProject';
import { slug } from '../../src/core/pathRules';
import type { Project, ProjectOptions } from '../../src/core/project';
import { resumeTranscript, type Transcript, transcript, uuidOf } from './transcripts';

export interface TempProject {
  readonly base: string;
  readonly directory: string;
  readonly configDir: string;
  readonly transcriptDir: string;
  readonly memoryDir: string;
  /** Opens the engine; the last one opened is disposed at the end. */
  open(options?: Partial<ProjectOptions>): Promise<Project>;
  /** Writes a chat session, or goes on with the one of that name. Returns its file. */
  chat(name: string, say: (talk: Transcript) => Transcript): Promise<string>;
  put(path: string, text: string): Promise<void>;
  memory(path: string): Promise<string | undefined>;
  /** Every file of the memory folder with its text. */
  memories(): Promise<Record<string, string>>;
  remove(): Promise<void>;
}

export const settingsWith = (extraction: Partial<EngineSettings['extraction']>): EngineSettings => ({
  ...defaultSettings,
  extraction: { ...defaultSettings.extraction, ...extraction },
});

/** Team memory switched on, in the folder given or beside the person's own memories. */
export const teamSettings = (directory?: string): EngineSettings => ({
  ...defaultSettings,
  team: { enabled: true, directory },
});

export async function createTempProject(): Promise<TempProject> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'reverie-')));
  const directory = join(base, 'project');
  const configDir = join(base, 'config');
  const transcriptDir = join(configDir, 'projects', slug(directory));
  const memoryDir = join(transcriptDir, 'memory');
  await mkdir(directory);
  await mkdir(transcriptDir, { recursive: true });
  const opened: Project[] = [];

  return {
    base,
    directory,
    configDir,
    transcriptDir,
    memoryDir,
    async open(options = {}) {
      const project = await openProject({
        directory,
        configDir,
        homeDir: base,
        env: {},
        trusted: true,
        settings: defaultSettings,
        ...options,
      });
      opened.push(project);
      return project;
    },
    async chat(name, say) {
      const id = uuidOf(name);
      const file = join(transcriptDir, `${id}.jsonl`);
      const before = await readFile(file, 'utf8').catch(() => '');
      const talk = before ? resumeTranscript(before) : transcript(id, directory);
      await writeFile(file, before + say(talk).text());
      return file;
    },
    async put(path, text) {
      const file = join(memoryDir, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      await utimes(file, 1_750_000_000, 1_750_000_000);
    },
    memory: (path) => readFile(join(memoryDir, path), 'utf8').catch(() => undefined),
    async memories() {
      const found: Record<string, string> = {};
      for (const entry of await readdir(memoryDir, { recursive: true, withFileTypes: true }).catch(() => [])) {
        if (!entry.isFile()) continue;
        const file = join(entry.parentPath, entry.name);
        found[relative(memoryDir, file)] = await readFile(file, 'utf8');
      }
      return found;
    },
    async remove() {
      for (const project of opened) {
        await project.drain(2000);
        project.dispose();
      }
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** One whole turn: a prompt, an answer, its end. */
export const turn =
  (text: string) =>
  (talk: Transcript): Transcript =>
    talk.human(text).assistant('Done.').turnEnd();

/** Extracts every session that is behind its cursor, as the command line does. */
export async function extractAll(project: Project): Promise<ExtractionOutcome[]> {
  const outcomes: ExtractionOutcome[] = [];
  for (const session of await project.behind()) outcomes.push(await project.extract(session, 'command'));
  return outcomes;
}

/** Opens the engine before any chat, so that cursors start at the beginning of those that follow. */
export async function openBeforeChats(temp: TempProject, options: Partial<ProjectOptions> = {}): Promise<Project> {
  const project = await temp.open(options);
  await project.behind();
  return project;
}
