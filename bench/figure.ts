// How every figure is printed: one JSON object a line, the value beside its limit.

type Limit = { readonly atMost: number } | { readonly atLeast: number };

/** Prints a figure and returns whether it keeps its limit. */
export function figure(name: string, value: number, limit: Limit, unit: string): boolean {
  const ok = 'atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost;
  const bound = 'atLeast' in limit ? limit.atLeast : limit.atMost;
  console.log(JSON.stringify({ name, value: Number(value.toFixed(3)), limit: bound, unit, ok }));
  return ok;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
