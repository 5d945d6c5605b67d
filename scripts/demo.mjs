// `npm run demo`: the cycle in the terminal, offline (demoCycle.ts). On a fresh clone nothing is installed: so only
// Node's own modules here.
import { ensureDependencies, runTypeScript } from './dependencies.mjs';

ensureDependencies();
await runTypeScript('scripts/demoCycle.ts');
