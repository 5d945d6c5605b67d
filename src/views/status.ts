// What the one item in the status bar says, as data: the state in, exactly one rendering out. At most 30 characters, no
// colour for what can wait, the warning colour only for a failure.

import type { ProviderState } from '../core/agent/provider';
import type { GateResult } from '../core/dream/gates';
import type { ExtractionOutcome } from '../core/extraction/outcome';
import type { ProjectSpend } from '../core/project';
import { changesToReview, gateLabel, gateText, nextSentence } from './dreamWords';
import { engineText, spendText } from './engineText';
import { type Link, linksOf, type Piece } from './hovers';
import { newFromTeam, suggestionsWait } from './memoryRows';
import { type Failure, failureText } from './sessionRows';
import type { Words } from './words';

export type Status =
  | { readonly kind: 'idle' }
  | { readonly kind: 'learning' }
  | { readonly kind: 'saved'; readonly saved: number; readonly suggested: number; readonly logged?: number }
  /** A pull brought memories of the team. */
  | { readonly kind: 'teamNews'; readonly count: number }
  | ({ readonly kind: 'failed' } & Failure)
  | { readonly kind: 'dreaming'; readonly phase: string; readonly files: number }
  | { readonly kind: 'review'; readonly changes: number }
  | { readonly kind: 'dreamFailed'; readonly reason: string }
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
  /** Of the team, and not looked at yet. */
  readonly fresh?: number;
  readonly engine: EngineFacts | undefined;
  readonly dream: DreamFacts | undefined;
}

/** Of the next dream and the last one. */
export interface DreamFacts {
  readonly gates: readonly GateResult[] | undefined;
  /** A sentence. */
  readonly last: string;
}

export interface StatusRendering {
  readonly text: string;
  readonly spoken: string;
  readonly hover: readonly Piece[];
  readonly command: string;
  readonly isWarning: boolean;
}

/** Beside the icon. */
const mostCharacters = 30;

/** Commands that the hover may link to. */
export const statusCommands = [
  'reverie.showMemories',
  'reverie.pause',
  'reverie.resume',
  'reverie.showWhy',
  'reverie.chooseModel',
  'reverie.runDream',
  'reverie.cancelDream',
  'reverie.reviewChanges',
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
  const waiting = facts.suggestions === 0 ? undefined : suggestionsWait(facts.suggestions, words);
  const fresh = facts.fresh ? newFromTeam(facts.fresh, words) : undefined;
  // What a person has to wait for is said when nothing else is.
  const next = status.kind === 'idle' ? nextSentence(facts.dream?.gates, words) : undefined;
  const head = [count, state].filter((part) => part !== undefined).join(' · ');
  const hover: Piece[] = [{ markdown: `**${t('Memory')}** · ` }, { text: head }];
  if (waiting !== undefined) hover.push({ markdown: '\n\n$(lightbulb) ' }, { text: waiting });
  if (fresh !== undefined) hover.push({ markdown: '\n\n$(organization) ' }, { text: fresh });
  if (facts.dream) hover.push(...dreamPieces(facts.dream, words));
  if (facts.engine) hover.push(...enginePieces(facts.engine, words));
  hover.push({ markdown: '\n\n---\n\n' }, linksOf(links));
  return {
    text,
    spoken: t('Memory: {0}', [state, count, waiting, fresh, next].filter((part) => part !== undefined).join(', ')),
    hover,
    command,
    isWarning: status.kind === 'failed' || status.kind === 'dreamFailed',
  };
}

/** Why the next dream is not running, gate by gate, and what came of the last one. */
function dreamPieces({ gates, last }: DreamFacts, words: Words): readonly Piece[] {
  const { t } = words;
  const next = nextSentence(gates, words);
  const pieces: Piece[] = [];
  if (gates && next !== undefined) {
    pieces.push(
      { markdown: '\n\n' },
      { text: next },
      { markdown: `\n\n| ${t('Gate')} | ${t('Now')} |\n|:---|---:|\n` },
    );
    for (const gate of gates) {
      const icon = gate.open ? 'pass' : 'circle-large-outline';
      const now = gateText(gate, words).replace(/[|\n]/g, ' ');
      pieces.push(
        { markdown: `| $(${icon}) ` },
        { text: gateLabel(gate, words) },
        { markdown: ' | ' },
        { text: now },
        { markdown: ' |\n' },
      );
    }
  }
  return [...pieces, { markdown: '\n\n' }, { text: last }];
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
      return {
        text: `$(library) ${t('Memory')}`,
        state: t('idle'),
        command: show.command,
        links: [{ icon: 'play', label: t('Run Dream'), command: 'reverie.runDream' }, show, pause],
      };
    case 'learning':
      return {
        text: `$(sync~spin) ${t('Learning…')}`,
        state: t('learning'),
        command: 'reverie.showSessions',
        links: [show, pause],
      };
    case 'saved': {
      const { saved, suggested, logged = 0 } = status;
      const text =
        logged > 0 ? loggedText(logged, words) : saved > 0 ? savedText(saved, words) : suggestedText(suggested, words);
      const icon = logged > 0 ? 'note' : saved > 0 ? 'check' : 'lightbulb';
      return { text: `$(${icon}) ${text}`, state: text, command: 'reverie.showSaved', links: [show, pause] };
    }
    case 'teamNews': {
      const text = newFromTeam(status.count, words);
      return { text: `$(organization) ${text}`, state: text, command: 'reverie.showTeamNews', links: [show, pause] };
    }
    case 'dreaming': {
      const files = status.files === 1 ? t('1 file') : t('{0} files', words.number(status.files));
      const state = t('Dreaming {0}', status.phase);
      const whole = status.files > 0 ? `${state} · ${files}` : state;
      // Where it would be too long, the number of the phase says it.
      const text =
        whole.length <= mostCharacters ? whole : `${t('Dreaming {0}', status.phase.split(' ')[0] ?? '')} · ${files}`;
      return {
        text: `$(sync~spin) ${text}`,
        state,
        command: 'reverie.showDream',
        links: [{ icon: 'stop-circle', label: t('Cancel Dream'), command: 'reverie.cancelDream' }, show],
      };
    }
    case 'review': {
      const text = changesToReview(status.changes, words);
      return {
        text: `$(diff) ${text}`,
        state: text,
        command: 'reverie.reviewActions',
        links: [{ icon: 'open-preview', label: t('Review'), command: 'reverie.reviewChanges' }, show, pause],
      };
    }
    case 'dreamFailed':
      return {
        text: `$(warning) ${t('Dream failed')}`,
        state: t('dream failed: {0}', status.reason),
        command: 'reverie.showDreamFailure',
        links: [{ icon: 'play', label: t('Run Dream'), command: 'reverie.runDream' }, show],
      };
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

/** What readings of chats brought, added up. */
export const broughtBy = (outcomes: readonly ExtractionOutcome[]) => ({
  saved: outcomes.reduce((sum, { savedCount }) => sum + savedCount, 0),
  suggested: outcomes.reduce((sum, { suggestedCount }) => sum + suggestedCount, 0),
  logged: outcomes.reduce((sum, { loggedCount = 0 }) => sum + loggedCount, 0),
});

/** In assistant mode. */
export const loggedText = (logged: number, { t, number }: Words): string =>
  logged === 1 ? t('Noted 1 line') : t('Noted {0} lines', number(logged));

export const savedText = (saved: number, { t, number }: Words): string =>
  saved === 1 ? t('Saved 1 memory') : t('Saved {0} memories', number(saved));

export const suggestedText = (suggested: number, { t, number }: Words): string =>
  suggested === 1 ? t('1 suggestion') : t('{0} suggestions', number(suggested));

/** Which switch it was, for the welcome text of the view: those of the editor, the environment, Claude Code's files. */
export const offReason = (by: string): 'setting' | 'environment' | 'claude' =>
  by.startsWith('reverie.enabled') ? 'setting' : by.endsWith('in the environment') ? 'environment' : 'claude';
