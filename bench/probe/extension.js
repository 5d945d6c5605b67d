// Measures from inside an extension host, on the word of whoever writes `ask.json` into the folder PROBE_FOLDER:
//   {"do":"activate","ids":[…]}  how long each extension takes to load and activate, in ms
//   {"do":"delay","ms":n}        the longest time the event loop was blocked during the next n ms
// The answer goes to `answer.json`.
const { watch, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { monitorEventLoopDelay, performance } = require('node:perf_hooks');
const vscode = require('vscode');

const folder = process.env.PROBE_FOLDER;

/** @param {{ do: string, ids: string[], ms: number }} question */
async function answer({ do: task, ids, ms }) {
  if (task === 'activate') {
    /** @type {Record<string, number>} */
    const times = {};
    for (const id of ids) {
      const extension = vscode.extensions.getExtension(id);
      if (!extension || extension.isActive) throw new Error(`${id} is ${extension ? 'active already' : 'not there'}`);
      const before = performance.now();
      await extension.activate();
      times[id] = performance.now() - before;
    }
    return times;
  }
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await new Promise((done) => setTimeout(done, ms));
  delay.disable();
  return { maxMs: delay.max / 1e6 - 5 };
}

exports.activate = () => {
  if (!folder) return;
  const look = async () => {
    const ask = join(folder, 'ask.json');
    let text;
    try {
      text = readFileSync(ask, 'utf8');
      rmSync(ask);
    } catch {
      return;
    }
    const result = await answer(JSON.parse(text)).catch((error) => ({ error: String(error) }));
    writeFileSync(join(folder, 'answer.tmp'), JSON.stringify(result));
    renameSync(join(folder, 'answer.tmp'), join(folder, 'answer.json'));
  };
  watch(folder, () => void look());
  void look();
};
