// Long work in an editor's process, in pieces that nobody notices: whoever counts on it asks between two steps, and waits for
// its turn when it has been at work for too long.

/** Longest piece, in ms: a frame of a screen that moves. */
const pieceMs = 12;

/** A function to be awaited between the steps of some work; most of the time it lets it go on at once. */
export function createBreath(longestMs = pieceMs): () => Promise<void> | undefined {
  let since = nowMs();
  return () => {
    if (nowMs() - since < longestMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = nowMs();
        resolve();
      });
    });
  };
}

/** Of the process: `performance` would load what a hook's process needs for nothing else. */
const nowMs = (): number => process.uptime() * 1_000;
