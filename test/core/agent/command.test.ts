// The command line says which engine works, why, and what models used; asked for a model by name, it does not do without.

import { strict as assert } from 'node:assert';
import { openSpend } from '../../../src/core/agent/spend';
import { nodeDisk } from '../../../src/core/disk';
import { defaultSettings, writeChoice, writeSettings } from '../../../src/core/engineSettings';
import { silentLogger } from '../../../src/core/log';
import { runCommand } from '../../support/commandLine';
import { createTempProject, type TempProject } from '../../support/tempProject';

describe('the engine on the command line', () => {
  let temp: TempProject;
  const before = { key: process.env.ANTHROPIC_API_KEY, url: process.env.ANTHROPIC_BASE_URL };
  beforeEach(async () => {
    temp = await createTempProject();
    delete process.env.ANTHROPIC_BASE_URL;
    process.env.ANTHROPIC_API_KEY = 'sk-env';
  });
  afterEach(async () => {
    await temp.remove();
    for (const [name, value] of [
      ['ANTHROPIC_API_KEY', before.key],
      ['ANTHROPIC_BASE_URL', before.url],
    ] as const) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  const status = async (...more: readonly string[]) =>
    JSON.parse((await runCommand(temp, 'status', '--json', ...more)).out);

  it('is offline until someone chose, though there is a key, and says so', async () => {
    const { provider, providerWhy, spend } = await status();
    assert.deepEqual([provider, providerWhy, spend.today, spend.dailyTokens], ['offline', 'not_chosen', 0, 0]);
    assert.match((await runCommand(temp, 'status')).out, /Engine {4}offline, nothing is sent: no model was chosen yet/);
  });

  it('is the model when it is asked for by name', async () => {
    const { provider, model, host } = await status('--provider', 'anthropic');
    assert.deepEqual([provider, model, host], ['anthropic', 'claude-sonnet-5-5', 'api.anthropic.com']);
  });

  it('is what a person chose in the editor, and what today cost stands beside it', async () => {
    await writeChoice(nodeDisk, temp.configDir, { engine: 'anthropic', host: 'api.anthropic.com', key: 'environment' });
    await writeSettings(nodeDisk, temp.configDir, { ...defaultSettings, spend: { dailyTokens: 900 } });
    const spend = openSpend({
      folder: `${temp.configDir}/reverie/spend`,
      disk: nodeDisk,
      now: Date.now,
      dailyTokens: () => 0,
      log: silentLogger,
    });
    const usage = { input: 100, cacheRead: 20, cacheWrite: 3, output: 4 };
    await spend.record({ purpose: 'extraction', model: 'm', usage });
    const found = await status();
    assert.deepEqual(
      [found.provider, found.spend.today, found.spend.dailyTokens, found.spend.usage],
      ['anthropic', 127, 900, usage],
    );
    assert.match((await runCommand(temp, 'status')).out, /Tokens {4}127 of 900 today, in 1 run/);
    assert.equal((await status('--provider', 'offline')).providerWhy, 'asked');
  });

  it('never prints the key', async () => {
    for (const argv of [['status'], ['status', '--json'], ['status', '--json', '--provider', 'anthropic']])
      assert.doesNotMatch((await runCommand(temp, ...argv)).out, /sk-env/);
  });

  it('does not extract by rules when a model was asked for by name and there is none', async () => {
    delete process.env.ANTHROPIC_API_KEY;
    const { status: code, out } = await runCommand(temp, 'extract', '--json', '--provider', 'anthropic');
    assert.equal(code, 1);
    assert.match(
      JSON.parse(out).error.message,
      /There is no model to ask: there is no API key for api\.anthropic\.com here/,
    );
  });

  it('knows three providers', async () => {
    assert.equal((await runCommand(temp, 'status', '--json', '--provider', 'other')).status, 2);
  });
});
