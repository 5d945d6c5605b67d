// Whether git is on this machine (tests that need it say so when they are skipped), and git as nobody has set it up: of the
// settings and the variables here nothing reaches it.

import { execFileSync, spawnSync } from 'node:child_process';

export const hasGit = spawnSync('git', ['--version'], { stdio: 'ignore' }).status === 0;

/** What it prints; throws when it fails. `env` may say who commits. */
export const runGit = (home: string, folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string =>
  execFileSync('git', ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...env },
  });
