// Runs the command line in this process, on the folders of a test, and gives what it printed.

import { main } from '../../src/cli';
import type { TempProject } from './tempProject';

export async function runCommand(
  temp: TempProject,
  ...argv: readonly string[]
): Promise<{ readonly status: number; readonly out: string }> {
  const { write } = process.stdout;
  let out = '';
  process.stdout.write = (text: string | Uint8Array) => {
    out += text;
    return true;
  };
  try {
    const status = await main([...argv, '--project', temp.directory, '--config-dir', temp.configDir]);
    return { status, out };
  } finally {
    process.stdout.write = write;
  }
}
