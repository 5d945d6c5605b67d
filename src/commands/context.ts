// What commands work with, and how they find out what they were started on: a row, the selection, a link in a hover, the
// file in the editor. Arguments come from anywhere, so each is looked at before it is believed.

import { type LogOutputChannel, type QuickPickItem, window } from 'vscode';
import type { Pointer } from '../core/hooks/launcher';
import type { Dreams } from '../dreams';
import type { EditorModels } from '../editorModels';
import type { Keys } from '../keys';
import type { Live } from '../live';
import type { Notices } from '../notices';
import type { OpenProject, Projects } from '../projects';
import type { Recalls } from '../recalls';
import type { Teams } from '../teams';
import type { MemorySnapshot, MemoryTarget } from '../views/memoryRows';
import type { MemoryTree } from '../views/memoryTree';
import type { Failure, SessionSnapshot, SessionTarget } from '../views/sessionRows';
import type { SessionTree } from '../views/sessionTree';
import type { StatusBar } from '../views/statusBar';
import type { SuggestionDocuments } from '../views/suggestionDocuments';
import type { Words } from '../views/words';

/** What the last run in this window came to, for the status bar's click. */
export interface LastRun {
  readonly project: string;
  readonly writtenPaths: readonly string[];
  readonly suggested: number;
  readonly failure: ({ readonly file: string } & Failure) | undefined;
}

export interface CommandContext {
  readonly projects: Projects;
  readonly dreams: Dreams;
  readonly recalls: Recalls;
  readonly teams: Teams;
  readonly memories: Live<MemorySnapshot>;
  readonly sessions: Live<SessionSnapshot>;
  readonly memoryTree: MemoryTree;
  readonly sessionTree: SessionTree;
  readonly suggestionDocuments: SuggestionDocuments;
  readonly statusBar: StatusBar;
  readonly notices: Notices;
  readonly words: Words;
  readonly log: LogOutputChannel;
  readonly keys: Keys;
  /** The editor's own chat models. */
  readonly chatModels: EditorModels;
  /** Reads again what a model could not be had for. */
  readonly readAgain: () => Promise<void>;
  /** To be called when another engine may work from now on. */
  readonly engineChanged: () => Promise<void>;
  readonly lastRun: () => LastRun | undefined;
  /** What runs a hook of Claude Code: this extension's bundle, in this editor's executable. */
  readonly hookPointer: Pointer;
  /** While this runs, only the command itself tells what comes of it. */
  inSilence<T>(work: () => Promise<T>): Promise<T>;
}

export type Handler = (...args: readonly unknown[]) => unknown;
export type Handlers = Readonly<Record<string, Handler>>;

type Of<T extends { readonly kind: string }, K extends T['kind']> = Extract<T, { readonly kind: K }>;

/** The rows that a command was started on: those given, else the selection. */
export function memoryTargets(context: CommandContext, args: readonly unknown[]): readonly MemoryTarget[] {
  const given = targetsOf(args);
  return given.length > 0 ? (given as MemoryTarget[]) : context.memoryTree.tree.selection();
}

export function memoriesOf(context: CommandContext, args: readonly unknown[]): readonly Of<MemoryTarget, 'memory'>[] {
  return memoryTargets(context, args).filter(
    (target): target is Of<MemoryTarget, 'memory'> =>
      target.kind === 'memory' && typeof target.path === 'string' && typeof target.project === 'string',
  );
}

/** Those of rows, and of a suggestion's editor, which hands over its address. */
export function suggestionsOf(
  context: CommandContext,
  args: readonly unknown[],
): readonly { readonly project: string; readonly id: string }[] {
  const [address] = args;
  if (isUri(address)) {
    const place = context.suggestionDocuments.parse(address);
    if (place) return [place];
  }
  const rows = memoryTargets(context, args).filter(({ kind }) => kind === 'suggestion') as Of<
    MemoryTarget,
    'suggestion'
  >[];
  if (rows.length > 0) return rows;
  const active = window.activeTextEditor && context.suggestionDocuments.parse(window.activeTextEditor.document.uri);
  return active ? [active] : [];
}

export function sessionTargetOf(
  context: CommandContext,
  args: readonly unknown[],
): Of<SessionTarget, 'session'> | undefined {
  const given = targetsOf(args);
  const targets = given.length > 0 ? (given as SessionTarget[]) : context.sessionTree.tree.selection();
  return targets.find(
    (target): target is Of<SessionTarget, 'session'> => target.kind === 'session' && typeof target.file === 'string',
  );
}

/** The entry behind a target, as it is now. */
export async function findSession(
  context: CommandContext,
  target: { readonly project: string; readonly file: string },
) {
  const open = context.projects.find(target.project);
  const entries = await open?.project.sessions();
  const entry = entries?.find(({ session }) => session.file === target.file);
  return open && entry ? { open, entry } : undefined;
}

/** The project that a command without a row is about. `undefined` when a person did not choose. */
export async function pickProject(context: CommandContext): Promise<OpenProject | undefined> {
  const open = await context.projects.open();
  if (open.length < 2) return open[0];
  const active = window.activeTextEditor?.document.uri;
  const ofActive = active?.scheme === 'file' ? context.projects.ofFile(active.fsPath) : undefined;
  if (ofActive) return ofActive;
  const items = open.map((one): QuickPickItem & { one: OpenProject } => ({
    label: asLabel(one.name),
    description: one.project.paths.root,
    one,
  }));
  return (await window.showQuickPick(items, { placeHolder: context.words.t('Which folder?') }))?.one;
}

/** A stranger's text as a label of a quick pick, where `$(name)` would be drawn as an icon. */
export const asLabel = (text: string): string => text.replace(/\$\(/g, '\\$(');

/** What menus hand over: the target of each row or comment. */
export function targetsOf([first, many]: readonly unknown[]): readonly { readonly kind: string }[] {
  const given = Array.isArray(many) && many.length > 0 ? many : first === undefined ? [] : [first];
  return given
    .map((each) => (isRecord(each) && isRecord(each.target) ? each.target : each))
    .filter(
      (each): each is { kind: string; project: string } =>
        isRecord(each) && typeof each.kind === 'string' && typeof each.project === 'string',
    );
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isUri = (value: unknown): value is import('vscode').Uri =>
  isRecord(value) && typeof value.scheme === 'string' && typeof value.path === 'string' && 'query' in value;
