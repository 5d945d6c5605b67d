// What the one item in the status bar says, as data: the state in, exactly one rendering out. At most 30 characters, no
// colour for what can wait, the warning colour only for a failure.

import type { ProviderState } from '../core/agent/provider';
import type { ProjectSpend } from '../core/project';
import { engineText, spendText } from './engineText';
import { type Link, linksOf, type Piece } from './hovers';
import { type Failure, failureText } from './sessionRows';
import type { Words } from './words';

export type Status =
  | { readonly kind: 'idle' }
  | { readonly kind: 'learning' }
  | { readonly kind: 'saved'; readonly saved: number; readonly suggested: number }
  | ({ readonly kind: 'failed' } & Failure)
  | { readonly kind: 'paused'; readonly until: number | undefined }
  | { readonly kind: 'disabled'; readonly by: string }
  | { readonly kind: 'untrusted' };

export interface EngineFacts {
  readonly provider: ProviderState;
  readonly spend: ProjectSpend;
}

/** Each is `undefined` while nobody has counted or asked. */
export interface StatusFacts {
  readonly memories: number | undefined;
  readonly suggestions: number;
  readonly engine: EngineFacts | undefined;
}

export interface StatusRendering {
  readonly text: string;
  readonly spoken: string;
  readonly hover: readonly Piece[];
  readonly command: string;
  readonly isWarning: boolean;
}

/** Commands that the hover may link to. */
export const statusCommands = [
  'reverie.showMemories',
  'reverie.pause',
  'reverie.resume',
  'reverie.showWhy',
  'reverie.chooseModel',
] as const;

export function renderStatus(status: Status, facts: StatusFacts, words: Words): StatusRendering {
  const { t } = words;
  const { text, state, command, links } = partsOf(status, words);
  const count =
    facts.memories === undefined
      ? undefined
      : facts.memories === 1
        ? t('1 memory')
        : t('{0} memories', words.number(facts.memories));
  const waiting =
    facts.suggestions === 0
      ? undefined
      : facts.suggestions === 1
        ? t('1 suggestion waits')
        : t('{0} suggestions wait', words.number(facts.suggestions));
  const head = [count, state].filter((part) => part !== undefined).join(' · ');
  const hover: Piece[] = [{ markdown: `**${t('Memory')}** · ` }, { text: head }];
  if (waiting !== undefined) hover.push({ markdown: '\n\n$(lightbulb) ' }, { text: waiting });
  if (facts.engine) hover.push(...enginePieces(facts.engine, words));
  hover.push({ markdown: '\n\n---\n\n' }, linksOf(links));
  return {
    text,
    spoken: t('Memory: {0}', [state, count, waiting].filter((part) => part !== undefined).join(', ')),
    hover,
    command,
    isWarning: status.kind === 'failed',
  };
}

function enginePieces({ provider, spend }: EngineFacts, words: Words): readonly Piece[] {
  const used = spendText(spend, words);
  const choose = { icon: 'sparkle', label: words.t('Choose Model…'), command: 'reverie.chooseModel' };
  return [
    { markdown: '\n\n---\n\n' },
    { text: engineText(provider, words) },
    ...(used === undefined ? [] : [{ markdown: '\n\n' }, { text: used }]),
    { markdown: '\n\n' },
    linksOf([choose]),
  ];
}

interface Parts {
  readonly text: string;
  readonly state: string;
  readonly command: string;
  readonly links: readonly Link[];
}

function partsOf(status: Status, words: Words): Parts {
  const { t } = words;
  const show: Link = { icon: 'library', label: t('Show Memories'), command: 'reverie.showMemories' };
  const pause: Link = { icon: 'debug-pause', label: t('Pause…'), command: 'reverie.pause' };
  const resume: Link = { icon: 'play', label: t('Resume'), command: 'reverie.resume' };
  switch (status.kind) {
    case 'idle':
      return { text: `$(library) ${t('Memory')}`, state: t('idle'), command: show.command, links: [show, pause] };
    case 'learning':
      return {
        text: `$(sync~spin) ${t('Learning…')}`,
        state: t('learning'),
        command: 'reverie.showSessions',
        links: [show, pause],
      };
    case 'saved': {
      const { saved, suggested } = status;
      const text = saved > 0 ? savedText(saved, words) : suggestedText(suggested, words);
      const icon = saved > 0 ? 'check' : 'lightbulb';
      return { text: `$(${icon}) ${text}`, state: text, command: 'reverie.showSaved', links: [show, pause] };
    }
    case 'failed':
      return {
        text: `$(warning) ${t('Learning failed')}`,
        state: t('learning failed: {0}', failureText(status, words)),
        command: 'reverie.showFailure',
        links: [show, pause],
      };
    case 'paused': {
      const text =
        status.until === undefined ? t('Memory paused here') : t('Memory paused until {0}', words.time(status.until));
      const state = status.until === undefined ? t('paused here') : t('paused until {0}', words.time(status.until));
      return { text: `$(debug-pause) ${text}`, state, command: resume.command, links: [resume, show] };
    }
    case 'disabled':
      return {
        text: `$(circle-slash) ${t('Memory off')}`,
        state: t('off'),
        command: 'reverie.showWhy',
        links: [{ icon: 'question', label: t('Show Why'), command: 'reverie.showWhy' }, show],
      };
    case 'untrusted':
      return {
        text: `$(workspace-untrusted) ${t('Memory off')}`,
        state: t('off in this untrusted workspace'),
        command: 'workbench.trust.manage',
        links: [show],
      };
  }
}

export const savedText = (saved: number, { t, number }: Words): string =>
  saved === 1 ? t('Saved 1 memory') : t('Saved {0} memories', number(saved));

export const suggestedText = (suggested: number, { t, number }: Words): string =>
  suggested === 1 ? t('1 suggestion') : t('{0} suggestions', number(suggested));

/** Which switch it was, for the welcome text of the view: those of the editor, the environment, Claude Code's files. */
export const offReason = (by: string): 'setting' | 'environment' | 'claude' =>
  by.startsWith('reverie.enabled') ? 'setting' : by.endsWith('in the environment') ? 'environment' : 'claude';
