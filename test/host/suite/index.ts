// What the workbench loads inside the extension host (extensionTestsPath): runs every *.test.ts of this folder with mocha there.
// Results go to the file in HOST_RESULTS, one JSON line a test. A failed test rejects `run`, which is the exit code.

// What `suites:all` is: esbuild.mjs makes it from the files of this folder.
import { suites } from 'suites:all';
import Mocha from 'mocha';
import { recordResults } from '../../support/results';

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 20_000, color: false, reporter: 'min' });
  if (process.env.HOST_GREP) mocha.grep(new RegExp(process.env.HOST_GREP));
  // What mocha does before it loads a file: without it there is no `describe`.
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  for (const load of suites) await load();
  const failures = await new Promise<number>((done) => {
    const runner = mocha.run(done);
    if (process.env.HOST_RESULTS) recordResults(runner, process.env.HOST_RESULTS);
  });
  if (failures > 0) throw new Error(`${failures} failed`);
}
