// The choice of a model as a dialogue: what is sent where and what it costs, a key, a try, and what came of it. Nothing is
// kept before the model has answered or the person says so. It knows no editor; how to ask and where to keep are handed in.

import type { ChatModelState } from '../core/agent/chatModels';
import { anthropicUrl, endpointProblem, hostOf, isKey, tidyUrl } from '../core/agent/endpoint';
import type { ModelErrorCode } from '../core/agent/languageModel';
import type { Candidate, TryResult } from '../core/agent/tryModel';
import type { EngineSettings, ModelChoice } from '../core/engineSettings';
import { chatErrorText, modelErrorText } from '../views/engineText';
import type { Words } from '../views/words';

export interface Option<T> {
  readonly label: string;
  readonly description?: string | undefined;
  readonly detail?: string | undefined;
  readonly icon: string;
  readonly value: T;
}

/** Each answers `undefined` when the person left. */
export interface Asking {
  pick<T>(title: string, hint: string, options: readonly Option<T>[]): Promise<T | undefined>;
  text(question: {
    readonly title: string;
    readonly hint: string;
    readonly value?: string;
    readonly isSecret?: boolean;
    /** What is wrong with it. */
    readonly problem: (text: string) => string | undefined;
  }): Promise<string | undefined>;
  working<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>;
  /** Says what went wrong; the label of the action that the person chose. */
  trouble(text: string, actions: readonly string[]): Promise<string | undefined>;
}

export interface Keeping {
  readonly settings: EngineSettings['model'];
  readonly choice: ModelChoice | undefined;
  /** The host that a key is stored for. */
  readonly storedHost: string | undefined;
  readonly environmentKey: string | undefined;
  storedKey(host: string): Promise<string | undefined>;
  tryModel(candidate: Candidate, signal: AbortSignal): Promise<TryResult>;
  /** The chat models that the editor offers now. */
  chatModels(): Promise<readonly ChatModelState[]>;
  /** At this gesture the editor asks the person for access, if it has not yet. */
  tryChatModel(id: string, signal: AbortSignal): Promise<TryResult>;
  /** Keeps a choice; `key` only when it was typed, `baseUrl` and `model` only when they differ from the defaults. */
  keep(kept: Kept): Promise<void>;
  forgetKey(): Promise<void>;
}

export interface Kept {
  readonly choice: ModelChoice;
  readonly typedKey?: string;
  readonly endpoint?: { readonly baseUrl: string | undefined; readonly model?: string };
}

export type Chosen =
  | { readonly kind: 'offline' }
  | { readonly kind: 'model'; readonly host: string; readonly model: string }
  | { readonly kind: 'chat'; readonly name: string; readonly isForRecall: boolean }
  | { readonly kind: 'forgotten'; readonly host: string };

/** `undefined`: the person left, and everything is as it was. */
export async function chooseModel(asking: Asking, keeping: Keeping, words: Words): Promise<Chosen | undefined> {
  const { t } = words;
  const { choice, settings, storedHost } = keeping;
  const official = hostOf(anthropicUrl);
  const inUse = (isInUse: boolean) => (isInUse ? t('in use') : undefined);
  const isCustom = settings.baseUrl !== undefined && tidyUrl(settings.baseUrl) !== anthropicUrl;
  const chatModels = await keeping.chatModels();
  const chatInUse = chatModels.find(({ id }) => id === choice?.chatModel)?.name ?? choice?.chatModel ?? '';
  const picked = await asking.pick(t('Choose Model'), t('What reads your chats? You can change it at any time.'), [
    {
      label: t('Offline'),
      description: inUse(choice?.engine === 'offline'),
      detail: t('Nothing is sent. Fixed rules for English and Portuguese, no cost.'),
      icon: 'shield',
      value: 'offline' as const,
    },
    {
      label: 'Anthropic',
      description: [settings.extraction, official, inUse(choice?.engine === 'anthropic' && choice.host === official)]
        .filter(Boolean)
        .join(' · '),
      detail: t('Sends what was said in the chat, tool names and your memories. Billed to your key.'),
      icon: 'sparkle',
      value: 'anthropic' as const,
    },
    {
      label: t('Another Endpoint…'),
      description: inUse(choice?.engine === 'anthropic' && choice.host !== official),
      detail: t('Sends the same to an address that speaks the Messages API, this machine too.'),
      icon: 'server',
      value: 'endpoint' as const,
    },
    {
      label: t('VS Code Chat Model…'),
      description:
        choice?.engine === 'vscode'
          ? t('in use: {0}', chatInUse)
          : chatModels.length === 0
            ? t('none here')
            : chatModels.length === 1
              ? t('1 model')
              : t('{0} models', words.number(chatModels.length)),
      detail: t(
        'One that you chat with here, such as Copilot’s. The same is sent to its provider, and counts against your quota there.',
      ),
      icon: 'comment-discussion',
      value: 'chat' as const,
    },
    ...(storedHost === undefined
      ? []
      : [
          {
            label: t('Forget API Key'),
            detail: t('Removes the key for {0} from this machine.', storedHost),
            icon: 'trash',
            value: 'forget' as const,
          },
        ]),
  ]);
  switch (picked) {
    case undefined:
      return undefined;
    case 'offline':
      await keeping.keep({ choice: { engine: 'offline' } });
      return { kind: 'offline' };
    case 'forget':
      await keeping.forgetKey();
      if (choice?.key === 'secret') await keeping.keep({ choice: { engine: 'offline' } });
      return { kind: 'forgotten', host: storedHost ?? '' };
    case 'chat':
      return chooseChat(asking, keeping, words, chatModels);
    case 'anthropic': {
      const endpoint = isCustom ? { baseUrl: undefined } : undefined;
      return choose(asking, keeping, words, { baseUrl: anthropicUrl, model: settings.extraction, endpoint });
    }
    case 'endpoint': {
      const baseUrl = await asking.text({
        title: t('Address of the Endpoint'),
        hint: t('It speaks the Messages API, for example http://localhost:11434'),
        value: settings.baseUrl ?? '',
        problem: (text) =>
          endpointProblem(tidyUrl(text), undefined) ? t('This is not an http or https address.') : undefined,
      });
      if (baseUrl === undefined) return undefined;
      const url = tidyUrl(baseUrl);
      const model = await asking.text({
        title: t('Model'),
        hint: t('The id of the model at {0}', hostOf(url)),
        value: settings.extraction,
        problem: (text) => (text.trim() === '' ? t('An id is needed.') : undefined),
      });
      if (model === undefined) return undefined;
      const endpoint = { baseUrl: url, model: model.trim() };
      return choose(asking, keeping, words, { ...endpoint, endpoint });
    }
  }
}

/** Which of the editor's models, and one tiny request: it is what asks for access, and shows whether the model answers. */
async function chooseChat(
  asking: Asking,
  keeping: Keeping,
  words: Words,
  models: readonly ChatModelState[],
  isForRecall = false,
): Promise<Chosen | undefined> {
  const { t } = words;
  const { choice } = keeping;
  if (models.length === 0) {
    await asking.trouble(
      t('VS Code has no chat model here. Sign in to GitHub Copilot, or install an extension that brings one.'),
      [],
    );
    return undefined;
  }
  const used = isForRecall ? (choice?.chatModelForRecall ?? choice?.chatModel) : choice?.chatModel;
  const options = models.map(
    (model): Option<ChatModelState | 'recall'> => ({
      label: model.name,
      description: [model.vendor, ...(choice?.engine === 'vscode' && used === model.id ? [t('in use')] : [])].join(
        ' · ',
      ),
      detail: chatStateText(model, words),
      icon: 'comment-discussion',
      value: model,
    }),
  );
  const mayDiffer = choice?.engine === 'vscode' && choice.chatModel !== undefined && models.length > 1 && !isForRecall;
  const picked = await asking.pick(
    t('Choose Model'),
    isForRecall ? t('Which model chooses memories for a question?') : t('Which model reads your chats?'),
    mayDiffer ? [...options, { label: t('Another Model for Recall…'), icon: 'search', value: 'recall' }] : options,
  );
  if (picked === undefined) return undefined;
  if (picked === 'recall') return chooseChat(asking, keeping, words, models, true);
  for (;;) {
    const result = await asking.working(t('Asking {0} for one word', picked.name), (signal) =>
      keeping.tryChatModel(picked.id, signal),
    );
    if (!result) return undefined;
    if (!result.answered) {
      const again = t('Try Again');
      const anyway = t('Choose It Anyway');
      const said = await asking.trouble(
        `${chatErrorText(result.code, picked.name, words)} ${t('Nothing was changed.')}`,
        passes.includes(result.code) ? [again, anyway] : [again],
      );
      if (said === again) continue;
      if (said !== anyway) return undefined;
    }
    const background = isForRecall ? choice?.chatModel : picked.id;
    const recall = isForRecall ? picked.id : undefined;
    await keeping.keep({
      choice: {
        engine: 'vscode',
        ...(background === undefined ? {} : { chatModel: background }),
        ...(recall === undefined || recall === background ? {} : { chatModelForRecall: recall }),
      },
    });
    return { kind: 'chat', name: picked.name, isForRecall };
  }
}

function chatStateText({ access, blockedUntil }: ChatModelState, { t, time }: Words): string | undefined {
  if (blockedUntil !== undefined) return t('Its quota is used up; asked again from {0} on', time(blockedUntil));
  switch (access) {
    case 'granted':
      return t('Reverie may use it');
    case 'refused':
      return t('Reverie was not allowed to use it; VS Code asks again');
    case 'not_asked':
      return t('VS Code asks whether Reverie may use it');
  }
}

interface Wanted {
  readonly baseUrl: string;
  readonly model: string;
  readonly endpoint: Kept['endpoint'];
}

type KeyAnswer = {
  readonly from: 'secret' | 'environment' | 'none';
  readonly key: string | undefined;
  readonly isTyped: boolean;
};

async function choose(asking: Asking, keeping: Keeping, words: Words, wanted: Wanted): Promise<Chosen | undefined> {
  const { t } = words;
  const { baseUrl, model, endpoint } = wanted;
  const host = hostOf(baseUrl);
  let answer = await askForKey(asking, keeping, words, baseUrl, false);
  while (answer) {
    const { from, key, isTyped } = answer;
    const result = await asking.working(t('Asking {0} for one word', host), (signal) =>
      keeping.tryModel({ id: model, baseUrl, apiKey: key }, signal),
    );
    if (!result) return undefined;
    const again = t('Try Again');
    const otherKey = t('Another Key…');
    const anyway = t('Choose It Anyway');
    let isAccepted = result.answered;
    if (!result.answered) {
      const actions = [again, ...(from === 'none' && !wantsKey(result.code) ? [] : [otherKey])];
      const said = await asking.trouble(
        `${modelErrorText(result.code, { host, model, hasKey: key !== undefined }, words)} ${t('Nothing was changed.')}`,
        passes.includes(result.code) ? [...actions, anyway] : actions,
      );
      if (said === otherKey) answer = await askForKey(asking, keeping, words, baseUrl, true);
      if (said === again || said === otherKey) continue;
      isAccepted = said === anyway;
    }
    if (!isAccepted) return undefined;
    await keeping.keep({
      choice: { engine: 'anthropic', host, key: from },
      ...(isTyped && key !== undefined ? { typedKey: key } : {}),
      ...(endpoint === undefined ? {} : { endpoint }),
    });
    return { kind: 'model', host, model };
  }
  return undefined;
}

/** Faults that say nothing against the choice. */
const passes: readonly ModelErrorCode[] = ['rate_limited', 'overloaded', 'server_error', 'unreachable', 'timed_out'];
const wantsKey = (code: ModelErrorCode) => code === 'unauthorised' || code === 'no_permission';

/** Which key, of those that are there. `mustType`: the one that was there did not do. */
async function askForKey(
  asking: Asking,
  keeping: Keeping,
  words: Words,
  baseUrl: string,
  mustType: boolean,
): Promise<KeyAnswer | undefined> {
  const { t } = words;
  const host = hostOf(baseUrl);
  const without: KeyAnswer = { from: 'none', key: undefined, isTyped: false };
  // Over an open line none is sent, so none is asked for.
  if (endpointProblem(baseUrl, 'key') === 'open_line') return without;
  const stored = await keeping.storedKey(host);
  const { environmentKey } = keeping;
  const title = t('API Key for {0}', host);
  const options: Option<KeyAnswer | 'type'>[] = [];
  if (stored !== undefined)
    options.push({
      label: t('The Key That Is Stored'),
      icon: 'key',
      value: { from: 'secret', key: stored, isTyped: false },
    });
  if (environmentKey !== undefined)
    options.push({
      label: t('The Key in ANTHROPIC_API_KEY'),
      detail: t('From the environment of VS Code. It will be sent to {0}.', host),
      icon: 'terminal',
      value: { from: 'environment', key: environmentKey, isTyped: false },
    });
  options.push({ label: t('Enter a Key…'), icon: 'edit', value: 'type' });
  if (baseUrl !== anthropicUrl) options.push({ label: t('No Key'), icon: 'circle-slash', value: without });
  const picked =
    mustType || options.length === 1 ? 'type' : await asking.pick(title, t('Which key is sent to {0}?', host), options);
  if (picked !== 'type') return picked;
  const typed = await asking.text({
    title,
    hint: t('Kept in VS Code’s secret storage, and sent to {0} only.', host),
    isSecret: true,
    problem: (text) => (isKey(text.trim()) ? undefined : t('A key has no spaces and no line ends.')),
  });
  return typed === undefined ? undefined : { from: 'secret', key: typed.trim(), isTyped: true };
}
