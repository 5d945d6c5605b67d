// Opens daily logs: where a line stands, or at the end of a day. They are a person's own files; nothing here changes one.

import type { MemoryTarget } from '../views/memoryRows';
import { type CommandContext, type Handlers, pickProject, targetsOf } from './context';
import { openTranscript } from './transcripts';

export function logCommands(context: CommandContext): Handlers {
  const { projects, notices, words } = context;

  return {
    /** Of a row; without one, the newest. */
    async 'reverie.openLog'(...args) {
      const [target] = targetsOf(args) as readonly MemoryTarget[];
      const isLog = target?.kind === 'log' && typeof target.path === 'string';
      const open = isLog ? projects.find(target.project) : await pickProject(context);
      if (!open) return undefined;
      const path = isLog ? target.path : (await open.project.logs()).days[0]?.path;
      if (path === undefined) {
        notices.info(words.t('There is no daily log yet. Assistant mode makes them.'));
        return undefined;
      }
      await openTranscript(await open.project.locate(path), isLog ? target.line : undefined);
      return path;
    },
  };
}
