// `npm test`: makes sure that the dependencies are there, then runs every stage (testStages.ts, which names the options).
// Whatever happens, the last line of the output is `N passed, N failed`, with `, N skipped` when there are any.
import { ensureDependencies, runTypeScript } from './dependencies.mjs';

try {
  ensureDependencies();
  await runTypeScript('scripts/testStages.ts');
} catch (error) {
  console.log(error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
