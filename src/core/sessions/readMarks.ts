// What of a chat was read already, where its file may be rewritten at any time: kept by the id of each request and by what was
// said in it, never by bytes. A request that was sent again with the same words is known; one with other words is new; words
// said twice are two. Nothing is lost by a file that shrank, and nothing is read twice because it was written anew.

import { sha256 } from '../files';

/** One line a request: a hash of its id, one of its words, and `+` when its answer was read, too. */
export type ReadMarks = readonly string[];

export interface Request {
  readonly id: string;
  /** What a person said. */
  readonly text: string;
  /** Its answer has come to its end. */
  readonly isSealed: boolean;
}

/** `answer`: the words are known, the answer that has come since is not. */
export type News = 'new' | 'answer' | 'known';

/** Requests of one chat that are remembered; of a longer one, the newest. */
const mostMarks = 5_000;
const hashLength = 12;

const hashOf = (text: string): string => sha256(text).slice(0, hashLength);

/**
 * What words are compared by: two products write one question down with and without the names of what is attached to it and
 * of who was asked.
 */
function plainWords(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/(^|\s)[#@/][\w:./\\-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain === '' ? text : plain;
}

interface Mark {
  readonly id: string;
  readonly text: string;
  readonly isAnswered: boolean;
}

function parse(line: string): Mark | undefined {
  const found = /^([0-9a-f]+):([0-9a-f]+)(\+?)$/.exec(line);
  return found ? { id: found[1] ?? '', text: found[2] ?? '', isAnswered: found[3] === '+' } : undefined;
}

const format = ({ id, text, isAnswered }: Mark): string => `${id}:${text}${isAnswered ? '+' : ''}`;

const markOf = ({ id, text, isSealed }: Request): Mark => ({
  id: hashOf(id),
  text: hashOf(plainWords(text)),
  isAnswered: isSealed,
});

const keyOf = ({ id, text }: Pick<Mark, 'id' | 'text'>): string => `${id}:${text}`;

/** What is new of these requests, in their order, and the marks once all of them have been read. */
export function readingOf(
  requests: readonly Request[],
  marks: ReadMarks,
): { readonly news: readonly News[]; readonly marks: ReadMarks } {
  const present = requests.map(markOf);
  const ids = new Set(present.map(({ id }) => id));
  const known = new Map<string, Mark>();
  /** By words: those whose request is no longer there under its id. */
  const gone = new Map<string, Mark[]>();
  for (const line of marks) {
    const mark = parse(line);
    if (!mark) continue;
    known.set(keyOf(mark), mark);
    if (!ids.has(mark.id)) gone.set(mark.text, [...(gone.get(mark.text) ?? []), mark]);
  }
  const news = present.map((mark): News => {
    const own = known.get(keyOf(mark));
    const before = own ?? gone.get(mark.text)?.shift();
    if (before && before !== own) known.delete(keyOf(before));
    // Set anew, so that what is still there is the newest.
    known.delete(keyOf(mark));
    known.set(keyOf(mark), { ...mark, isAnswered: mark.isAnswered || before?.isAnswered === true });
    if (!before) return 'new';
    return mark.isAnswered && !before.isAnswered ? 'answer' : 'known';
  });
  return { news, marks: [...known.values()].slice(-mostMarks).map(format) };
}

/** Whether all that one reading knew is known to another. */
export function covers(marks: ReadMarks, of: ReadMarks): boolean {
  const all = new Set(marks);
  return of.every((line) => all.has(line) || (!line.endsWith('+') && all.has(`${line}+`)));
}

/** Whether this request was read. */
export function isRead(marks: ReadMarks, id: string, text: string): boolean {
  const line = keyOf(markOf({ id, text, isSealed: false }));
  return marks.some((mark) => mark === line || mark === `${line}+`);
}
