// Measures from inside an extension host, on the word of whoever writes `ask.json` into the folder PROBE_FOLDER:
//   {"do":"times"}               how long each extension with a stopwatch took to load and activate, in ms
//   {"do":"delay","ms":n}        the longest time the event loop was blocked during the next n ms
// The answer goes to `answer.json`.
const { watch, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const folder = process.env.PROBE_FOLDER;

/** @param {{ do: string, ms: number }} question */
async function answer({ do: task, ms }) {
  if (task === 'times') return /** @type {any} */ (globalThis).probeTimes;
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
