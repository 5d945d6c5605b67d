// What connecting Claude Code's hooks needs, as a bundle of its own: loaded when a person asks for it, and once after the
// start where a launcher has to be kept up to date.

export { nodeDisk } from './disk';
export { localSettings, openHookConnection, userSettings } from './hooks/connection';
export { hasLauncher, launcherCommand, launcherOf, writeLauncher } from './hooks/launcher';
export { wantedHooks, wantedLines } from './hooks/settingsText';
export { resolveProject } from './paths';
export { shortened } from './switches';
