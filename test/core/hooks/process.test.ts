import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { launcherCommand, launcherOf, type Pointer, writeLauncher } from '../../../src/core/hooks/launcher';
import { createTempProject, type TempProject } from '../../support/tempProject';

const root = join(__dirname, '../../..');

describe('a hook’s process', function () {
  this.timeout(60_000);
  let home: TempProject;
  let bundle: string;
  let temp: TempProject;

  before(async () => {
    home = await createTempProject();
    bundle = join(home.base, 'ada.reverie-0.1.0/dist/hook.js');
    const script = `await (await import('./esbuild.mjs')).buildOne('hook', ${JSON.stringify(dirname(bundle))})`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: root });
  });
  after(() => home.remove());
  beforeEach(async () => {
    temp = await createTempProject();
    await temp.put('ship.md', '---\nname: Shipping\ntype: project\n---\n\nWe ship on Tuesdays, by hand.\n');
    // Front matter that needs a YAML parser.
    await temp.put('odd.md', '---\nname: "Odd \\"ship\\""\ntype: [project]\n---\n\nOddities ship never.\n');
  });
  afterEach(() => temp.remove());

  const prompt = (more: object = {}) =>
    JSON.stringify({
      session_id: 's1',
      hook_event_name: 'UserPromptSubmit',
      cwd: temp.directory,
      prompt: 'when do we ship on Tuesdays?',
      ...more,
    });
  async function run(
    input: string | Buffer | undefined,
    call: readonly string[] = [process.execPath, bundle],
    env = {},
  ) {
    const [file = '', ...args] = call;
    const child = spawn(file, args, {
      env: { PATH: process.env.PATH, HOME: temp.base, CLAUDE_CONFIG_DIR: temp.configDir, ...env },
    });
    let [out, said] = ['', ''];
    child.stdout.on('data', (data) => {
      out += data;
    });
    child.stderr.on('data', (data) => {
      said += data;
    });
    child.stdin.on('error', () => {});
    if (input !== undefined) child.stdin.end(input);
    const status = await new Promise((resolve) => child.once('close', resolve));
    child.stdin.destroy();
    return { out, said, status };
  }
  const silence = { out: '', said: '', status: 0 };

  it('prints the answer and nothing else', async () => {
    const { out, ...rest } = await run(prompt());
    assert.deepEqual(rest, { said: '', status: 0 });
    assert.match(JSON.parse(out).hookSpecificOutput.additionalContext, /We ship on Tuesdays/);
    assert.deepEqual(
      await run(JSON.stringify({ session_id: 's1', hook_event_name: 'Stop', cwd: temp.directory })),
      silence,
    );
  });

  it('ends with status 0 and in silence, whatever comes in or lies in the way', async () => {
    const inputs = ['', '\0\0', '{"hook_event_name"', prompt({ cwd: '/nowhere' }), Buffer.from([0xff, 0xfe, 0x00])];
    for (const input of inputs) assert.deepEqual(await run(input), silence);
    assert.deepEqual(await run(prompt({ more: 'x'.repeat(40 * 1024 * 1024) })), silence, 'longer than a hook can be');
    assert.match((await run(prompt({ session_id: 's2', more: 'x'.repeat(5 * 1024 * 1024) }))).out, /Shipping/);
    await rm(join(temp.configDir, 'reverie'), { recursive: true });
    await writeFile(join(temp.configDir, 'reverie'), 'a file where a folder should be');
    assert.deepEqual(
      await run(JSON.stringify({ session_id: 's', hook_event_name: 'Stop', cwd: temp.directory })),
      silence,
    );
  });

  it('gives up by itself when nobody ever ends its input', async () => {
    assert.deepEqual(await run(undefined), silence);
  });

  it('says on standard error what it did, when it is asked to', async () => {
    const { said, status } = await run(prompt(), undefined, { REVERIE_DEBUG: '1' });
    assert.match(said, /^reverie hook: 2 of 2 memories\.$/m);
    assert.equal(status, 0);
  });

  describe('through the launcher', () => {
    const pointer = (more: Partial<Pointer> = {}): Pointer => ({
      version: '0.1.0',
      bundle,
      runtime: process.execPath,
      ...more,
    });
    const written = () => readFile(join(dirname(launcherOf(temp.configDir)), 'current'), 'utf8');
    const launch = (input = prompt(), env = {}) => run(input, ['/bin/sh', '-c', launcherCommand(temp.configDir)], env);

    it('runs without node on the path, with the editor’s own executable told to be Node', async () => {
      const editor = join(temp.base, 'the editor');
      await writeFile(editor, `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] && exec '${process.execPath}' "$@"\n`);
      await chmod(editor, 0o755);
      await writeLauncher(temp.configDir, pointer({ runtime: editor }), nodeDisk);
      assert.match((await launch(prompt(), { PATH: '/nowhere' })).out, /Shipping/);
    });

    it('runs with node from the path when the editor is gone, and is silent when that is gone too', async () => {
      await writeLauncher(temp.configDir, pointer({ runtime: '/nowhere/code' }), nodeDisk);
      assert.match((await launch(prompt(), { PATH: dirname(process.execPath) })).out, /Shipping/);
      assert.deepEqual(await launch(prompt(), { PATH: '/nowhere' }), silence);
    });

    it('finds the bundle of an update that has not been started yet, and is silent when there is none', async () => {
      const old = dirname(dirname(bundle));
      const updated = old.replace('0.1.0', '0.2.0-linux-x64');
      await writeLauncher(temp.configDir, pointer(), nodeDisk);
      await rename(old, updated);
      try {
        assert.match((await launch()).out, /Shipping/);
        await rename(updated, `${home.base}/other`);
        assert.deepEqual(await launch(), silence);
      } finally {
        await rename(`${home.base}/other`, old);
      }
    });

    it('works from a folder with blanks and quotes in its name', async () => {
      const configDir = join(temp.base, "Ada's “config” $HOME");
      await mkdir(configDir);
      await writeLauncher(configDir, pointer(), nodeDisk);
      const { status, said } = await run(prompt(), ['/bin/sh', '-c', launcherCommand(configDir)]);
      assert.deepEqual({ status, said }, { status: 0, said: '' });
    });

    it('is silent when what runs the bundle fails', async () => {
      await writeLauncher(temp.configDir, pointer({ runtime: '/bin/false' }), nodeDisk);
      assert.deepEqual(await launch(), silence);
    });

    it('points to the newest that is there, and is written only when something differs', async () => {
      await writeLauncher(temp.configDir, pointer({ version: '0.10.0' }), nodeDisk);
      const { ino } = await stat(join(dirname(launcherOf(temp.configDir)), 'current'));
      await writeLauncher(temp.configDir, pointer({ version: '0.10.0' }), nodeDisk);
      await writeLauncher(temp.configDir, pointer({ version: '0.9.0', bundle: __filename }), nodeDisk);
      await writeLauncher(temp.configDir, pointer({ version: '0.10.0', bundle: __filename }), nodeDisk);
      assert.equal((await stat(join(dirname(launcherOf(temp.configDir)), 'current'))).ino, ino);
      await writeLauncher(temp.configDir, pointer({ version: '0.11.0', bundle: '/gone/hook.js' }), nodeDisk);
      assert.match(await written(), /^version=0\.11\.0$/m);
      await writeLauncher(temp.configDir, pointer({ version: '0.9.0' }), nodeDisk);
      assert.match(await written(), /^version=0\.9\.0$/m, 'what it pointed to is gone');
    });

    it('is a command for Windows’ shells too', () => {
      assert.match(launcherCommand('C:\\Users\\ada\\.claude', 'win32'), /\.claude.reverie.bin.reverie-hook\.cmd$/);
      assert.doesNotMatch(launcherCommand('C:\\Users\\ada', 'win32'), /\\/);
      assert.match(launcherCommand('C:\\Users\\Ada L', 'win32'), /^".*"$/);
    });
  });
});
