// Our entries in a settings file of Claude Code, as a change of its text: added last where they belong, recognised by the
// launcher's path, brought up to date in place, taken out again. Every other byte stays: comments, trailing commas, line ends,
// indentation, a byte order mark, the hooks of others. A text that can't be read with certainty is refused, never mended.

import { applyEdits, createScanner, type Edit, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { lineEndOf } from '../memory/frontMatter';
import { type HookEvent, hookEvents } from './hookInput';

export interface SettingsProblem {
  readonly problem: 'broken' | 'odd';
  /** What is odd: the setting's name. */
  readonly detail?: string;
}

export interface Connected {
  readonly text: string;
  /** Settings that were not there before, `hooks` or `hooks.Stop`: to be taken out when nothing else is left in them. */
  readonly created: readonly string[];
}

export interface FoundHooks {
  /** Events that have an entry of ours. */
  readonly events: readonly HookEvent[];
  /** The commands of our entries, each once. */
  readonly commands: readonly string[];
  /** `disableAllHooks` stands in the file: nothing runs. */
  readonly isDisabled: boolean;
}

/** Seconds. Claude Code waits at the end of a session as long as the longest of these says. */
const timeouts: Readonly<Record<HookEvent, number>> = { UserPromptSubmit: 10, Stop: 10, SessionEnd: 5, PreCompact: 10 };

const entryOf = (event: HookEvent, command: string) => ({
  hooks: [{ type: 'command', command, timeout: timeouts[event] }],
});

/** What is added where nothing is, for a person to read or to add by hand: the whole of it, and a line an event. */
export const wantedHooks = (command: string): string =>
  JSON.stringify({ hooks: Object.fromEntries(hookEvents.map((event) => [event, [entryOf(event, command)]])) }, null, 2);
export const wantedLines = (command: string): readonly string[] =>
  hookEvents.map((event) => `"${event}": ${JSON.stringify([entryOf(event, command)])}`);

const ownCommand = /[\\/]reverie[\\/]bin[\\/]reverie-hook(?:\.cmd)?(?=["'\s]|$)/;

/** `text` is the file's, `undefined` when there is none. What is as it should be already comes back as it is. */
export function addHooks(text: string | undefined, command: string): Connected | SettingsProblem {
  const mark = text?.startsWith('\ufeff') ? '\ufeff' : '';
  let body = (text ?? '').slice(mark.length);
  const created: string[] = [];
  for (const event of hookEvents) {
    const added = addOne(body, event, command);
    if ('problem' in added) return added;
    body = added.text;
    created.push(...added.created);
  }
  return { text: mark + body, created };
}

/** Takes out every entry of ours, and of `created` what is left empty; without `created` all that is left empty. */
export function removeHooks(text: string, created?: readonly string[]): { readonly text: string } | SettingsProblem {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  let body = text.slice(mark.length);
  const isOurs = (path: string) => created === undefined || created.includes(path);
  for (;;) {
    const root = rootOf(body);
    if (root && 'problem' in root) return root;
    const own = root && ownEntries(root)[0];
    if (!root || !own) return { text: mark + body };
    let node: Node = own.hook;
    // An entry's group is ours when nothing else is in it.
    if (own.list.children?.length === 1) node = own.group;
    if (node === own.group && own.groups.children?.length === 1 && isOurs(`hooks.${own.event}`)) {
      node = own.property;
      const { hooks } = own;
      if (hooks.value.children?.length === 1 && isOurs('hooks')) node = hooks.property;
    }
    body = removeChild(body, node);
  }
}

export function findHooks(text: string): FoundHooks | SettingsProblem {
  const root = rootOf(text.replace(/^\ufeff/, ''));
  if (root && 'problem' in root) return root;
  const own = root ? ownEntries(root) : [];
  return {
    events: hookEvents.filter((event) => own.some((entry) => entry.event === event)),
    commands: [...new Set(own.map(({ command }) => command.value as string))],
    isDisabled: root !== undefined && memberOf(root, 'disableAllHooks')?.value === true,
  };
}

/** `undefined` for a text with nothing in it but blanks and comments. */
function rootOf(body: string): Node | SettingsProblem | undefined {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(body, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    // Brackets in brackets, deeper than any parser goes.
    return { problem: 'broken' };
  }
  if (errors.length > 0) return { problem: 'broken' };
  if (root === undefined) return undefined;
  if (root.type !== 'object') return { problem: 'odd', detail: 'the whole file' };
  return root;
}

function addOne(body: string, event: HookEvent, command: string): Connected | SettingsProblem {
  const root = rootOf(body);
  const entry = entryOf(event, command);
  if (root === undefined) {
    const eol = lineEndOf(body);
    const start = body === '' || /[\r\n]\s*$/.test(body) ? body : body + eol;
    const json = JSON.stringify({ hooks: { [event]: [entry] } }, null, 2).replaceAll('\n', eol);
    return { text: `${start}${json}${eol}`, created: ['hooks', `hooks.${event}`] };
  }
  if ('problem' in root) return root;
  const hooks = memberOf(root, 'hooks');
  if (!hooks) {
    const created = ['hooks', `hooks.${event}`];
    return { text: insertLast(body, root, root, 'hooks', { [event]: [entry] }), created };
  }
  if (hooks.type !== 'object') return { problem: 'odd', detail: 'hooks' };
  const groups = memberOf(hooks, event);
  if (!groups) return { text: insertLast(body, root, hooks, event, [entry]), created: [`hooks.${event}`] };
  if (groups.type !== 'array') return { problem: 'odd', detail: `hooks.${event}` };
  const [own, ...doubles] = ownEntries(root).filter((each) => each.event === event);
  if (!own) return { text: insertLast(body, root, groups, undefined, entry), created: [] };
  const [double] = doubles;
  if (double) {
    const node = double.list.children?.length === 1 ? double.group : double.hook;
    return addOne(removeChild(body, node), event, command);
  }
  if (own.command.value === command) return { text: body, created: [] };
  const { offset, length } = own.command;
  return { text: applyEdits(body, [{ offset, length, content: JSON.stringify(command) }]), created: [] };
}

/** The value that counts where a key stands twice: the last, as in every JSON parser. */
const propertyOf = (object: Node, key: string): Node | undefined =>
  object.children?.findLast((property) => property.children?.[0]?.value === key);
const memberOf = (object: Node, key: string): Node | undefined => propertyOf(object, key)?.children?.[1];

/** Where each entry of ours stands, whatever the event. */
function ownEntries(root: Node) {
  const hooksProperty = propertyOf(root, 'hooks');
  const hooksValue = hooksProperty?.children?.[1];
  if (!hooksProperty || hooksValue?.type !== 'object') return [];
  const hooks = { property: hooksProperty, value: hooksValue };
  return (hooksValue.children ?? []).flatMap((property) => {
    const groups = property.children?.[1];
    if (groups?.type !== 'array') return [];
    return (groups.children ?? []).flatMap((group) => {
      const list = group.type === 'object' ? memberOf(group, 'hooks') : undefined;
      if (list?.type !== 'array') return [];
      return (list.children ?? []).flatMap((hook) => {
        const command = hook.type === 'object' ? memberOf(hook, 'command') : undefined;
        if (typeof command?.value !== 'string' || !ownCommand.test(command.value)) return [];
        return [{ event: String(property.children?.[0]?.value), hooks, property, groups, group, list, hook, command }];
      });
    });
  });
}

/** Adds a value, with a key in an object, behind all others and the comments of the last one's line. */
function insertLast(body: string, root: Node, container: Node, key: string | undefined, value: unknown): string {
  const { offset, length, children = [] } = container;
  const end = offset + length - 1;
  const eol = lineEndOf(body);
  const prefix = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const last = children.at(-1);
  const outer = indentAt(body, offset);
  const unit = unitOf(body, root);
  const isFlat = last !== undefined && !body.slice(offset, end).includes('\n');
  if (isFlat) {
    const { commaAt, at } = tailOf(body, last.offset + last.length, end);
    const gap = /\s/.test(body.slice(offset + 1, last.offset)) || /[,:]\s/.test(body.slice(offset, end)) ? ' ' : '';
    const flat = prefix.replace(' ', gap) + JSON.stringify(value);
    if (commaAt !== undefined) return applyEdits(body, [insertion(at, `${gap}${flat},`)]);
    return applyEdits(body, [insertion(last.offset + last.length, ','), insertion(at, gap + flat)]);
  }
  const before = last && isFirstOfLine(body, last.offset) ? indentAt(body, last.offset) : outer + unit;
  const json = JSON.stringify(value, null, unit).replaceAll('\n', eol + before);
  const line = eol + before + prefix + json;
  if (last) {
    const { commaAt, at } = tailOf(body, last.offset + last.length, end);
    if (commaAt !== undefined) return applyEdits(body, [insertion(at, `${line},`)]);
    return applyEdits(body, [insertion(last.offset + last.length, ','), insertion(at, line)]);
  }
  const { at } = tailOf(body, offset + 1, end, true);
  const closing = body.slice(at, end).includes('\n') ? '' : eol + outer;
  return applyEdits(body, [insertion(at, line + closing)]);
}

const insertion = (offset: number, content: string): Edit => ({ offset, length: 0, content });

/**
 * What follows the last value up to the closing bracket: its comma, if there is one, and where the comments end that belong
 * to its line, or with `all` every comment.
 */
function tailOf(body: string, from: number, end: number, all = false): { commaAt: number | undefined; at: number } {
  const scanner = createScanner(body);
  scanner.setPosition(from);
  let commaAt: number | undefined;
  let at = from;
  let isSameLine = true;
  for (let kind = scanner.scan(); scanner.getTokenOffset() < end; kind = scanner.scan()) {
    const tokenEnd = scanner.getTokenOffset() + scanner.getTokenLength();
    if (kind === token.comma) {
      commaAt = scanner.getTokenOffset();
      at = tokenEnd;
      isSameLine = true;
    } else if (kind === token.lineBreak) isSameLine = false;
    else if (isComment(kind) && (isSameLine || all)) at = tokenEnd;
  }
  return { commaAt, at };
}

/** The parser's token kinds, which it declares in a way that can't be imported here. */
const token = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14 } as const;

const isComment = (kind: number): boolean => kind === token.lineComment || kind === token.blockComment;

/** Removes a child with one comma and the white space before it; comments stay. */
function removeChild(body: string, node: Node): string {
  const container = node.parent;
  if (!container?.children) return body;
  const { children } = container;
  const end = container.offset + container.length - 1;
  const index = children.indexOf(node);
  const next = children[index + 1];
  const previous = children[index - 1];
  const nodeEnd = node.offset + node.length;
  const own = tailOf(body, nodeEnd, next?.offset ?? end);
  let from = node.offset;
  while (/\s/.test(body[from - 1] ?? '')) from -= 1;
  const edits: Edit[] = [{ offset: from, length: nodeEnd - from, content: '' }];
  if (own.commaAt !== undefined) edits.push({ offset: own.commaAt, length: 1, content: '' });
  else if (previous) {
    const { commaAt } = tailOf(body, previous.offset + previous.length, node.offset);
    if (commaAt !== undefined) edits.push({ offset: commaAt, length: 1, content: '' });
  } else if (body.slice(nodeEnd, end).trim() === '' && body[from - 1] === body[container.offset]) {
    // The only one: what is left is an empty pair of brackets.
    edits[0] = { offset: from, length: end - from, content: '' };
  }
  const [first, comma] = edits;
  const rest = body.slice(comma && comma.offset > from ? comma.offset + 1 : nodeEnd);
  const start = previous ? previous.offset + previous.length : container.offset + 1;
  // What follows must not become a part of a comment.
  if (first && endsInLineComment(body, start, from) && !/^[ \t]*\r?\n/.test(rest)) {
    edits[0] = { ...first, content: lineEndOf(body) };
  }
  return applyEdits(body, edits);
}

function endsInLineComment(body: string, from: number, to: number): boolean {
  const scanner = createScanner(body);
  scanner.setPosition(from);
  let last: number | undefined;
  while (scanner.getPosition() < to) last = scanner.scan();
  return last === token.lineComment;
}

const lineStartOf = (body: string, at: number): number => body.lastIndexOf('\n', at - 1) + 1;
const indentAt = (body: string, at: number): string => /^[ \t]*/.exec(body.slice(lineStartOf(body, at), at))?.[0] ?? '';
const isFirstOfLine = (body: string, at: number): boolean => body.slice(lineStartOf(body, at), at).trim() === '';

/** One step of indentation, as the file has it. */
function unitOf(body: string, root: Node): string {
  const [first] = root.children ?? [];
  const unit = first && isFirstOfLine(body, first.offset) ? indentAt(body, first.offset) : '';
  return unit === '' ? '  ' : unit;
}
