// What was said in one of VS Code's chats, request by request, whichever file it was found in. A person's words are what they
// typed: not what they attached or referred to, no command and not what it stands for, nothing that the editor or an extension
// asked in their name. A question to our own participant is looked at by the conversation it belongs to, and here by nobody.

import { humanText } from './claudeCodeRecords';
import { isObject, type JsonObject, textField } from './json';
import type { ToolUse } from './transcript';

/** Why the words of a request are no person's; `human`: they are. */
export type RequestKind = 'human' | 'system' | 'confirmation' | 'participant' | 'truncated' | 'empty';

export interface Exchange {
  readonly id: string;
  readonly kind: RequestKind;
  /** Of a person; of no one, empty. */
  readonly text: string;
  /** Milliseconds; undefined where nothing says. */
  readonly at: number | undefined;
  /** The person took it back, or put something else in its place. */
  readonly isTakenBack: boolean;
  readonly answerId: string;
  readonly answer: string;
  readonly toolUses: readonly ToolUse[];
  /** The answer has come to its end, whatever end. */
  readonly isSealed: boolean;
  /** The answer is whole: neither stopped nor failed. */
  readonly isAnswered: boolean;
}

const ownParticipant = 'reverie.memory';

/** What stands where VS Code left out a text that was too long for it. */
const truncationMark = /^\[[^\]\n]{0,40}: value truncated for persistence\b/;
const isTruncated = (text: unknown): boolean => typeof text === 'string' && truncationMark.test(text);
/** What VS Code puts before a request that it makes itself and does not show. */
const hiddenMark = /^<!-- vscode-/;

/** Ends that VS Code knows: complete, cancelled, failed. Before an end a request is pending or waits for the person. */
const endStates: ReadonlySet<unknown> = new Set([1, 2, 3]);

/** How a person says no to a tool: denied, skipped. */
const deniedKinds: ReadonlySet<unknown> = new Set([0, 5]);

/** The exchanges of a session that was cut down to `sessionShape`, in its order; queued ones last. */
export function exchangesOf(session: JsonObject): readonly Exchange[] {
  const requests = objectsIn(session.requests);
  const waiting = objectsIn(session.pendingRequests).flatMap(({ id, request }): JsonObject[] =>
    isObject(request) ? [{ requestId: id, ...request, response: [], modelState: { value: 0 } }] : [],
  );
  const seen = new Set<string>();
  let at = timeIn(session.creationDate);
  const found: Exchange[] = [];
  for (const [index, request] of [...requests, ...waiting].entries()) {
    at = timeIn(request.timestamp) ?? at;
    const exchange = exchangeOf(request, idIn(request) ?? `request ${index}`, at, index < requests.length - 1);
    // A request that waited and was sent since may stand in both lists; another one under its id is another one.
    const key = `${exchange.id} ${exchange.text}`;
    if (seen.has(key)) continue;
    seen.add(key);
    found.push(exchange);
  }
  return found;
}

/** Where a whole entry was too long, even its ids were left out. */
function idIn(request: JsonObject): string | undefined {
  const id = textField(request, 'requestId');
  return id === undefined || isTruncated(id) ? undefined : id;
}

function exchangeOf(request: JsonObject, id: string, at: number | undefined, isFollowed: boolean): Exchange {
  const typed = typedIn(request.message);
  const kind = kindOf(request, typed);
  const { text: answer, toolUses } = answerIn(request.response);
  const state = stateOf(request);
  const hasFailed = isObject(request.result) && isObject(request.result.errorDetails);
  return {
    id,
    kind,
    text: kind === 'human' ? typed : '',
    at,
    isTakenBack: request.isHidden === true || isObject(request.shouldBeRemovedOnSend),
    answerId: textField(request, 'responseId') ?? `${id}-answer`,
    answer,
    toolUses,
    isSealed: isFollowed || endStates.has(state),
    isAnswered: (state === 1 || (state === undefined && isFollowed)) && !hasFailed,
  };
}

/** Versions before the state was kept say it by what there is. */
function stateOf({ modelState, isCanceled, result }: JsonObject): unknown {
  if (isObject(modelState)) return modelState.value;
  if (typeof modelState === 'number') return modelState;
  if (isCanceled === true) return 2;
  return isObject(result) ? 1 : undefined;
}

function kindOf(request: JsonObject, typed: string): RequestKind {
  const { message, origin } = request;
  const raw = isObject(message) ? message.text : message;
  const isHidden = request.hiddenFromTranscript === true || request.requestHiddenFromTranscript === true;
  const isEditors = isObject(origin) && typeof origin.kind === 'string' && !/user|human/i.test(origin.kind);
  if (isHidden || isEditors || request.isSystemInitiated === true) return 'system';
  if (typeof raw === 'string' && hiddenMark.test(raw)) return 'system';
  if (isObject(request.agent) && request.agent.id === ownParticipant) return 'participant';
  // Words of the button that was pressed.
  if (textField(request, 'confirmation') !== undefined) return 'confirmation';
  if (isTruncated(typed)) return 'truncated';
  return typed === '' ? 'empty' : 'human';
}

/** What was typed, of a request's message: a text, or a text with its parts. */
function typedIn(message: unknown): string {
  if (typeof message === 'string') return humanText(message);
  if (!isObject(message)) return '';
  const parts = objectsIn(message.parts);
  const isWhole = parts.length > 0 && !parts.some(({ kind, text }) => isTruncated(kind) || isTruncated(text));
  const words = isWhole ? parts.map(wordsOf).join('') : withoutReferences(textField(message, 'text') ?? '');
  return humanText(words.replace(/[^\S\n]{2,}/g, ' '));
}

/** A file that is named in a sentence keeps its name: without it the sentence would say something else. */
function wordsOf({ kind, text }: JsonObject): string {
  if (typeof text !== 'string') return '';
  if (kind === 'text' || kind === undefined) return text;
  return kind === 'dynamic' ? nameIn(text) : '';
}

/** `#file:retry.ts` is `retry.ts`; what refers to a tool or to what is selected is no word of a sentence. */
const nameIn = (reference: string): string =>
  /^[#@](?:\w+:(.+)|([\w.-]+\.\w+))$/s.exec(reference)?.slice(1).join('') ?? '';

/** Without parts: the same references in a plain text. */
export const withoutReferences = (text: string): string =>
  text
    .replace(/(^|\s)#\w+:(\S+)/g, '$1$2')
    .replace(/(^|\s)#[a-zA-Z]\w*(?=$|[\s.,;:!?])/g, '$1')
    .replace(/^\s*(?:@[\w.-]+\s+)?(?:\/[\w.-]+(?=\s|$))?/, '');

function answerIn(response: unknown): { readonly text: string; readonly toolUses: readonly ToolUse[] } {
  const texts: string[] = [];
  const toolUses: ToolUse[] = [];
  const parts = Array.isArray(response) ? response : [response];
  for (const part of parts) {
    if (typeof part === 'string') texts.push(isTruncated(part) ? '' : part);
    else if (isObject(part)) {
      texts.push(saidIn(part));
      toolUses.push(...toolsIn(part));
    }
  }
  return { text: texts.join('').trim(), toolUses };
}

function saidIn(part: JsonObject): string {
  const { kind, value, content } = part;
  if (isTruncated(value) || (isObject(content) && isTruncated(content.value))) return '';
  if (kind === undefined) return typeof value === 'string' ? value : '';
  if (kind === 'markdownContent' || kind === 'markdownVuln') {
    const inner = isObject(content) ? content.value : value;
    return typeof inner === 'string' ? inner : '';
  }
  if (kind !== 'inlineReference') return '';
  const { inlineReference: to } = part;
  const place = isObject(to) ? (pathIn(to) ?? (isObject(to.uri) ? pathIn(to.uri) : undefined)) : undefined;
  const name = textField(part, 'name') ?? (isObject(to) ? textField(to, 'name') : undefined);
  return name ?? place?.split(/[\\/]/).at(-1) ?? '';
}

function toolsIn(part: JsonObject): readonly ToolUse[] {
  switch (part.kind) {
    case 'toolInvocation':
    case 'toolInvocationSerialized': {
      const outcome = outcomeOf(part);
      return [{ name: textField(part, 'toolId') ?? 'tool', ...(outcome ? { outcome } : {}) }];
    }
    case 'textEditGroup':
    case 'notebookEditGroup':
      return isObject(part.uri) ? edited(part.uri) : [];
    case 'workspaceEdit':
      return objectsIn(part.edits).flatMap(({ newResource }) => (isObject(newResource) ? edited(newResource) : []));
    default:
      return [];
  }
}

function edited(uri: JsonObject): readonly ToolUse[] {
  const filePath = pathIn(uri);
  return filePath === undefined ? [] : [{ name: 'Edit', filePath, outcome: 'ok' }];
}

function outcomeOf({ isComplete, isConfirmed, resultDetails }: JsonObject): ToolUse['outcome'] {
  const isDenied = isConfirmed === false || (isObject(isConfirmed) && deniedKinds.has(isConfirmed.type));
  if (isDenied || (isObject(resultDetails) && resultDetails.isError === true)) return 'error';
  return isComplete === true ? 'ok' : undefined;
}

/** On the disk of whoever wrote it. */
function pathIn(uri: JsonObject): string | undefined {
  const path = textField(uri, 'fsPath') ?? textField(uri, 'path');
  return path?.replace(/^\/([a-z]:)/i, '$1');
}

const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

function timeIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}
