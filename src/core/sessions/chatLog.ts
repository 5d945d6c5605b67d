// VS Code's chat sessions as they lie on disk, cut down to what a reader of words needs: one object (`.json`, version 3), or a
// log of changes to it (`.jsonl`), applied one after another. Facts: a line's `kind` is 0 the whole, 1 a value set at path `k`, 2
// items `v` pushed to the list at `k` after it was cut to `i`, 3 a value deleted. A line that fits nowhere changes nothing.

import { isObject, type JsonObject } from './json';
import { type Shape, type ShapeFields, shapeOf } from './jsonShape';

/** Of what was answered; a digest shows 2,000 characters of it. */
const answerText: Shape = 16 * 1024;
const uri: Shape = { path: true, fsPath: true, scheme: true };

const responsePart: ShapeFields = {
  kind: true,
  value: answerText,
  content: { value: answerText },
  toolId: true,
  toolCallId: true,
  isComplete: true,
  isConfirmed: { type: true },
  resultDetails: { isError: true },
  uri,
  edits: { '*': { newResource: uri } },
  inlineReference: { name: true, path: true, uri },
  name: true,
};

const request: ShapeFields = {
  requestId: true,
  timestamp: true,
  message: { text: true, parts: { '*': { kind: true, text: true } } },
  agent: { id: true },
  responseId: true,
  response: { '*': responsePart },
  modelState: { value: true },
  result: { errorDetails: { message: answerText } },
  isCanceled: true,
  isHidden: true,
  shouldBeRemovedOnSend: { requestId: true },
  hiddenFromTranscript: true,
  requestHiddenFromTranscript: true,
  isSystemInitiated: true,
  confirmation: true,
  origin: { kind: true },
};

/** Of the whole object. */
export const sessionShape: ShapeFields = {
  version: true,
  sessionId: true,
  creationDate: true,
  customTitle: true,
  requests: { '*': request },
  pendingRequests: { '*': { id: true, request } },
};

/** Of one line of the log. */
export const entryShape: ShapeFields = {
  kind: true,
  k: { '*': true },
  i: true,
  v: ({ kind, k }) => (kind === 0 ? sessionShape : Array.isArray(k) ? shapeAt(k) : undefined),
};

/** What is wanted at a path; `undefined`: nothing. */
function shapeAt(path: readonly unknown[]): Shape | undefined {
  let shape: Shape | undefined = path.length === 0 ? undefined : sessionShape;
  for (const step of path) {
    if (shape === undefined) return undefined;
    shape = shapeOf(shape, typeof step === 'number' ? '*' : String(step));
  }
  return shape;
}

/** Whether an object is a line of such a log. */
export const isLogEntry = ({ kind, k, v }: JsonObject): boolean =>
  kind === 0 ? isObject(v) : (kind === 1 || kind === 2 || kind === 3) && Array.isArray(k);

/** Whether an object is a whole session, of whatever version. */
export const isFlatSession = ({ requests }: JsonObject): boolean => Array.isArray(requests);

type Node = Record<string, unknown> | unknown[];

/** What a session's log comes to. Changed in place. */
export interface ChatState {
  readonly session: Record<string, unknown>;
}

export const emptyState = (): ChatState => ({ session: {} });

/** Applies a line that was cut down to `entryShape`, and returns what the session is then. */
export function applyEntry(state: ChatState, entry: JsonObject): ChatState {
  const { kind, k, v } = entry;
  if (kind === 0) return isObject(v) ? { session: v } : state;
  if (!Array.isArray(k) || k.length === 0 || shapeAt(k) === undefined) return state;
  const step = k.at(-1);
  const parent = nodeAt(state.session, k.slice(0, -1));
  if (parent === undefined || !isStep(parent, step)) return state;
  if (kind === 1) put(parent, step, v);
  else if (kind === 2) push(parent, step, v, entry.i);
  else if (kind === 3 && Array.isArray(parent)) put(parent, step, null);
  else if (kind === 3) delete (parent as Record<string, unknown>)[step as string];
  return state;
}

function push(parent: Node, step: string | number, v: unknown, i: unknown): void {
  const found = (parent as Record<string | number, unknown>)[step];
  const list: unknown[] = Array.isArray(found) ? found : [];
  if (typeof i === 'number' && Number.isInteger(i) && i >= 0 && i < list.length) list.length = i;
  // Not spread: a rewritten chat may be longer than a call's arguments.
  if (Array.isArray(v)) for (const each of v) list.push(each);
  put(parent, step, list);
}

function put(parent: Node, step: string | number, value: unknown): void {
  (parent as Record<string | number, unknown>)[step] = value;
}

function nodeAt(root: Node, path: readonly unknown[]): Node | undefined {
  let node: unknown = root;
  for (const step of path) {
    if (!isNode(node) || !isStep(node, step)) return undefined;
    node = Object.hasOwn(node, step) ? (node as Record<string | number, unknown>)[step] : undefined;
  }
  return isNode(node) ? node : undefined;
}

const isNode = (value: unknown): value is Node => isObject(value) || Array.isArray(value);

/** A list has no gaps: a place far behind its end is a damaged line's. */
function isStep(node: Node, step: unknown): step is string | number {
  if (!Array.isArray(node)) return typeof step === 'string' && step !== '__proto__';
  return typeof step === 'number' && Number.isInteger(step) && step >= 0 && step <= node.length;
}
