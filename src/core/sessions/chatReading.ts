// From the exchanges of a chat to what a reading hands out: what is new since a position, as messages. Nothing that was read is
// handed out again, whatever was rewritten; nothing that is there is left out. An answer that comes later comes alone.

import type { Exchange } from './chatExchange';
import { cutTitle } from './claudeCodeReading';
import { readingOf } from './readMarks';
import type { PastEnd, TitleOrigin, TranscriptMessage, TranscriptPosition, TranscriptReading } from './transcript';

export interface ChatFacts {
  readonly exchanges: readonly Exchange[];
  readonly customTitle: string | undefined;
  readonly size: number;
  /** Milliseconds. */
  readonly modifiedAt: number;
  /** The file as it was read. */
  readonly print: string;
  readonly bytesRead: number;
}

/** With `until`, only what was said before it, as nobody has looked at it. */
export function chatReading(facts: ChatFacts, after?: TranscriptPosition, until?: PastEnd): TranscriptReading {
  const { exchanges, modifiedAt, size } = facts;
  const firstAt = exchanges.find(({ at }) => at !== undefined)?.at ?? modifiedAt;
  let lastAt = firstAt;
  const all = exchanges.map((exchange) => {
    lastAt = exchange.at ?? lastAt;
    return { ...exchange, at: lastAt };
  });
  const since = until ? undefined : after?.since;
  const asked = all.filter(({ at }) => (since === undefined || at >= since) && at < (until?.since ?? Infinity));
  const { news, marks } = readingOf(asked, after?.marks ?? []);
  const messages = asked.flatMap((exchange, index) => {
    // A conversation of our own: whoever held it looks at it.
    if (news[index] === 'known' || exchange.kind === 'participant') return [];
    const answer = exchange.isSealed ? answerOf(exchange) : [];
    return news[index] === 'new' ? [promptOf(exchange), ...answer] : answer;
  });
  const firstNew = news.findIndex((each) => each !== 'known');
  const before = all[all.findIndex(({ id }) => id === asked[firstNew]?.id) - 1];
  const title = titleOf(facts);
  const last = all.findLast(({ isTakenBack }) => !isTakenBack);
  const sealedBy = last?.isSealed ? 'record' : undefined;
  return {
    messages,
    position: {
      offset: size,
      fingerprint: '',
      marks,
      print: facts.print,
      ...(after?.since === undefined ? {} : { since: after.since }),
      ...(title ? { title } : {}),
    },
    restarted: false,
    previousAssistant: before?.kind === 'participant' ? undefined : before?.answer || undefined,
    turnEnded: sealedBy !== undefined,
    sealedBy,
    messagesEnd: messages.length > 0 ? size : 0,
    bytesRead: facts.bytesRead,
    ...(title ? { title: title.text } : {}),
  };
}

type Timed = Exchange & { readonly at: number };

const promptOf = ({ id, at, kind, text, isTakenBack }: Timed): TranscriptMessage => ({
  uuid: id,
  offset: 0,
  role: 'user',
  at,
  human: kind === 'human',
  text,
  live: !isTakenBack,
  toolUses: [],
  final: false,
  userKind: kind,
});

function answerOf({ answerId, at, answer, toolUses, isTakenBack, isAnswered }: Timed): TranscriptMessage[] {
  if (answer === '' && toolUses.length === 0) return [];
  return [
    {
      uuid: answerId,
      offset: 0,
      role: 'assistant',
      at,
      human: false,
      text: answer,
      live: !isTakenBack,
      toolUses,
      final: isAnswered && answer !== '',
    },
  ];
}

function titleOf({ exchanges, customTitle }: ChatFacts): { text: string; from: TitleOrigin } | undefined {
  if (customTitle) return { text: cutTitle(customTitle), from: 'custom-title' };
  const first = exchanges.find(({ kind }) => kind === 'human')?.text;
  return first === undefined ? undefined : { text: cutTitle(first), from: 'prompt' };
}
