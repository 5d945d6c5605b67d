// What Claude Code tells a hook on standard input. A stranger wrote it: unknown fields are passed over, a field of another
// type is absent, and what is no object is no hook. It decides nothing and reads no file.

import { isObject, textField } from '../sessions/json';

/** Events that we answer or note down. Others are left alone. */
export const hookEvents = ['UserPromptSubmit', 'Stop', 'SessionEnd', 'PreCompact'] as const;
export type HookEvent = (typeof hookEvents)[number];

export interface HookInput {
  readonly event: HookEvent;
  readonly session: string;
  /** As given; need not exist. */
  readonly cwd: string | undefined;
  readonly transcript: string | undefined;
  /** What the person typed; empty for the other events. */
  readonly prompt: string;
}

/** As Claude Code makes them, and a name that may stand in a file. */
const sessionId = /^[A-Za-z0-9][\w.-]{0,127}$/;

/** `undefined`: nothing to do, because it is broken, another event's, without a session, or a subagent's. */
export function parseHookInput(text: string): HookInput | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const event = hookEvents.find((name) => name === value.hook_event_name);
  const session = textField(value, 'session_id');
  // A subagent's events carry its parent's session, which goes on.
  if (!event || !session || !sessionId.test(session) || value.agent_id != null) return undefined;
  return {
    event,
    session,
    cwd: textField(value, 'cwd'),
    transcript: textField(value, 'transcript_path'),
    prompt: event === 'UserPromptSubmit' ? (textField(value, 'prompt') ?? '') : '',
  };
}

const wholePrompt = 4_000;
const endLength = 600;

/** What of a prompt is a question. Of a long one, a pasted log say, that stands at its beginning or its end. */
export function questionOf(prompt: string): string {
  if (prompt.length <= wholePrompt) return prompt;
  const start = prompt.slice(0, endLength).replace(/\S*$/, '');
  const end = prompt.slice(-endLength).replace(/^\S*/, '');
  return `${start}\n${end}`;
}
