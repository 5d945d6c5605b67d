// The memory of one project as tools of the Model Context Protocol, over a pair of streams: recall, list, read, save and
// forget. Reads are marked as reads and what can lose something says so; every refusal tells what to do next. It holds out:
// a message that is no message is dropped, however long, and the next one is answered. It opens no port.

import { type Readable, Transform, type Writable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Logger } from './core/log';
import { manifestLine } from './core/memory/manifest';
import type { MemoryHeader, MemoryType } from './core/memory/memory';
import type { Project } from './core/project';
import { answered as answeredTool, framing, recalledText, refused, type ToolAnswer } from './toolAnswers';

/** A line longer than this is no message of a client in its right mind. */
const longestMessage = 1_048_576;
const longestQuery = 4_000;
const longestText = 20_000;
/** Of one memory, as much as `read` gives; whoever wants more has the file's path. */
const longestRead = 50_000;
const mostListed = 200;

const reads: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
const adds: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const removes: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

const memoryTypes = ['user', 'feedback', 'project', 'reference'] as const satisfies readonly MemoryType[];
const memoryPath = z
  .string()
  .min(1)
  .max(1024)
  .describe('Path of a memory, as recall and list give it, such as project-release.md');

/** Serves until `input` ends. Never rejects; what goes wrong with the streams is logged. */
export async function serveMcp(options: {
  readonly project: Project;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  /** What to bear in mind of an old memory. */
  readonly caveatOf: (memory: MemoryHeader) => string | undefined;
  readonly log: Logger;
}): Promise<void> {
  const { project, input, output, log } = options;
  const server = createServer(options);
  const lines = input.pipe(boundedLines(longestMessage));
  const transport = new StdioServerTransport(lines as unknown as typeof process.stdin, output as typeof process.stdout);
  // While someone asks, changes by others are watched for.
  const watching = project.onDidChangeMemories(() => {});
  const ended = new Promise<void>((resolve) => {
    lines.once('end', resolve);
    lines.once('close', resolve);
    // The client went away without a word.
    output.once('error', () => resolve());
    input.once('error', () => resolve());
  });
  server.server.onerror = (error) => log.debug(String(error));
  try {
    await server.connect(transport);
    await ended;
    await server.close();
  } catch (error) {
    log.warn(`The memory server: ${String(error)}`);
  } finally {
    watching.dispose();
  }
}

/** Passes whole lines on and drops those that are too long, so that no sender can fill the memory. */
function boundedLines(longest: number): Transform {
  let held: Buffer[] = [];
  let length = 0;
  let isTooLong = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let at = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, at)) {
        const rest = chunk.subarray(at, end + 1);
        if (!isTooLong && length + rest.length <= longest) this.push(Buffer.concat([...held, rest]));
        held = [];
        length = 0;
        isTooLong = false;
        at = end + 1;
      }
      const rest = chunk.subarray(at);
      length += rest.length;
      if (length > longest) {
        isTooLong = true;
        held = [];
      } else if (rest.length > 0) {
        held.push(rest);
      }
      done();
    },
  });
}

function createServer({ project, version, caveatOf }: Parameters<typeof serveMcp>[0]): McpServer {
  const server = new McpServer(
    { name: 'reverie', title: 'Reverie: Agent Memory', version },
    {
      instructions: `The memory of this project. Recall before you ask the person what they may have told before. ${framing}`,
    },
  );

  server.registerTool(
    'recall',
    {
      title: 'Recall',
      description:
        'Finds at most five memories of this project that fit a question: preferences, rules, decisions, references. Gives none when nothing fits.',
      inputSchema: {
        query: z.string().min(1).max(longestQuery).describe('What you want to know, in words that the memory may use'),
        limit: z.number().int().min(1).max(5).optional(),
        recentTools: z
          .array(z.string().max(200))
          .max(50)
          .optional()
          .describe('Tools you have used lately: notes on how to use them are left out'),
      },
      annotations: reads,
    },
    ({ query, limit, recentTools }) =>
      answered(project, async () => {
        const found = await project.recall(query, {
          way: 'mcp',
          ...(limit === undefined ? {} : { limit }),
          ...(recentTools === undefined ? {} : { recentTools }),
        });
        if (found.memories.length === 0)
          return `None of ${found.considered} memories fits. Ask with other words, or list them all.`;
        return recalledText(found);
      }),
  );

  server.registerTool(
    'list',
    {
      title: 'List memories',
      description: 'Lists the memories of this project, newest first, one a line: type, path, time, description.',
      inputSchema: {
        type: z.enum(memoryTypes).optional(),
        scope: z.enum(['private', 'team']).optional(),
        offset: z.number().int().min(0).optional(),
        limit: z.number().int().min(1).max(mostListed).optional(),
      },
      annotations: reads,
    },
    ({ type, scope, offset = 0, limit = 100 }) =>
      answered(project, async () => {
        const all = (await project.usable.heads()).filter(
          (head) => (type === undefined || head.type === type) && (scope === undefined || head.scope === scope),
        );
        const shown = all.slice(offset, offset + limit);
        if (shown.length === 0) return all.length === 0 ? 'There are no such memories.' : 'There are no more.';
        const left = all.length - offset - shown.length;
        const more = left > 0 ? [`(${left} more: list again with offset ${offset + shown.length})`] : [];
        return [...shown.map(manifestLine), ...more].join('\n');
      }),
  );

  server.registerTool(
    'read',
    {
      title: 'Read a memory',
      description: 'Gives the whole text of one memory.',
      inputSchema: { path: memoryPath },
      annotations: reads,
    },
    ({ path }) =>
      answered(project, async () => {
        const memory = await project.usable.read(path);
        if (!memory) return refused(`There is no memory “${path}”. Call list to see the paths there are.`);
        const note = caveatOf(memory);
        const text =
          memory.text.length > longestRead ? `${memory.text.slice(0, longestRead)}\n\n[Cut here]` : memory.text;
        return [...(note === undefined ? [] : [note, '']), text].join('\n');
      }),
  );

  server.registerTool(
    'save',
    {
      title: 'Save a memory',
      description:
        'Keeps one fact, preference or rule for later conversations, in the words of the person. Not for what the code or its history says, and never for secrets.',
      inputSchema: {
        text: z.string().min(1).max(longestText),
        type: z.enum(memoryTypes).optional(),
        scope: z.enum(['private', 'team']).optional().describe('team: shared with everybody who works on this project'),
        name: z.string().min(1).max(60).optional(),
      },
      annotations: adds,
    },
    ({ text, type, scope, name }) =>
      answered(project, async () => {
        const { path } = await project.remember({
          text,
          ...(type === undefined ? {} : { type }),
          ...(scope === undefined ? {} : { scope }),
          ...(name === undefined ? {} : { name }),
        });
        return `Saved in ${path}.`;
      }),
  );

  server.registerTool(
    'forget',
    {
      title: 'Forget a memory',
      description: 'Moves one memory to the trash, from where a person can bring it back for ninety days.',
      inputSchema: { path: memoryPath },
      annotations: removes,
    },
    ({ path }) =>
      answered(project, async () => {
        await project.forget([path]);
        return `Moved ${path} to the trash. To bring it back: reverie restore ${path}`;
      }),
  );
  return server;
}

/** An answer in the words of the protocol. */
async function answered(project: Project, work: () => Promise<string | ToolAnswer>): Promise<CallToolResult> {
  const { text, isError } = await answeredTool(project, 'Call list to see the paths there are.', work);
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}
