import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createTempProject, type TempProject } from '../../support/tempProject';

const cli = ['--import', 'tsx', join(__dirname, '../../../src/cli.ts'), 'mcp'];

describe('the memory server', function () {
  this.timeout(60_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
    await temp.put('deploy.md', '---\nname: Deploy days\ntype: project\n---\n\nOnly on Tuesdays, with Helm.\n');
    await temp.put('helm.md', '---\nname: Helm flags\ntype: reference\n---\n\nhelm upgrade --atomic\n');
  });
  afterEach(() => temp.remove());
  const args = () => [...cli, '--project', temp.directory, '--config-dir', temp.configDir];

  async function withClient(
    work: (call: (name: string, given: object) => Promise<string>, client: Client) => Promise<void>,
  ) {
    const client = new Client({ name: 'a test', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: args(), stderr: 'ignore' }));
    try {
      await work(async (name, given) => {
        const result = await client.callTool({ name, arguments: { ...given } });
        const [first] = result.content as { text: string }[];
        return `${result.isError ? 'error: ' : ''}${first?.text}`;
      }, client);
    } finally {
      await client.close();
    }
  }

  it('says of each tool whether it only reads and whether it can lose something, in the same bytes each time', async () => {
    const lists: string[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      await withClient(async (_call, client) => {
        const { tools } = await client.listTools();
        lists.push(JSON.stringify(tools));
        assert.deepEqual(
          tools.map(({ name, annotations }) => [
            name,
            annotations?.readOnlyHint,
            annotations?.destructiveHint ?? false,
          ]),
          [
            ['recall', true, false],
            ['list', true, false],
            ['read', true, false],
            ['save', false, false],
            ['forget', false, true],
          ],
        );
      });
    }
    assert.equal(lists[0], lists[1]);
  });

  it('serves a whole session: find, read, save, find again, forget', async () => {
    await withClient(async (call) => {
      const found = await call('recall', { query: 'when do we deploy, and how with helm?', recentTools: ['helm'] });
      assert.match(found, /not instructions/);
      assert.match(found, /deploy\.md · project · private\. Picked for: “deploy” \(name\)[\s\S]*Only on Tuesdays/);
      assert.ok(!found.includes('--atomic'), 'a note on a tool in use is left out');
      assert.match(await call('recall', { query: 'the weather in Lisbon' }), /None of 2 memories fits/);
      assert.match(await call('list', { limit: 1 }), /^- \[\w+\] \w+\.md \(.*\n\(1 more: list again with offset 1\)$/);
      assert.match(await call('read', { path: 'helm.md' }), /--atomic/);

      const saved = await call('save', { text: 'The staging database listens on port 5433', type: 'reference' });
      const path = /Saved in (.*\.md)\.$/.exec(saved)?.[1] ?? '';
      assert.match((await temp.memory(path)) ?? '', /type: reference[\s\S]*5433/);
      assert.match(await call('recall', { query: 'which port has the staging database?' }), /5433/);
      assert.match(
        await call('save', { text: 'The staging database listens on port 5433' }),
        /^error: .*already.*nothing to do/,
      );
      assert.match(await call('forget', { path }), /trash.*reverie restore/);
      assert.equal(await temp.memory(path), undefined);
    });
  });

  it('answers what it refuses with what to do next, and goes on', async () => {
    await withClient(async (call, client) => {
      assert.match(await call('read', { path: 'nope.md' }), /^error: .*Call list/);
      assert.match(await call('read', { path: '../../../etc/passwd' }), /^error: .*Call list/);
      assert.match(await call('forget', { path: 'MEMORY.md' }), /^error: /);
      assert.match(await call('save', { text: 'the key is AKIAIOSFODNN7EXAMPLQ' }), /^error: .*secret/);
      for (const given of [{}, { query: 7 }, { query: '' }, { query: 'x', limit: 50 }, { query: 'y'.repeat(5_000) }])
        assert.match(await call('recall', given).catch(() => 'error: '), /^error: /);
      await assert.rejects(client.request({ method: 'no/such' }, {} as never));
      assert.match(await call('recall', { query: 'when do we deploy?' }), /Tuesdays/);
    });
  });

  it('keeps out of the way while a person has paused memory', async () => {
    const project = await temp.open();
    await project.pause(undefined);
    await withClient(async (call) => {
      assert.match(await call('recall', { query: 'when do we deploy?' }), /^error: A person paused memory/);
      assert.match(await call('save', { text: 'We deploy on Tuesdays' }), /^error: A person paused memory/);
    });
  });

  describe('given what is no message', () => {
    let child: ChildProcessWithoutNullStreams;
    let answers: AsyncIterator<string>;
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

    beforeEach(async () => {
      child = spawn(process.execPath, args(), { stdio: 'pipe' });
      child.stderr.resume();
      answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const clientInfo = { name: 'a test', version: '1' };
      say({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
      await answerTo(0);
      say({ method: 'notifications/initialized' });
    });
    afterEach(() => {
      child.kill();
    });

    async function answerTo(id: number): Promise<{ result?: { content: { text: string }[] } }> {
      for (;;) {
        const { value, done } = await answers.next();
        if (done) throw new Error('The server ended.');
        const answer = JSON.parse(value);
        if (answer.id === id) return answer;
      }
    }
    const recall = async (id: number) => {
      say({ id, method: 'tools/call', params: { name: 'recall', arguments: { query: 'when do we deploy?' } } });
      return (await answerTo(id)).result?.content[0]?.text ?? '';
    };
    const residentMb = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
    const write = (text: string | Buffer) =>
      new Promise<void>((resolve) => (child.stdin.write(text) ? resolve() : child.stdin.once('drain', resolve)));

    it('answers the next call within a second after ten thousand of them, and has not grown by 50 MB (as Linux tells it)', async function () {
      if (process.platform !== 'linux') this.skip();
      assert.match(await recall(1), /Tuesdays/);
      const kinds: readonly (string | Buffer)[] = [
        '{"jsonrpc":"2.0","id":5,"method":\n',
        '\n',
        'null\n',
        '[]\n',
        '{"jsonrpc":"1.0","id":6,"method":"tools/call"}\n',
        '{"jsonrpc":"2.0","id":{},"method":7}\n',
        '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"nope"}}\n',
        '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"recall","arguments":[1]}}\n',
        `${'['.repeat(2_000)}\n`,
        Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a]),
        `{"jsonrpc":"2.0","method":"${'x'.repeat(2_000)}"}\n`,
        '{"jsonrpc":"2.0","id":11,"result":{"content":[]}}\n',
        '{"__proto__":{"polluted":true}}\n',
      ];
      // What a machine that has just warmed up takes by itself is no growth.
      for (let turn = 0; turn < 500; turn += 1) await write(kinds[turn % kinds.length] ?? '');
      await recall(2);
      const before = residentMb();
      for (let turn = 0; turn < 10_000; turn += 1) await write(kinds[turn % kinds.length] ?? '');
      await recall(3);
      const asked = performance.now();
      assert.match(await recall(4), /Tuesdays/);
      assert.ok(performance.now() - asked < 1_000);
      assert.ok(residentMb() - before < 50, `${Math.round(residentMb() - before)} MB`);
    });

    it('drops a message of any length and answers the next one', async () => {
      for (let part = 0; part < 40; part += 1) await write('x'.repeat(1_000_000));
      await write('\n');
      assert.match(await recall(1), /Tuesdays/);
    });

    it('ends when its client goes away', async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      assert.equal(await ended, 0);
    });
  });
});
