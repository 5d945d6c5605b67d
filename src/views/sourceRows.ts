// The rows of *Sessions* for chats that can't be read here: which source, why, and what helps. Pure functions of what the engine
// says; a source that is silent because there is nothing to read has no row.

import type { SourceState } from '../core/project';
import type { Row } from './rows';
import type { Words } from './words';

export interface SourceRow {
  readonly row: Row;
  /** The source it is about; one of several reasons has several rows. */
  readonly kind: SourceState['kind'];
}

const mark = { codicon: 'circle-slash', color: 'descriptionForeground' };

/** `name`: of a source, for a person. */
export function sourceRows(
  key: string,
  sources: readonly SourceState[],
  name: (kind: SourceState['kind']) => string,
  words: Words,
): readonly SourceRow[] {
  return sources.flatMap((source) => {
    const label = name(source.kind);
    const rowOf = (id: string, description: string, helps: string | undefined): SourceRow => ({
      kind: source.kind,
      row: {
        id: `${key}/source/${source.kind}${id}`,
        label,
        description,
        mark,
        context: 'source',
        spoken: [label, description, ...(helps ? [helps] : [])].join(', '),
        ...(helps ? { tooltip: helps } : {}),
      },
    });
    const reasons = [...new Set((source.unreadable ?? []).map(({ why }) => why))];
    return [
      ...(source.reachable ? [] : [rowOf('', whyText(source.why, words), helpText(source.helps, words))]),
      ...reasons.map((why) => {
        const count = source.unreadable?.filter((each) => each.why === why).length ?? 0;
        const chats = count === 1 ? words.t('1 chat') : words.t('{0} chats', words.number(count));
        return rowOf(`/${why}`, `${chats}: ${whyText(why, words)}`, undefined);
      }),
    ];
  });
}

/** The engine's reasons, in the language of the editor. */
function whyText(why: string | undefined, { t }: Words): string {
  switch (why) {
    case 'no projects folder on this machine':
      return t('no projects folder on this machine');
    case 'stored on your desktop, not on this server':
      return t('stored on your desktop, not on this server');
    case 'not available in the browser':
      return t('not available in the browser');
    case 'this window has no storage':
      return t('this window has no storage');
    case 'kept by an older VS Code in a database':
      return t('kept by an older VS Code in a database');
    case 'kept by the agent host in a database':
      return t('kept by the agent host in a database');
    case 'written by an older VS Code':
      return t('written by an older VS Code');
    case 'written by a newer VS Code':
      return t('written by a newer VS Code');
    case 'damaged':
      return t('damaged');
    default:
      return why ?? '';
  }
}

function helpText(helps: string | undefined, { t }: Words): string | undefined {
  switch (helps) {
    case 'open the folder in a VS Code of this machine':
      return t('Open the folder in a VS Code of this machine, and its chats are read.');
    case 'chats with @memory and with Claude Code are read here':
      return t('Chats with @memory and with Claude Code are read here.');
    case 'open a folder':
      return t('Open a folder: chats belong to one.');
    case 'open the chat once in a newer VS Code':
      return t('Open the chat once in a newer VS Code, which writes it anew.');
    default:
      return helps;
  }
}
