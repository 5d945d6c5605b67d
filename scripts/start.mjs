// `npm start`: makes sure that the dependencies are there, then opens the sample project with Reverie in it (startSample.ts, which
// names the options). On a fresh clone nothing is installed: so only Node's own modules here.
import { ensureDependencies, runTypeScript } from './dependencies.mjs';

ensureDependencies();
await runTypeScript('scripts/startSample.ts');
