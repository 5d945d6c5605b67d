// The chat participant's turns: what is answered, with which references and buttons, and what may be asked next. It knows the
// engine and no editor; where it speaks is handed in. Every change it makes is one that a person typed a command for, and
// comes with the button that takes it back. What a memory says enters as text.

import type { LanguageModel } from '../core/agent/languageModel';
import type { ChatPlace, Exchange } from '../core/chat/conversations';
import type { MemoryHeader } from '../core/memory/memory';
import type { Project, Rest } from '../core/project';
import type { RecalledMemory } from '../core/recall/recall';
import { type ChatEnd, failureSentence, usageText } from './chatTexts';
import { comesByItself, gateLabel, gateText, nextSentence } from './dreamWords';
import { engineText, spendText } from './engineText';
import type { Piece } from './hovers';
import { createPlainText } from './plainText';
import { quotedMarkdown } from './safeMarkdown';
import { failureText } from './sessionRows';
import { oneLine, typesInOrder, type Words } from './words';

export interface Button {
  readonly label: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/** Where a turn speaks, in order. */
export interface ChatOut {
  say(pieces: readonly Piece[]): void;
  /** Markdown that was made harmless. */
  markdown(text: string): void;
  progress(text: string): void;
  /** A memory as a source of what is said. */
  reference(path: string): Promise<void>;
  /** A memory's name that opens it. */
  anchor(path: string, name: string): Promise<void>;
  button(button: Button): void;
}

/** The project that a turn is about. */
export interface ChatProject {
  readonly key: string;
  readonly project: Project;
}

export interface ChatTurn {
  readonly command: string | undefined;
  readonly prompt: string;
  readonly place: ChatPlace | undefined;
  readonly before: readonly Exchange[];
  readonly chatModel: LanguageModel | undefined;
}

type Said = Omit<ChatEnd, 'place'> & { readonly place?: ChatPlace | undefined };

export async function takeTurn(
  open: ChatProject,
  turn: ChatTurn,
  out: ChatOut,
  words: Words,
  signal: AbortSignal,
): Promise<ChatEnd> {
  const { place, ...said } = await chosenTurn(open, turn, out, words, signal);
  // A command in between does not end the conversation.
  const kept = place ?? turn.place;
  return { ...said, ...(kept ? { place: kept } : {}) };
}

async function chosenTurn(
  open: ChatProject,
  turn: ChatTurn,
  out: ChatOut,
  words: Words,
  signal: AbortSignal,
): Promise<Said> {
  const { project } = open;
  const prompt = turn.prompt.trim();
  if (turn.command === 'status') return status(project, out, words);
  const rest = await project.rest();
  if (rest) return resting(rest, out, words);
  if (turn.command === 'dream') return dream(open, out, words, signal);
  if (prompt === '') {
    out.say([{ text: usageText(turn.command, words) }]);
    return { kind: 'usage', found: 0 };
  }
  switch (turn.command) {
    case 'recall':
      return recall(open, prompt, out, words, signal);
    case 'remember':
      return remember(open, prompt, out, words);
    case 'forget':
      return forget(open, prompt, out, words, signal);
    default:
      return answer(open, turn, prompt, out, words, signal);
  }
}

async function answer(
  open: ChatProject,
  turn: ChatTurn,
  question: string,
  out: ChatOut,
  words: Words,
  signal: AbortSignal,
): Promise<Said> {
  const { t } = words;
  const plain = createPlainText();
  let hasSpoken = false;
  out.progress(t('Looking into memory'));
  const { place, recalled, text, read, failure } = await open.project.conversations.ask(
    {
      question,
      before: turn.before,
      ...(turn.place ? { place: turn.place } : {}),
      ...(turn.chatModel ? { chatModel: turn.chatModel } : {}),
      onText(delta) {
        const shown = plain.next(delta);
        if (shown !== '') out.markdown(shown);
        hasSpoken ||= shown !== '';
      },
      onRetry() {
        plain.end();
        if (hasSpoken) out.markdown(`\n\n*${t('The answer broke off. It begins anew:')}*\n\n`);
        hasSpoken = false;
      },
    },
    signal,
  );
  const rest = plain.end();
  if (rest !== '') out.markdown(rest);
  if (text !== undefined) {
    if (!hasSpoken && rest === '') out.markdown(plainOf(text));
    for (const path of new Set([...recalled.memories.map((memory) => memory.path), ...read])) await out.reference(path);
    return { kind: 'answer', place, found: recalled.memories.length };
  }
  if (failure !== undefined) {
    out.say([{ markdown: hasSpoken ? '\n\n' : '' }, { text: failureSentence(failure, words) }, { markdown: '\n\n' }]);
    if (failure === 'no_permission') out.button({ label: t('Grant Access…'), command: 'reverie.grantAccess' });
  }
  await tellRecalled(open, recalled.memories, recalled.considered, out, words);
  return { kind: 'recall', place, found: recalled.memories.length };
}

const plainOf = (text: string): string => {
  const plain = createPlainText();
  return plain.next(text) + plain.end();
};

async function recall(
  open: ChatProject,
  query: string,
  out: ChatOut,
  words: Words,
  signal: AbortSignal,
): Promise<Said> {
  const found = await open.project.recall(query, { way: 'participant', signal });
  await tellRecalled(open, found.memories, found.considered, out, words);
  return { kind: 'recall', found: found.memories.length };
}

/** Each memory: its name, what it is, why it was picked, what to bear in mind, and what it says. */
async function tellRecalled(
  { key }: ChatProject,
  memories: readonly RecalledMemory[],
  considered: number,
  out: ChatOut,
  words: Words,
): Promise<void> {
  const { t, number } = words;
  if (memories.length === 0) {
    out.say([
      {
        text:
          considered === 0
            ? t('There are no memories yet. /remember keeps the first one.')
            : t('None of {0} memories fits. Try other words.', number(considered)),
      },
    ]);
    return;
  }
  for (const memory of memories) {
    const kind = [memory.type && words.type(memory.type), words.scope(memory.scope), words.spokenAge(memory.ageDays)];
    out.say([{ markdown: '\n\n**' }]);
    await out.anchor(memory.path, oneLine(memory.name));
    out.say([
      { markdown: '** · ' },
      { text: kind.filter(Boolean).join(' · ') },
      { markdown: '\n' },
      quotedMarkdown(memory.content),
      ...(memory.caveat === undefined ? [] : [{ markdown: '\n\n$(history) ' }, { text: memory.caveat }]),
      { markdown: '\n\n*' },
      { text: memory.why },
      { markdown: '*\n' },
    ]);
    await out.reference(memory.path);
  }
  const [first] = memories;
  if (first && memories.length === 1) out.button(openButton(key, first.path, words));
}

const memoryTarget = (project: string, path: string) => ({ kind: 'memory', project, path });
const openButton = (key: string, path: string, { t }: Words): Button => ({
  label: t('Open'),
  command: 'reverie.open',
  arguments: [memoryTarget(key, path)],
});
const undoButton = (key: string, run: string, { t }: Words): Button => ({
  label: t('Undo'),
  command: 'reverie.undo',
  arguments: [key, run],
});

async function remember(open: ChatProject, text: string, out: ChatOut, words: Words): Promise<Said> {
  const { t } = words;
  const { project, key } = open;
  const { type, rest } = typeIn(text);
  const { path, run } = await project.remember({ text: rest, ...(type === undefined ? {} : { type }) });
  const head = (await project.heads()).find((each) => each.path === path);
  out.say([{ text: t('Remembered “{0}”.', oneLine(head?.name ?? path)) }, { markdown: '\n\n' }]);
  await out.anchor(path, path);
  if (head?.type) out.say([{ text: ` · ${words.type(head.type)} · ${words.scope(head.scope)}` }]);
  await out.reference(path);
  out.button(openButton(key, path, words));
  out.button(undoButton(key, run.id, words));
  return { kind: 'remembered', found: 1 };
}

/** `feedback: never squash` says the type in front. */
function typeIn(text: string) {
  const [, named, rest = ''] = /^(\w+):\s+([\s\S]+)$/.exec(text) ?? [];
  const type = typesInOrder.find((each) => each === named?.toLowerCase());
  return type === undefined ? { type, rest: text } : { type, rest };
}

/** Only what is named outright goes; else a person chooses among what fits. */
async function forget(
  open: ChatProject,
  asked: string,
  out: ChatOut,
  words: Words,
  signal: AbortSignal,
): Promise<Said> {
  const { t } = words;
  const { project, key } = open;
  const heads = await project.heads();
  const named = heads.filter((head) => isNamed(head, asked));
  const [only] = named;
  if (only && named.length === 1) {
    const run = await project.forget([only.path]);
    out.say([{ text: t('“{0}” is in the trash. It can be brought back for ninety days.', oneLine(only.name)) }]);
    out.button(undoButton(key, run.id, words));
    return { kind: 'forgotten', found: 1 };
  }
  const fitting =
    named.length > 0
      ? named.slice(0, 5).map(({ path, name }) => ({ path, name }))
      : (await project.recall(asked, { lexical: true, signal })).memories;
  if (fitting.length === 0) {
    out.say([{ text: t('No memory fits these words, so nothing was forgotten.') }]);
    return { kind: 'choose', found: 0 };
  }
  out.say([{ text: t('Which one? Nothing was forgotten yet.') }, { markdown: '\n\n' }]);
  for (const { path, name } of fitting) {
    out.say([{ markdown: '\n- ' }]);
    await out.anchor(path, oneLine(name));
  }
  for (const { path, name } of fitting) {
    out.button({
      label: t('Forget “{0}”', oneLine(name)),
      command: 'reverie.delete',
      arguments: [memoryTarget(key, path)],
    });
  }
  return { kind: 'choose', found: fitting.length };
}

const isNamed = ({ path, name }: MemoryHeader, asked: string): boolean => {
  const plain = (text: string) =>
    text
      .trim()
      .replace(/^["“`]|["”`]$/g, '')
      .toLowerCase();
  return plain(path) === plain(asked) || plain(name) === plain(asked);
};

async function dream(open: ChatProject, out: ChatOut, words: Words, signal: AbortSignal): Promise<Said> {
  const { t, number } = words;
  const { project } = open;
  out.progress(t('Dreaming…'));
  const outcome = await project.dream.executeAutoDream('command', { force: true, signal });
  const count = outcome.changes.length;
  switch (outcome.outcome) {
    case 'proposed':
      out.say([
        {
          text:
            count === 1
              ? t('The dream proposes 1 change. Nothing is changed before you say so.')
              : t('The dream proposes {0} changes. Nothing is changed before you say so.', number(count)),
        },
      ]);
      out.button({
        label: t('Review Changes'),
        command: 'reverie.reviewChanges',
        arguments: [{ kind: 'review', project: open.key }],
      });
      break;
    case 'applied':
      out.say([{ text: count === 1 ? t('Improved 1 memory') : t('Improved {0} memories', number(count)) }]);
      if (outcome.run !== undefined) out.button(undoButton(open.key, outcome.run, words));
      break;
    case 'unchanged':
      out.say([{ text: t('The dream found nothing to change.') }]);
      break;
    case 'skipped': {
      const gate = outcome.gates.find((each) => !each.open);
      out.say([
        {
          text: gate
            ? t('No dream now. {0}: {1}.', gateLabel(gate, words), gateText(gate, words))
            : t('A dream is under way already.'),
        },
      ]);
      break;
    }
    case 'failed':
      signal.throwIfAborted();
      out.say([{ text: t('The dream failed: {0}. Nothing was changed.', failureText(outcome, words)) }]);
      break;
  }
  return { kind: 'dream', found: count };
}

async function status(project: Project, out: ChatOut, words: Words): Promise<Said> {
  const { t, number } = words;
  const { memories, index, provider, spend, rest, gates } = await project.status();
  const types = typesInOrder
    .filter((type) => memories.byType[type] > 0)
    .map((type) => `${words.typeHeading(type)} ${number(memories.byType[type])}`);
  const used = spendText(spend, words);
  const next = comesByItself(gates) ? nextSentence(gates, words) : undefined;
  const lines = [
    memories.total === 1 ? t('1 memory') : t('{0} memories', number(memories.total)),
    ...(types.length === 0 ? [] : [types.join(' · ')]),
    ...(memories.stale === 0 ? [] : [t('{0} are old and should be looked at', number(memories.stale))]),
    ...(memories.problems === 0 ? [] : [t('{0} can’t be read', number(memories.problems))]),
    t('Index: {0} of {1} lines', number(index.lines), number(index.lineLimit)),
    engineText(provider, words),
    ...(used === undefined ? [] : [used]),
    ...(next === undefined ? [] : [next]),
  ];
  out.say(lines.flatMap((line): readonly Piece[] => [{ markdown: '\n- ' }, { text: line }]));
  if (rest) {
    out.say([{ markdown: '\n\n' }]);
    resting(rest, out, words);
  }
  out.button({ label: t('Show Memories'), command: 'reverie.showMemories' });
  if (provider.kind === 'offline') out.button({ label: t('Choose Model…'), command: 'reverie.chooseModel' });
  return { kind: 'status', found: memories.total };
}

function resting(rest: Rest, out: ChatOut, { t, time }: Words): Said {
  switch (rest.kind) {
    case 'untrusted':
      out.say([{ text: t('Memory is off in this untrusted workspace.') }]);
      out.button({ label: t('Manage Workspace Trust'), command: 'workbench.trust.manage' });
      break;
    case 'disabled':
      out.say([{ text: t('Memory is off here.') }]);
      out.button({ label: t('Show Why'), command: 'reverie.showWhy' });
      break;
    case 'paused':
      out.say([
        { text: rest.until === undefined ? t('Memory paused here') : t('Memory paused until {0}', time(rest.until)) },
      ]);
      out.button({ label: t('Resume'), command: 'reverie.resume' });
      break;
  }
  return { kind: 'rest', found: 0 };
}
