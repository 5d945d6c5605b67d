// The launcher that settings files name: a script in our own folder that outlives updates of the extension. A file beside
// it says where the hook's bundle lies and what runs it; whoever is newest writes that file, and only when it differs. The
// script ends with status 0 whatever it finds, and needs no program on the path but a shell.

import { randomBytes } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import type { Disk } from '../disk';
import { replaceFile } from '../files';

export interface Pointer {
  /** `1.2.3`; a higher one is newer. */
  readonly version: string;
  /** Absolute path of the bundle. */
  readonly bundle: string;
  /** Absolute path of Node, or of an editor's executable, which is Node when it is told so. */
  readonly runtime: string;
}

const pointerName = 'current';

const shell = `#!/bin/sh
# Starts Reverie's hook for Claude Code. Reverie writes this file and the one it reads; changes here are lost.
here=\${0%/*}
bundle=
runtime=
[ -r "$here/${pointerName}" ] || exit 0
while IFS='=' read -r key value; do
  case $key in
    bundle) bundle=$value ;;
    runtime) runtime=$value ;;
  esac
done <"$here/${pointerName}"
if [ ! -f "$bundle" ]; then
  # The extension was updated and has not been started since: its new folder lies beside the old one.
  old=\${bundle%/dist/hook.js}
  for found in "\${old%-*}"-*/dist/hook.js; do
    [ -f "$found" ] && bundle=$found
  done
fi
[ -f "$bundle" ] || exit 0
if [ -x "$runtime" ]; then
  ELECTRON_RUN_AS_NODE=1 "$runtime" "$bundle"
elif command -v node >/dev/null 2>&1; then
  node "$bundle"
fi
exit 0
`;

const batch = [
  '@echo off',
  "rem Starts Reverie's hook for Claude Code. Reverie writes this file and the one it reads; changes here are lost.",
  'setlocal DisableDelayedExpansion',
  'chcp 65001 >nul 2>nul',
  'set "bundle="',
  'set "runtime="',
  `if not exist "%~dp0${pointerName}" exit /b 0`,
  `for /f "usebackq tokens=1* delims==" %%a in ("%~dp0${pointerName}") do (`,
  '  if "%%a"=="bundle" set "bundle=%%b"',
  '  if "%%a"=="runtime" set "runtime=%%b"',
  ')',
  'if not exist "%bundle%" exit /b 0',
  'set "ELECTRON_RUN_AS_NODE=1"',
  'if not exist "%runtime%" set "runtime=node"',
  '"%runtime%" "%bundle%"',
  'exit /b 0',
  '',
].join('\r\n');

const folderOf = (configDir: string): string => join(configDir, 'reverie', 'bin');

/** Absolute path of the script that a settings file names. */
export const launcherOf = (configDir: string, platform: NodeJS.Platform = process.platform): string =>
  join(folderOf(configDir), platform === 'win32' ? 'reverie-hook.cmd' : 'reverie-hook');

/** The launcher as a command for the shell that runs hooks. */
export function launcherCommand(configDir: string, platform: NodeJS.Platform = process.platform): string {
  const path = launcherOf(configDir, platform);
  // On Windows hooks run in Git's shell or in PowerShell: both take forward slashes.
  if (platform === 'win32') {
    const forward = path.replaceAll('\\', '/');
    return /^[\w:/.@+-]+$/.test(forward) ? forward : `"${forward}"`;
  }
  return /^[\w/.,:@%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Whether somebody connected hooks on this machine, so that the launcher has to be kept up to date. */
export const hasLauncher = async (configDir: string, disk: Disk): Promise<boolean> =>
  (await disk.stat(join(folderOf(configDir), pointerName))) !== undefined;

/** Writes what differs of the launcher, and points it to `pointer` unless it points to something newer that is there. */
export async function writeLauncher(configDir: string, pointer: Pointer, disk: Disk): Promise<void> {
  const folder = folderOf(configDir);
  await writeIfOther(disk, folder, 'reverie-hook', shell, 0o755);
  await writeIfOther(disk, folder, 'reverie-hook.cmd', batch, 0o644);
  const before = parsePointer(await disk.read(join(folder, pointerName)));
  if (before && isNewer(before.version, pointer.version) && (await isThere(before, disk))) return;
  const isSame = before?.version === pointer.version && (await isThere(before, disk));
  if (isSame && before.bundle !== pointer.bundle) return;
  await writeIfOther(disk, folder, pointerName, formatPointer(pointer), 0o644);
}

async function writeIfOther(disk: Disk, folder: string, name: string, text: string, mode: number): Promise<void> {
  const path = join(folder, name);
  const [bytes, stat] = await Promise.all([disk.read(path), disk.stat(path)]);
  const isAsItShould = bytes?.toString('utf8') === text && (process.platform === 'win32' || stat?.mode === mode);
  if (isAsItShould) return;
  const temporary = join(folder, `.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
  await replaceFile(disk, path, Buffer.from(text), temporary, { mode });
}

const isThere = async ({ bundle, runtime }: Pointer, disk: Disk): Promise<boolean> =>
  (await disk.stat(bundle)) !== undefined && (await disk.stat(runtime)) !== undefined;

const formatPointer = ({ version, bundle, runtime }: Pointer): string =>
  `version=${version}\nbundle=${bundle}\nruntime=${runtime}\n`;

function parsePointer(bytes: Buffer | undefined): Pointer | undefined {
  const value = (key: string) => new RegExp(`^${key}=(.+?)\\r?$`, 'm').exec(bytes?.toString('utf8') ?? '')?.[1];
  const [version, bundle, runtime] = [value('version'), value('bundle'), value('runtime')];
  if (version === undefined || bundle === undefined || runtime === undefined) return undefined;
  return isAbsolute(bundle) && isAbsolute(runtime) ? { version, bundle, runtime } : undefined;
}

/** Number by number; what stands behind a dash is not looked at. */
function isNewer(one: string, other: string): boolean {
  const parts = (version: string) => version.split('-', 1)[0]?.split('.').map(Number) ?? [];
  const [a, b] = [parts(one), parts(other)];
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] || 0) - (b[at] || 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
