// Connecting Claude Code and taking that back, as a dialogue: which settings file, exactly what is added to it, yes or no. Nothing
// is written before a person has seen it and agreed, and a file that can't be changed with certainty is left as it is.

import type { ConnectionPlan, ConnectionProblem, HookConnection } from '../core/hooks/connection';
import type { Words } from '../views/words';

export interface SettingsPlace {
  readonly file: string;
  /** As a person reads it, with `~`. */
  readonly label: string;
}

export interface HookPlaces {
  readonly user: SettingsPlace;
  /** Of the open project, if there is one. */
  readonly local: SettingsPlace | undefined;
}

export interface HookAsking {
  pick<T>(
    title: string,
    hint: string,
    options: readonly { readonly label: string; readonly description: string; readonly value: T }[],
  ): Promise<T | undefined>;
  /** Whether a person chose `action`. */
  confirm(text: string, detail: string, action: string): Promise<boolean>;
}

export type HookOutcome =
  | { readonly kind: 'connected' | 'already'; readonly place: SettingsPlace; readonly isDisabled: boolean }
  | { readonly kind: 'disconnected'; readonly places: readonly SettingsPlace[] }
  | { readonly kind: 'not_connected' }
  | { readonly kind: 'problem'; readonly place: SettingsPlace; readonly problem: ConnectionProblem };

/** `undefined` when a person went away. Throws `MemoryError` `changed` when the file changed while they read. */
export async function connectClaudeCode(
  asking: HookAsking,
  places: HookPlaces,
  connection: HookConnection,
  hooks: {
    readonly command: string;
    /** What is added, a line an event. */
    readonly lines: readonly string[];
    readonly writeLauncher: () => Promise<void>;
  },
  { t }: Words,
): Promise<HookOutcome | undefined> {
  const { user, local } = places;
  const options = [
    { label: t('In all projects'), description: user.label, value: user },
    ...(local ? [{ label: t('Only in this project, on this machine'), description: local.label, value: local }] : []),
  ];
  const title = t('Connect Claude Code');
  const place = await asking.pick(title, t('Where should Claude Code find the hooks?'), options);
  if (!place) return undefined;
  const plan = await connection.planConnect(place.file, hooks.command);
  if ('problem' in plan) return { kind: 'problem', place, problem: plan };
  const isThere = plan.before === plan.after;
  if (!isThere) {
    const explained = t(
      'With each prompt, Claude Code is handed the memories that fit. When a turn or a session ends, Reverie hears of it at once. A copy of the file is kept, and Disconnect Claude Code takes out exactly this.',
    );
    const detail = [...hooks.lines, explained].join('\n\n');
    const isWanted = await asking.confirm(t('Add hooks to {0}?', place.label), detail, t('Connect'));
    if (!isWanted) return undefined;
  }
  await hooks.writeLauncher();
  const problem = await connection.apply(plan);
  if (problem) return { kind: 'problem', place, problem };
  const state = await connection.state(place.file);
  const isDisabled = 'problem' in state ? false : state.isDisabled;
  return { kind: isThere ? 'already' : 'connected', place, isDisabled };
}

/** As `connectClaudeCode`; takes the hooks out of both places. */
export async function disconnectClaudeCode(
  asking: HookAsking,
  places: HookPlaces,
  connection: HookConnection,
  { t }: Words,
): Promise<HookOutcome | undefined> {
  const plans: { readonly place: SettingsPlace; readonly plan: ConnectionPlan }[] = [];
  for (const place of [places.user, ...(places.local ? [places.local] : [])]) {
    const plan = await connection.planDisconnect(place.file);
    if ('problem' in plan) return { kind: 'problem', place, problem: plan };
    if (plan.before !== plan.after) plans.push({ place, plan });
  }
  if (plans.length === 0) return { kind: 'not_connected' };
  const labels = plans.map(({ place }) => place.label).join(', ');
  const question = t('Take Reverie’s hooks out of {0}?', labels);
  const isWanted = await asking.confirm(question, t('Everything else in there stays as it is.'), t('Disconnect'));
  if (!isWanted) return undefined;
  for (const { place, plan } of plans) {
    const problem = await connection.apply(plan);
    if (problem) return { kind: 'problem', place, problem };
  }
  return { kind: 'disconnected', places: plans.map(({ place }) => place) };
}

/** What came of it, as a sentence. */
export function outcomeText(outcome: HookOutcome, { t }: Words): string {
  switch (outcome.kind) {
    case 'connected':
    case 'already': {
      const { label } = outcome.place;
      if (outcome.isDisabled)
        return t(
          'Claude Code is connected in {0}, but disableAllHooks stands there: it runs no hooks until that is taken out.',
          label,
        );
      return outcome.kind === 'already'
        ? t('Claude Code is connected in {0} already.', label)
        : t('Claude Code is connected in {0}. Sessions that begin from now on use memory.', label);
    }
    case 'disconnected':
      return t('Claude Code is disconnected. {0}', outcome.places.map(({ label }) => label).join(', '));
    case 'not_connected':
      return t('Claude Code is not connected.');
    case 'problem': {
      const { label } = outcome.place;
      const { problem, detail = '' } = outcome.problem;
      if (problem === 'broken') return t('{0} is no valid JSON. Nothing was changed; mend it first.', label);
      if (problem === 'odd')
        return t('In {0}, {1} is not what Claude Code expects. Nothing was changed; mend it first.', label, detail);
      if (problem === 'read_only')
        return t('{0} can’t be written. Nothing was changed. Make it writable, or add the hooks by hand.', label);
      return t('{0} is no settings file that can be changed. Nothing was changed.', label);
    }
  }
}
