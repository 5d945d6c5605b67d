// Rows of a tree as data: what stands there, what belongs below it, and what changed between two states of a tree. Rows
// are told apart by their ids, which are stable over refreshes, so that selection and focus stay where they were.

/** A row's mark: a codicon with a theme colour, or a ring that is filled to a ratio. */
export type Mark = IconMark | { readonly ring: number /** A full one is no warning. */; readonly isCalm?: boolean };

export interface IconMark {
  readonly codicon: string;
  readonly color?: string;
}

export interface Row {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Rows with a mark never unfold: one mark on one group would indent every other row of its level. */
  readonly mark?: Mark;
  /** What menus ask about, as words with spaces around them: `memory pinned`. */
  readonly context: string;
  /** For a screen reader, which knows nothing of marks and badges. */
  readonly spoken: string;
  readonly tooltip?: string;
  readonly isTeam?: boolean;
  /** From the team, and not looked at yet. */
  readonly isNew?: boolean;
}

export interface Branch<T> {
  readonly row: Row;
  readonly target: T;
  /** Differs when this row, or one below it that is not a branch of `groups`, must be drawn again. */
  readonly print: string;
  readonly unfolded?: boolean;
  /** Branches that are known by themselves. */
  readonly groups?: readonly Branch<T>[];
  /** Rows that are built when somebody looks. */
  readonly leaves?: () => readonly Branch<T>[];
}

export const childrenOf = <T>(branch: Branch<T>): readonly Branch<T>[] | undefined =>
  branch.groups ?? branch.leaves?.();

/**
 * Ids of the rows that must be drawn again, `'all'` when rows of the uppermost level came, went or moved. Rows below an
 * id in the list need not be named.
 */
export function changedIds<T>(before: readonly Branch<T>[], after: readonly Branch<T>[]): readonly string[] | 'all' {
  if (before.length !== after.length || before.some((branch, at) => branch.row.id !== after[at]?.row.id)) return 'all';
  const ids: string[] = [];
  for (const [at, old] of before.entries()) {
    const branch = after[at];
    if (!branch) continue;
    if (branch.print !== old.print || !branch.groups !== !old.groups) {
      ids.push(branch.row.id);
    } else if (branch.groups && old.groups) {
      const below = changedIds(old.groups, branch.groups);
      if (below === 'all') ids.push(branch.row.id);
      else ids.push(...below);
    }
  }
  return ids;
}

export const printOf = (...facts: readonly unknown[]): string => JSON.stringify(facts);

/** Literal colours: a file of this kind can't use those of the theme. */
const ringColors = {
  dark: { fill: '#4daafc', warning: '#cca700', track: '#5a5a5a' },
  light: { fill: '#005fb8', warning: '#855f00', track: '#c8c8c8' },
} as const;
/** Share from which the ring warns. */
const ringWarns = 0.8;

/** A ring of 16 px filled clockwise from 12 o'clock, as a data URI. `ratio` above 1 is a full ring. */
export function ringUri(ratio: number, theme: 'dark' | 'light', isCalm = false): string {
  const colors = ringColors[theme];
  const length = 2 * Math.PI * 5.5;
  const filled = Math.min(1, Math.max(0, ratio)) * length;
  const circle = '<circle cx="8" cy="8" r="5.5" fill="none" stroke-width="2"';
  const arc =
    filled === 0
      ? ''
      : `${circle} stroke="${ratio >= ringWarns && !isCalm ? colors.warning : colors.fill}" ` +
        `stroke-dasharray="${filled.toFixed(2)} ${length.toFixed(2)}" transform="rotate(-90 8 8)"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${circle} stroke="${colors.track}"/>${arc}</svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
