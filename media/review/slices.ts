// Long work in short pieces, so that the page answers in between.

const sliceMs = 24;

/** Does each in turn; stops when `isOver` says so. Resolves after the last. */
export async function inSlices<T>(items: readonly T[], work: (item: T) => void, isOver = () => false): Promise<void> {
  let until = performance.now() + sliceMs;
  for (const item of items) {
    if (performance.now() > until) {
      await new Promise<void>((done) => setTimeout(done));
      until = performance.now() + sliceMs;
    }
    if (isOver()) return;
    work(item);
  }
}
