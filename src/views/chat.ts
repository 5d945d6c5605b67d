// `@memory` in the editor's chat: the editor's requests and responses on one side, turns on the other. It registers at
// activation and loads nothing; a host without chat is left alone. Nothing it shows can run a command but the buttons that
// are its own, and what it says is never taken for what the person said.

import {
  type CancellationToken,
  type ChatContext,
  type ChatRequest,
  ChatRequestTurn,
  ChatResponseMarkdownPart,
  type ChatResponseStream,
  ChatResponseTurn,
  type ChatResult,
  chat,
  type Disposable,
  MarkdownString,
  ThemeIcon,
  Uri,
} from 'vscode';
import type { LanguageModel } from '../core/agent/languageModel';
import type { Exchange } from '../core/chat/conversations';
import type { Project } from '../core/project';
import { type ChatEnd, endIn, followupsOf } from './chatTexts';
import type { ChatOut, ChatProject } from './chatTurns';
import { toMarkdown } from './markdown';
import type { Words } from './words';

const participantId = 'reverie.memory';
/** Of a conversation that is not known any more, the newest turns are told again. */
const mostBefore = 10;

export interface ChatOptions {
  /** The project that a turn is about; `undefined` when no folder is open. */
  readonly project: () => Promise<ChatProject | undefined>;
  /** The model that the person picked in the chat. */
  readonly modelOf: (request: ChatRequest) => Promise<LanguageModel | undefined>;
  /** A failure as a sentence; `undefined` for a cancellation. Logs it. */
  readonly failure: (error: unknown) => string | undefined;
  readonly words: Words;
}

export function registerChat({ project, modelOf, failure, words }: ChatOptions): Disposable[] {
  if (!chat?.createChatParticipant) return [];
  async function handle(
    request: ChatRequest,
    context: ChatContext,
    response: ChatResponseStream,
    token: CancellationToken,
  ): Promise<ChatResult> {
    const stop = new AbortController();
    if (token.isCancellationRequested) stop.abort();
    const listening = token.onCancellationRequested(() => stop.abort());
    const last = context.history.findLast((turn) => turn instanceof ChatResponseTurn);
    const place = endIn(last?.result.metadata)?.place;
    try {
      const open = await project();
      if (!open) {
        response.markdown(words.t('Open a folder first: memory belongs to a project.'));
        return {};
      }
      const { takeTurn } = await import('./chatTurns');
      const end = await takeTurn(
        open,
        {
          command: request.command,
          prompt: request.prompt,
          place,
          before: exchanges(context),
          chatModel: await modelOf(request),
        },
        outOf(response, open.project),
        words,
        stop.signal,
      );
      return { metadata: { ...end } };
    } catch (error) {
      const message = stop.signal.aborted ? undefined : failure(error);
      // The conversation goes on from where it was.
      const metadata: Partial<ChatEnd> = place ? { place } : {};
      return { metadata, ...(message === undefined ? {} : { errorDetails: { message } }) };
    } finally {
      listening.dispose();
    }
  }

  const participant = chat.createChatParticipant(participantId, handle);
  participant.iconPath = new ThemeIcon('library');
  participant.followupProvider = {
    provideFollowups: ({ metadata }) => [...followupsOf(endIn(metadata), words)],
  };
  return [participant];
}

function outOf(response: ChatResponseStream, project: Project): ChatOut {
  const uriOf = async (path: string): Promise<Uri | undefined> => {
    try {
      return Uri.file(await project.locate(path));
    } catch {
      // A model may name what does not exist or lies elsewhere.
      return undefined;
    }
  };
  return {
    say: (pieces) => response.markdown(toMarkdown(pieces)),
    markdown(text) {
      const markdown = new MarkdownString(text);
      markdown.isTrusted = false;
      markdown.supportHtml = false;
      response.markdown(markdown);
    },
    progress: (text) => response.progress(text),
    async reference(path) {
      const uri = await uriOf(path);
      if (uri) response.reference(uri, new ThemeIcon('library'));
    },
    async anchor(path, name) {
      const uri = await uriOf(path);
      if (uri) response.anchor(uri, name);
    },
    button: ({ label, command, arguments: given }) =>
      response.button({ title: label, command, ...(given === undefined ? {} : { arguments: [...given] }) }),
  };
}

/** What was said before, question by question; commands and their results are no part of the conversation. */
function exchanges({ history }: ChatContext): readonly Exchange[] {
  const all: Exchange[] = [];
  for (const [at, turn] of history.entries()) {
    const next = history[at + 1];
    if (!(turn instanceof ChatRequestTurn) || turn.command !== undefined || !(next instanceof ChatResponseTurn))
      continue;
    const answer = next.response
      .map((part) => (part instanceof ChatResponseMarkdownPart ? part.value.value : ''))
      .join('');
    all.push({ question: turn.prompt, answer });
  }
  return all.slice(-mostBefore);
}
