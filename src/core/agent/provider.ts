// Which engine works now, and its model. Pure but for what it is handed: the settings, the environment, what a person
// chose and a secret storage; nothing is sent and no SDK is loaded to answer. Until a person has chosen, it is the offline
// one (decision 1); a key goes only to the host it was confirmed with (decision 4), so a changed address asks again.

import type { EngineSettings, ModelChoice } from '../engineSettings';
import { anthropicUrl, endpointProblem, hostOf, isLoopback, tidyUrl } from './endpoint';
import { type LanguageModel, ModelError } from './languageModel';

export type ModelPurpose = 'extraction' | 'dream' | 'recall';

/** What a command line asks for, over the settings. `anthropic` there is a person's word, for this one call. */
export type AskedProvider = 'auto' | 'anthropic' | 'offline';

export type OfflineReason =
  | 'not_chosen' // nobody has chosen yet
  | 'chosen' // a person chose it
  | 'setting'
  | 'asked' // on the command line
  | 'no_key'
  | 'other_host' // the address is not the one that was chosen, and no key is known to belong to it
  | 'bad_address'
  | 'open_line' // a key would go unencrypted to another machine
  | 'not_available'; // chosen, but not on this machine or not in this version

export type ProviderState =
  | { readonly kind: 'offline'; readonly why: OfflineReason; readonly host?: string }
  | {
      readonly kind: 'anthropic';
      readonly host: string;
      readonly keyFrom: 'secret' | 'environment' | 'none';
      readonly models: Readonly<Record<ModelPurpose, string>>;
    }
  | { readonly kind: 'vscode'; readonly models: Readonly<Record<ModelPurpose, string>> };

export interface Provider {
  state(): Promise<ProviderState>;
  /** `model` is there unless the state is offline. */
  model(purpose: ModelPurpose): Promise<{ readonly state: ProviderState; readonly model?: LanguageModel }>;
}

export interface ProviderOptions {
  readonly settings: () => EngineSettings['model'];
  /** Asked each time: another window or command may have chosen meanwhile. */
  readonly choice: () => Promise<ModelChoice | undefined>;
  /** The key that a person gave for this host. */
  readonly secret?: ((host: string) => Promise<string | undefined>) | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly asked?: AskedProvider | undefined;
  /** An editor's own chat model; whether it is there and may be asked shows when it is. */
  readonly chatModel?: ((id: string) => Promise<LanguageModel>) | undefined;
}

type Resolved = { readonly state: ProviderState; readonly baseUrl?: string; readonly apiKey?: string };

export function createProvider(options: ProviderOptions): Provider {
  const { asked = 'auto', env } = options;
  const offline = (why: OfflineReason, host?: string): Resolved => ({
    state: { kind: 'offline', why, ...(host === undefined ? {} : { host }) },
  });

  async function resolve(): Promise<Resolved> {
    const { provider, baseUrl, ...models } = options.settings();
    const wanted = asked === 'auto' ? provider : asked;
    if (wanted === 'offline') return offline(asked === 'offline' ? 'asked' : 'setting');
    const choice = await options.choice();
    if (wanted === 'auto') {
      if (!choice) return offline('not_chosen');
      if (choice.engine === 'offline') return offline('chosen');
    }
    if (wanted === 'vscode' || (wanted === 'auto' && choice?.engine === 'vscode')) {
      const id = choice?.chatModel;
      if (!options.chatModel || id === undefined) return offline('not_available');
      const recall = choice?.chatModelForRecall ?? id;
      return { state: { kind: 'vscode', models: { extraction: id, dream: id, recall } } };
    }

    const url = tidyUrl(baseUrl ?? anthropicUrl);
    const host = hostOf(url);
    const chosen = choice?.engine === 'anthropic' && choice.host === host ? choice : undefined;
    const secret = await options.secret?.(host);
    const key = secret ?? environmentKey(host, chosen);
    const problem = endpointProblem(url, key);
    if (problem) return offline(problem === 'bad_key' ? 'no_key' : problem, host);
    // Named outright, an endpoint on this machine needs no further word: nothing leaves it, and it gets no key unasked.
    const mayGoWithout = chosen?.key === 'none' || (wanted === 'anthropic' && isLoopback(url));
    if (wanted === 'auto' && !chosen) return offline('other_host', host);
    if (key === undefined && !mayGoWithout) {
      const isElsewhere = !chosen && (choice?.engine === 'anthropic' || env.ANTHROPIC_API_KEY);
      return offline(isElsewhere ? 'other_host' : 'no_key', host);
    }
    const keyFrom = secret !== undefined ? 'secret' : key !== undefined ? 'environment' : 'none';
    return {
      state: { kind: 'anthropic', host, keyFrom, models },
      baseUrl: url,
      ...(key === undefined ? {} : { apiKey: key }),
    };
  }

  /** The environment's key belongs to the environment's host, unless a person has confirmed it for another. */
  function environmentKey(host: string, chosen: ModelChoice | undefined): string | undefined {
    const key = env.ANTHROPIC_API_KEY?.trim();
    if (!key || chosen?.key === 'none') return undefined;
    const own = hostOf(tidyUrl(env.ANTHROPIC_BASE_URL?.trim() || anthropicUrl));
    return own === host || chosen?.key === 'environment' ? key : undefined;
  }

  return {
    state: async () => (await resolve()).state,
    async model(purpose) {
      const { state, baseUrl, apiKey } = await resolve();
      if (state.kind === 'offline') return { state };
      const id = state.models[purpose];
      if (state.kind === 'vscode') {
        const model = await options.chatModel?.(id);
        return model ? { state, model } : { state: { kind: 'offline', why: 'not_available' } };
      }
      const { createAnthropicModel } = await import('./anthropicModel');
      return { state, model: createAnthropicModel({ id, apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) }) };
    },
  };
}

/** Offline because somebody said so, or because nobody has chosen yet. */
const wanted: ReadonlySet<OfflineReason> = new Set(['not_chosen', 'chosen', 'setting', 'asked']);

/** The model that shall do it; undefined when the offline engine shall. Rejects when a model was chosen and can't be had. */
export async function chosenModel(provider: Provider, purpose: ModelPurpose): Promise<LanguageModel | undefined> {
  const { state, model } = await provider.model(purpose);
  if (model) return model;
  if (state.kind !== 'offline' || wanted.has(state.why)) return undefined;
  const at = state.host === undefined ? 'the model' : state.host;
  switch (state.why) {
    case 'no_key':
      throw new ModelError('unauthorised', `There is no API key for ${at}. Set one with Choose Model, or go offline.`);
    case 'other_host':
      throw new ModelError(
        'unauthorised',
        `No key was confirmed for ${at}. Confirm it with Choose Model, or go offline.`,
      );
    case 'open_line':
      throw new ModelError('no_permission', `The address of ${at} is not encrypted, so no key is sent to it.`);
    case 'bad_address':
      throw new ModelError('bad_request', 'The address of the model is not one that can be asked.');
    default:
      throw new ModelError('no_permission', 'The model that was chosen is not available here. Choose another one.');
  }
}
