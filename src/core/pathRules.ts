// What a path may be and what it is called: the name of a project's folder, containment, and which folders may hold
// memories. Text in, answer out, no look at the disk. A path that starts with `/` is taken as POSIX, every other one as
// Windows', so each rule can be asked for either system on any system. What can't be told is answered with no.

import { type PlatformPath, posix, win32 } from 'node:path';

/** Claude Code's own limit for the readable part of a folder name. */
const longestPlainSlug = 200;

/** The path functions of the system that a path comes from. */
export const flavourOf = (path: string): PlatformPath => (path.startsWith('/') ? posix : win32);

/**
 * The folder name that Claude Code gives a path: every UTF-16 unit but ASCII letters and digits is a dash; beyond 200
 * characters the rest is replaced by a hash of the whole path. Not reversible, and different paths may share one name.
 * Pass the text as it is to be keyed: normalising to NFC is the caller's business.
 */
export function slug(path: string): string {
  const plain = path.replace(/[^A-Za-z0-9]/g, '-');
  return plain.length <= longestPlainSlug ? plain : `${plain.slice(0, longestPlainSlug)}-${hash36(path)}`;
}

/** A signed 32-bit times-31 hash over UTF-16 units, made positive, in base 36. */
function hash36(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return Math.abs(hash).toString(36);
}

/** With what the names of all folders below a folder of this name begin. A sibling's may begin so too: it proves nothing. */
export const slugPrefix = (name: string): string => `${name.slice(0, longestPlainSlug)}-`;

/**
 * All names under which a path may be found, the one to use first: by its NFC form, by the text as it is, and with the
 * drive letter in the other case (Windows gives both, and each made a folder of its own).
 */
export function slugVariants(path: string): readonly string[] {
  const names = [slug(path.normalize('NFC')), slug(path)];
  if (/^[A-Za-z]:/.test(path)) {
    const letter = path.charAt(0);
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    names.push(slug((other + path.slice(1)).normalize('NFC')));
  }
  return [...new Set(names)];
}

/** Whether two absolute paths are the same text: in either normal form, and for Windows in any case. Links are not followed. */
export function isSamePath(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function comparable(path: string): string {
  const flavour = flavourOf(path);
  const plain = withoutTrailingSeparator(flavour.normalize(path.normalize('NFC')));
  return flavour === win32 ? plain.toLowerCase() : plain;
}

/**
 * Whether `child` is `parent` or lies below it, after `.` and `..` are resolved, compared with a separator: `memory-evil`
 * is not inside `memory`. Both must be absolute and of one system. Links are not followed: pass real paths where they count.
 */
export function isInside(parent: string, child: string): boolean {
  const flavour = flavourOf(parent);
  if (flavourOf(child) !== flavour || !flavour.isAbsolute(parent) || !flavour.isAbsolute(child)) return false;
  if (parent.includes('\0') || child.includes('\0')) return false;
  const fold = (path: string) => (flavour === win32 ? path.toLowerCase() : path);
  const folder = fold(withoutTrailingSeparator(flavour.normalize(parent)));
  const path = fold(withoutTrailingSeparator(flavour.normalize(child)));
  if (path === folder) return true;
  const start = folder.endsWith(flavour.sep) ? folder : folder + flavour.sep;
  if (!path.startsWith(start)) return false;
  return flavour === posix || !path.slice(start.length).split(win32.sep).some(isMisreadByWindows);
}

/** Windows drops trailing dots and spaces and reads `name:stream` as `name`: such a text is not the path it seems to be. */
const isMisreadByWindows = (segment: string): boolean => /[. ]$|:/.test(segment);

const windowsDevice = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)( *\.|$)/i;

function withoutTrailingSeparator(path: string): string {
  const flavour = flavourOf(path);
  const { root } = flavour.parse(path);
  let end = path.length;
  while (end > root.length && (path[end - 1] === flavour.sep || path[end - 1] === '/')) end -= 1;
  return path.slice(0, end);
}

/** Absolute, without trailing separator; `~/…` is the home folder, a relative path is one of `base`. */
export function absolute(path: string, base: string, homeDir: string): string {
  const flavour = flavourOf(base);
  return withoutTrailingSeparator(flavour.resolve(base, tilde(path, homeDir, flavour) ?? path));
}

function tilde(path: string, homeDir: string, flavour: PlatformPath): string | undefined {
  if (path === '~') return homeDir;
  if (path.startsWith('~/') || (flavour === win32 && path.startsWith('~\\')))
    return flavour.join(homeDir, path.slice(2));
  return undefined;
}

/**
 * Whether a folder that a setting or the environment names may hold memories. Answers with the absolute path, NFC, without
 * trailing separator, or with the reason against it, ready to be shown after the name of the setting. Refused are: what is
 * not absolute or `~/…`, roots of any kind, network paths, the home folder and what it lies in (a scan of it would read
 * everything), and on Windows what that system would silently take for another name.
 */
export function checkMemoryDirectory(
  candidate: string,
  homeDir: string,
  platform: NodeJS.Platform,
): { readonly path: string } | { readonly refused: string } {
  const flavour = platform === 'win32' ? win32 : posix;
  if (candidate.trim() === '') return { refused: 'it is empty' };
  if (candidate.includes('\0')) return { refused: 'it holds a NUL character' };
  const isNetwork = (text: string) => /^[\\/]{2}/.test(text);
  if (isNetwork(candidate)) return { refused: 'it is a network path' };
  if (/^[A-Za-z]:[\\/]*$/.test(candidate)) return { refused: 'it is a whole drive' };
  const expanded = tilde(candidate, homeDir, flavour) ?? candidate;
  const hasDrive = /^[A-Za-z]:[\\/]/.test(expanded);
  if (!flavour.isAbsolute(expanded) || (flavour === win32 && !hasDrive)) {
    return { refused: 'it is not an absolute path or one that starts with “~/”' };
  }
  const path = withoutTrailingSeparator(flavour.normalize(expanded)).normalize('NFC');
  if (isNetwork(path)) return { refused: 'it is a network path' };
  if (path === flavour.parse(path).root) return { refused: 'it is the root of a file system' };
  if (path.length < 3) return { refused: 'it is too short' };
  if (isInside(path, homeDir)) return { refused: 'it is the home folder or lies above it' };
  if (flavour === win32) {
    const segments = path.slice(flavour.parse(path).root.length).split(win32.sep);
    if (segments.some(isMisreadByWindows)) return { refused: 'Windows would take it for another name' };
    if (segments.some((segment) => windowsDevice.test(segment))) return { refused: 'it is the name of a device' };
  }
  return { path };
}
