// The smallest event there is. VS Code's `Event` and `Disposable` have the same shape, so either side can be passed
// to the other without an adapter. A listener that throws is reported to `onError` and never stops the others.

export interface Disposable {
  dispose(): void;
}

export type Event<T> = (listener: (value: T) => unknown) => Disposable;

export interface Emitter<T> extends Disposable {
  readonly event: Event<T>;
  fire(value: T): void;
}

/** Creates an event source. `onError` receives what a listener throws; without it such errors are dropped. */
export function createEmitter<T>(onError: (error: unknown) => void = () => {}): Emitter<T> {
  const listeners = new Set<(value: T) => unknown>();
  return {
    event(listener) {
      // Wrapped, so that one function registered twice is two registrations.
      const own = (value: T) => listener(value);
      listeners.add(own);
      return { dispose: () => void listeners.delete(own) };
    },
    fire(value) {
      for (const listener of [...listeners]) {
        try {
          listener(value);
        } catch (error) {
          onError(error);
        }
      }
    },
    dispose: () => listeners.clear(),
  };
}
