// Whether a word is another one with a slip of the keys in it. Short words and digits have none: too many of them are words of
// their own.

/**
 * Two letters changed places, one was doubled or not, and in words from five letters on one is another, is missing or is too many
 * (two from nine letters on).
 */
export function isMistyped(typed: string, meant: string): boolean {
  const single = (word: string) => word.replace(/(.)\1/gu, '$1');
  if (single(typed) === single(meant)) return true;
  const distance = editDistance(typed, meant);
  if (typed.length < 5) return distance === 1 && typed.length === meant.length && isPermutation(typed, meant);
  return distance <= (typed.length < 9 ? 1 : 2);
}

const isPermutation = (a: string, b: string): boolean => [...a].sort().join('') === [...b].sort().join('');

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (old[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (old[j - 1] ?? 0) + same,
        swapped ? (older[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    older = old;
    old = row;
  }
  return old[b.length] ?? a.length;
}
