// Conversations of our own: a question, the memories that fit it, and a model's answer from them where a person chose one. What
// was sent is kept as it was, so that the next turn and the fork at the end extend it byte for byte. A conversation ends when
// it has been quiet; what was said in it is then looked at as any chat is, once. What a window left is looked at by the next.

import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { isModelError, type LanguageModel, type ModelErrorCode, noUsage, type Usage } from '../agent/languageModel';
import { chosenModel, type Provider } from '../agent/provider';
import type { Spend } from '../agent/spend';
import type { Disk } from '../disk';
import type { Disposable } from '../event';
import type { Extract, Extraction } from '../extraction/extraction';
import type { ModelRunOptions } from '../extraction/modelRun';
import type { ExtractionOutcome } from '../extraction/outcome';
import { readJson, writeJson } from '../files';
import type { Logger } from '../log';
import type { Recall } from '../recall/openRecall';
import type { Recollection } from '../recall/recall';
import type { Clock, Session, TranscriptMessage, TranscriptReading } from '../sessions/transcript';
import type { ChatPrefix } from './chatRun';

export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

/** After which turn of which conversation something is said. */
export interface ChatPlace {
  readonly conversation: string;
  readonly turn: number;
}

export interface Asked {
  readonly question: string;
  /** Where the last answer left off; without it a conversation begins. */
  readonly place?: ChatPlace;
  /** What was said before, for a conversation that is not known here any more. */
  readonly before?: readonly Exchange[];
  /** In the place of the chosen chat model: the one that the person picked in the chat. Used only where chat models were chosen. */
  readonly chatModel?: LanguageModel;
  readonly onText?: (delta: string) => void;
  /** What was said so far is void; the answer begins anew. */
  readonly onRetry?: () => void;
}

export interface Answer {
  readonly place: ChatPlace;
  readonly recalled: Recollection;
  /** A model's answer; without one, what was recalled is the answer. */
  readonly text?: string;
  /** Memories that the model looked into besides. */
  readonly read: readonly string[];
  readonly usage: Usage;
  /** Why the model gave none. */
  readonly failure?: ModelErrorCode;
}

export interface Conversations extends Disposable {
  /** Rejects when memory can't be read, or with the signal's reason. A model that fails is no rejection. */
  ask(asked: Asked, signal: AbortSignal): Promise<Answer>;
  /** Looks at what was said since the last look; `undefined` when nothing was. Never rejects. */
  end(conversation: string): Promise<ExtractionOutcome | undefined>;
  /** Looks at what earlier windows left. Never rejects. */
  resume(): Promise<void>;
}

interface Turn extends Exchange {
  readonly at: number;
  /** Messages up to the end of this turn; `undefined` when no model took part. */
  readonly end: number | undefined;
  isLearned: boolean;
}

interface Held {
  readonly id: string;
  readonly turns: Turn[];
  prefix: ChatPrefix | undefined;
  model: LanguageModel | undefined;
  timer: Disposable | undefined;
}

/** What a provider's cache remembers, five minutes, is not waited out. */
const longestIdleMs = 4 * 60_000;
/** A file that was not touched for so long belongs to no window that is open. */
const leftMs = 30 * 60_000;
const keptMs = 30 * 24 * 60 * 60_000;
const mostHeld = 20;

export function openConversations(options: {
  readonly stateDir: string;
  readonly recall: Recall['recall'];
  readonly provider: Provider;
  readonly spend: Spend;
  readonly extraction: Pick<Extraction, 'extractGiven'>;
  /** What a run of extraction needs, but for its model. */
  readonly run: Omit<ModelRunOptions, 'model' | 'spend'>;
  /** The indexes, as loaded into a chat, and the sentences of CLAUDE.md files; taken as they are when a conversation begins. */
  readonly index: () => Promise<string>;
  readonly guidance: () => Promise<readonly string[]>;
  readonly idleMinutes: () => number;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Logger;
}): Conversations {
  const { provider, spend, extraction, disk, clock, log } = options;
  const folder = join(options.stateDir, 'conversations');
  const fileOf = (id: string) => join(folder, `${id}.json`);
  const held = new Map<string, Held>();

  /** The conversation as the person sees it: what came after that place was taken back in the chat. */
  async function conversationOf({ place, before = [] }: Asked): Promise<Held> {
    const known = place && held.get(place.conversation);
    if (known && place.turn <= known.turns.length) {
      if (place.turn < known.turns.length) {
        known.turns.length = place.turn;
        const end = known.turns.findLast((turn) => turn.end !== undefined)?.end ?? 0;
        known.prefix = known.prefix && { ...known.prefix, messages: known.prefix.messages.slice(0, end) };
      }
      return known;
    }
    // What was said before was looked at by the window that heard it, or will be by `resume`.
    const turns = before.map((exchange): Turn => ({ ...exchange, at: clock.now(), end: undefined, isLearned: true }));
    const fresh: Held = { id: randomUUID(), turns, prefix: undefined, model: undefined, timer: undefined };
    held.set(fresh.id, fresh);
    for (const { id } of [...held.values()].slice(0, -mostHeld)) void end(id).then(() => held.delete(id));
    return fresh;
  }

  async function modelFor(chatModel: LanguageModel | undefined): Promise<LanguageModel | undefined> {
    const { kind } = await provider.state();
    return kind === 'vscode' && chatModel ? chatModel : chosenModel(provider, 'extraction');
  }

  async function begin(): Promise<ChatPrefix> {
    const [{ chatPrefix }, index, guidance] = await Promise.all([
      import('../modelEngine'),
      options.index(),
      options.guidance(),
    ]);
    return chatPrefix({ index, guidance });
  }

  async function answered(
    one: Held,
    asked: Asked,
    recalled: Recollection,
    signal: AbortSignal,
  ): Promise<Pick<Answer, 'text' | 'read' | 'usage' | 'failure'>> {
    const none = { read: [], usage: noUsage };
    try {
      const model = await modelFor(asked.chatModel);
      if (!model) return none;
      const mayRun = await spend.mayRun();
      if (!mayRun) return { ...none, failure: 'over_budget' };
      const { answerTurn, formatQuestion, beforeAsMessages } = await import('../modelEngine');
      const began = one.prefix ?? (await begin());
      const prefix = one.prefix ?? { ...began, messages: beforeAsMessages(one.turns) };
      const read = new Set<string>();
      const result = await answerTurn({
        model,
        prefix,
        prompt: formatQuestion({
          number: one.turns.length + 1,
          at: clock.now(),
          question: asked.question,
          recalled: recalled.memories,
        }),
        overlay: options.run.openOverlay(),
        paths: (await options.run.heads()).map(({ path }) => path),
        onRead: (path) => read.add(path),
        observer: {
          ...(asked.onText ? { onText: asked.onText } : {}),
          ...(asked.onRetry ? { onRetry: asked.onRetry } : {}),
        },
        signal,
      });
      await spend.record({ purpose: 'chat', model: model.id, usage: result.usage, run: one.id });
      signal.throwIfAborted();
      if (result.stopReason !== 'end_turn' || result.text.trim() === '') {
        const failure = isModelError(result.error) ? result.error.code : endings[result.stopReason];
        return { read: [], usage: result.usage, failure: failure ?? 'bad_answer' };
      }
      one.prefix = { ...prefix, messages: result.messages };
      one.model = model;
      return { text: result.text, read: [...read], usage: result.usage };
    } catch (error) {
      signal.throwIfAborted();
      if (!isModelError(error)) throw error;
      return { ...none, failure: error.code };
    }
  }

  async function ask(asked: Asked, signal: AbortSignal): Promise<Answer> {
    const one = await conversationOf(asked);
    one.timer?.dispose();
    try {
      const recalled = await options.recall(asked.question, { lexical: true, way: 'participant', signal });
      const answer = await answered(one, asked, recalled, signal);
      const isModels = answer.text !== undefined;
      one.turns.push({
        question: asked.question,
        answer: answer.text ?? '',
        at: clock.now(),
        end: isModels ? one.prefix?.messages.length : undefined,
        isLearned: false,
      });
      await keep(one);
      return { place: { conversation: one.id, turn: one.turns.length }, recalled, ...answer };
    } finally {
      const idleMs = Math.min(options.idleMinutes() * 60_000, longestIdleMs);
      one.timer = clock.setTimer(idleMs, () => void end(one.id));
    }
  }

  /** For the next window, should this one close before the conversation was looked at. */
  async function keep(one: Held): Promise<void> {
    try {
      const fresh = one.turns.filter(({ isLearned }) => !isLearned);
      if (fresh.length === 0) await disk.remove(fileOf(one.id));
      else await writeJson(disk, fileOf(one.id), { version: 1, id: one.id, turns: fresh });
    } catch (error) {
      log.warn(`The conversation ${one.id} can't be noted: ${error}`);
    }
  }

  async function end(id: string): Promise<ExtractionOutcome | undefined> {
    const one = held.get(id);
    one?.timer?.dispose();
    const fresh = one?.turns.filter(({ isLearned }) => !isLearned) ?? [];
    if (!one || fresh.length === 0) return undefined;
    try {
      const outcome = await extraction.extractGiven(
        sessionOf(one.id, fresh),
        readingOf(one.id, fresh),
        await forkOf(one),
      );
      if (outcome.outcome !== 'failed' && !isPut(outcome)) {
        for (const turn of fresh) turn.isLearned = true;
        await keep(one);
      }
      return outcome;
    } catch (error) {
      log.warn(`The conversation ${id}: ${error}`);
      return undefined;
    }
  }

  /** The fork, where the model heard all that was said since the last look; else it is read as any chat is. */
  async function forkOf(one: Held): Promise<Extract | undefined> {
    const { model, prefix } = one;
    const numbered = new Map<number, TranscriptMessage>();
    for (const [at, turn] of one.turns.entries()) {
      if (turn.isLearned) continue;
      if (turn.end === undefined) return undefined;
      const [message] = messagesOf(one.id, turn);
      if (message) numbered.set(at + 1, message);
    }
    const state = await provider.state();
    if (!model || !prefix || state.kind !== model.provider) return undefined;
    const { createForkExtract } = await import('../modelEngine');
    return createForkExtract({
      ...options.run,
      model,
      prefix,
      numbered,
      spend: (usage) => spend.record({ purpose: 'extraction', model: model.id, usage, run: one.id }),
    });
  }

  async function resume(): Promise<void> {
    try {
      for (const { name } of (await disk.list(folder)) ?? []) {
        const file = join(folder, name);
        const id = basename(name, '.json');
        const stat = await disk.stat(file);
        const age = stat ? clock.now() - stat.mtimeMs : 0;
        if (!name.endsWith('.json') || !stat || age < leftMs || held.has(id)) continue;
        const kept = age < keptMs ? await readJson<{ id?: unknown; turns?: unknown }>(disk, file) : undefined;
        const turns = turnsIn(kept?.turns);
        const outcome =
          turns.length === 0 ? undefined : await extraction.extractGiven(sessionOf(id, turns), readingOf(id, turns));
        if (!outcome || (outcome.outcome !== 'failed' && !isPut(outcome))) await disk.remove(file);
      }
    } catch (error) {
      log.warn(`Conversations that earlier windows left: ${error}`);
    }
  }

  function sessionOf(id: string, turns: readonly Turn[]): Session {
    return { kind: 'participant', id, file: fileOf(id), size: 0, modifiedAt: turns.at(-1)?.at ?? clock.now() };
  }

  return {
    ask,
    end,
    resume,
    dispose() {
      for (const { timer } of held.values()) timer?.dispose();
      held.clear();
    },
  };
}

const endings: Readonly<Record<string, ModelErrorCode>> = {
  timed_out: 'timed_out',
  refusal: 'refused',
  max_turns: 'over_limit',
  max_tokens: 'over_limit',
  budget: 'over_limit',
};

/** Put off, not looked at: it is looked at when memory is at work again. */
const isPut = ({ outcome, reason }: ExtractionOutcome): boolean => outcome === 'skipped' && reason !== 'secret';

function messagesOf(id: string, { question, answer, at }: Turn): readonly [TranscriptMessage, TranscriptMessage] {
  const common = { offset: 0, at, live: true, toolUses: [] };
  const uuid = `${id}-${at}`;
  return [
    { ...common, uuid, role: 'user', human: true, text: question, final: false, userKind: 'human' },
    { ...common, uuid: `${uuid}-answer`, role: 'assistant', human: false, text: answer, final: true },
  ];
}

function readingOf(id: string, turns: readonly Turn[]): TranscriptReading {
  const [first] = turns;
  return {
    messages: turns.flatMap((turn) => messagesOf(id, turn)),
    position: { offset: 0, fingerprint: '' },
    restarted: false,
    previousAssistant: undefined,
    turnEnded: true,
    sealedBy: 'record',
    messagesEnd: 0,
    bytesRead: 0,
    ...(first ? { title: first.question.replace(/\s+/g, ' ').slice(0, 80) } : {}),
  };
}

function turnsIn(value: unknown): readonly Turn[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each): Turn[] => {
    const { question, answer, at } = (each ?? {}) as Partial<Record<keyof Turn, unknown>>;
    if (typeof question !== 'string' || typeof at !== 'number') return [];
    return [{ question, answer: typeof answer === 'string' ? answer : '', at, end: undefined, isLearned: false }];
  });
}
