// The tests' end of the companion inside a host (see `../companion/extension.js`): what its chat model shall say next, and what
// that model was asked. And waiting for what a host does in its own time.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelReply } from '../server';

const folder = process.env.HOST_COMPANION ?? '';

/** The companion's chat model. */
export const chatModelId = 'reverietest/test-1';

/** What a model writes to keep one fact that the person said. */
export const pnpmMemory =
  '---\nname: Use pnpm here\ndescription: pnpm, never npm\nmetadata:\n  type: feedback\n  sources: [1]\n---\nUse pnpm here, never npm.\n';

export interface CompanionRequest {
  readonly messages?: readonly { readonly parts: readonly { readonly text?: string }[] }[];
  readonly tools?: readonly string[];
  /** It heard of a cancellation. */
  readonly cancelled?: boolean;
}

export const reply = (...replies: readonly ModelReply[]): void =>
  writeFileSync(join(folder, 'replies.json'), JSON.stringify(replies));

export function requests(): readonly CompanionRequest[] {
  const file = join(folder, 'requests.jsonl');
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
}

/** Resolves with the first answer that is neither `undefined` nor `false`; throws when none comes. */
export async function until<T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
): Promise<T> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`never came: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
