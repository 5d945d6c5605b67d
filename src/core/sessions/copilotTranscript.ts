// Copilot's own transcripts of its chats in VS Code: a log of events that is only added to, a line an event. They stand in for a
// session that VS Code itself kept no words of. What a tool brought and what was attached is read by nobody.

import { type Exchange, withoutReferences } from './chatExchange';
import { humanText, timeOf } from './claudeCodeRecords';
import { isObject, type JsonObject, textField } from './json';
import type { ShapeFields } from './jsonShape';
import type { ToolUse } from './transcript';

/** Where a tool writes; its arguments may stand as a text of JSON. */
const paths: ShapeFields = { filePath: true, file_path: true, path: true };

export const eventShape: ShapeFields = {
  type: true,
  id: true,
  timestamp: true,
  data: {
    sessionId: true,
    version: true,
    vscodeVersion: true,
    content: true,
    toolRequests: { '*': { toolCallId: true, name: true, arguments: paths } },
    toolCallId: true,
    toolName: true,
    arguments: paths,
    success: true,
  },
};

/** Whether an object is an event that VS Code's Copilot wrote; its command line writes the like elsewhere. */
export const isCopilotStart = ({ type, data }: JsonObject): boolean =>
  type === 'session.start' && isObject(data) && typeof data.vscodeVersion === 'string';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface Turn extends Omit<Mutable<Exchange>, 'toolUses' | 'answer'> {
  readonly texts: string[];
  readonly toolUses: Mutable<ToolUse>[];
  /** Calls that the last message asked for. */
  asked: number;
}

/** What the events so far come to. Changed in place. */
export interface CopilotState {
  readonly turns: Turn[];
  readonly calls: Map<string, Mutable<ToolUse>>;
}

export const emptyCopilotState = (): CopilotState => ({ turns: [], calls: new Map() });

/** Adds an event that was cut down to `eventShape`. */
export function addEvent(state: CopilotState, event: JsonObject): CopilotState {
  const data = isObject(event.data) ? event.data : {};
  const turn = state.turns.at(-1);
  switch (event.type) {
    case 'user.message': {
      if (turn) Object.assign(turn, { isSealed: true, isAnswered: turn.isAnswered || turn.texts.length > 0 });
      const id = textField(event, 'id') ?? `message ${state.turns.length}`;
      const text = humanText(withoutReferences(textField(data, 'content') ?? ''));
      state.turns.push({
        id,
        kind: text === '' ? 'empty' : 'human',
        text,
        at: timeOf(event) ?? turn?.at,
        isTakenBack: false,
        answerId: `${id}-answer`,
        texts: [],
        toolUses: [],
        isSealed: false,
        isAnswered: false,
        asked: 0,
      });
      break;
    }
    case 'assistant.message': {
      if (!turn) break;
      const text = textField(data, 'content')?.trim();
      if (text) turn.texts.push(text);
      const requests = Array.isArray(data.toolRequests) ? data.toolRequests.filter(isObject) : [];
      turn.asked = requests.length;
      for (const each of requests) addCall(state, turn, each.toolCallId, textField(each, 'name'), each.arguments);
      break;
    }
    case 'tool.execution_start':
      if (turn) addCall(state, turn, data.toolCallId, textField(data, 'toolName'), data.arguments);
      break;
    case 'tool.execution_complete': {
      const use = state.calls.get(textField(data, 'toolCallId') ?? '');
      if (use) use.outcome = data.success === false ? 'error' : 'ok';
      break;
    }
    case 'assistant.turn_end':
      // One turn of the model: with calls in it, another one follows.
      if (turn && turn.asked === 0) Object.assign(turn, { isSealed: true, isAnswered: turn.texts.length > 0 });
      break;
  }
  return state;
}

/** A call is written down when it is asked for and again when it begins; of an earlier turn that was told again, once. */
function addCall(state: CopilotState, turn: Turn, id: unknown, name = 'tool', given: unknown = undefined): void {
  if (typeof id === 'string' && state.calls.has(id)) return;
  const filePath = pathIn(given);
  const use: Mutable<ToolUse> = { name, ...(filePath === undefined ? {} : { filePath }) };
  turn.toolUses.push(use);
  if (typeof id === 'string') state.calls.set(id, use);
}

function pathIn(given: unknown): string | undefined {
  if (isObject(given)) return textField(given, 'filePath') ?? textField(given, 'file_path') ?? textField(given, 'path');
  if (typeof given !== 'string') return undefined;
  const found = /"(?:filePath|file_path|path)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(given);
  try {
    return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as string);
  } catch {
    return undefined;
  }
}

export const exchangesIn = ({ turns }: CopilotState): readonly Exchange[] =>
  turns.map(({ texts, asked: _asked, ...turn }) => ({ ...turn, answer: texts.join('\n') }));
