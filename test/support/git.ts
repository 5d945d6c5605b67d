// Whether git is on this machine: tests that need it say so when they are skipped.

import { spawnSync } from 'node:child_process';

export const hasGit = spawnSync('git', ['--version'], { stdio: 'ignore' }).status === 0;
