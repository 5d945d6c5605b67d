// One piece of work at a time for each key, in the order asked for. A piece that fails does not stop the next one.

export function serially(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const own = (last.get(key) ?? Promise.resolve()).then(work, work);
    const settled = own.then(
      () => {},
      () => {},
    );
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return own;
  };
}
