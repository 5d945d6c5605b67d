// The dream's results as text for a person at a terminal.

type Row = Readonly<Record<string, unknown>>;
const rows = (value: unknown) => (Array.isArray(value) ? (value as Row[]) : []);

export function formatDream(result: Row): string[] {
  const { outcome, reason } = result;
  const heads: Readonly<Record<string, string>> = {
    proposed: result.proposalId
      ? `A review waits: reverie proposals show ${result.proposalId}`
      : 'This is what a dream would change:',
    applied: 'Applied. Take it back: reverie undo',
    unchanged: 'Ran, nothing to change.',
    skipped: `No dream now: ${reason}`,
    failed: `Failed: ${reason}. Nothing was changed.`,
  };
  const why = outcome === 'proposed' && reason ? [String(reason)] : [];
  return [...why, heads[String(outcome)] ?? String(outcome), ...formatChanges(result)];
}

export function formatProposals(result: Row): string[] {
  if ('discarded' in result) return ['Discarded. The memories are as they are.'];
  if ('applied' in result) return formatApplied(result);
  if ('proposals' in result) {
    const waiting = rows(result.proposals);
    if (waiting.length === 0) return ['Nothing to review.'];
    return waiting.flatMap((one) => [`${one.id}  ${one.at}`, ...formatChanges(one)]);
  }
  return [`${result.id}  ${result.at}`, ...formatChanges(result)];
}

function formatApplied(result: Row): string[] {
  const conflicts = result.conflicts as string[];
  if (conflicts.length > 0)
    return [
      'Nothing was changed: these files are no longer what the dream saw.',
      ...conflicts.map((path) => `    ${path}`),
    ];
  const applied = result.applied as string[];
  if (applied.length === 0) return ['Nothing was to be changed.'];
  return ['Applied. Take it back: reverie undo', ...applied.map((path) => `    ${path}`)];
}

function formatChanges(result: Row): string[] {
  const loss = (result.loss ?? {}) as Row;
  return [
    ...rows(result.changes).map(
      (change) => `    ${String(change.kind).padEnd(6)} ${change.path}\n           ${change.reason}`,
    ),
    ...rows(result.contradictions).map((one) => {
      const [older, newer] = [one.older as Row, one.newer as Row];
      return `    which holds? ${one.subject}\n           newer, ${newer.path}: ${newer.sentence}\n           older, ${older.path}: ${older.sentence}`;
    }),
    ...rows(result.remarks).map((one) => `    left as it is: ${one.path}\n           ${one.text}`),
    ...(loss.tooMuchLost
      ? [`    It would remove ${loss.percent} % of the memories or of their text; the limit is ${loss.limitPercent} %.`]
      : []),
  ];
}

export const formatGates = (value: unknown): string[] =>
  rows(value).map((gate) => `Gate      ${gate.open ? 'open  ' : 'closed'} ${gate.name}: ${gate.detail}`);
