// Team memory on the command line: where it lies and what of it is refused, and the switch for this checkout. What an editor says in
// a trusted workspace is kept in the same place: the last word counts.

import { type Command, usage } from './cliCommand';

const verbs = ['status', 'on', 'off'];

export const teamCommands: Readonly<Record<string, Command>> = {
  team: {
    usage: 'team [status|on [DIR]|off]',
    does: 'team memory: its folder, what is in it and what of it is refused; on with a folder in the repository, or in the memory folder',
    options: [],
    async run({ words, project }) {
      const [verb = 'status', directory, ...rest] = words;
      if (!verbs.includes(verb) || rest.length > 0 || (verb !== 'on' && directory !== undefined))
        throw usage('team takes status, on [DIR] or off.');
      const open = await project();
      if (verb === 'status') {
        const unshareable = (await open.hazards()).filter(({ rule, isHeldBack }) => rule === 'secret' && !isHeldBack);
        return {
          ...(await open.teamFolder()),
          unshareable: unshareable.map(({ path, line, secret }) => ({ path, line, rule: secret })),
        };
      }
      if (verb === 'off') {
        await open.switchTeam({ enabled: false, directory: undefined });
        return { switched: 'off' };
      }
      await open.switchTeam({ enabled: true, directory });
      return { switched: 'on', directory: directory ?? null };
    },
  },
};
