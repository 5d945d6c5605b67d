// What a person did with memories that were recalled, in this window: which run verified one and which moved one to the
// trash, so that the same button takes it back. Ends with the window; the undo of runs and the trash outlive it.

export type Deed = 'kept' | 'forgotten';

export interface RecallDeeds {
  /** The run to be taken back, if it was done here. */
  runOf(deed: Deed, project: string, path: string): string | undefined;
  /** `undefined` says that it was taken back. */
  set(deed: Deed, project: string, path: string, run: string | undefined): void;
}

export function createRecallDeeds(): RecallDeeds {
  const runs = new Map<string, string>();
  const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);
  return {
    runOf: (deed, project, path) => runs.get(keyOf(deed, project, path)),
    set(deed, project, path, run) {
      if (run === undefined) runs.delete(keyOf(deed, project, path));
      else runs.set(keyOf(deed, project, path), run);
    },
  };
}
