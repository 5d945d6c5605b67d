// The one API key a person gave, in the editor's secret storage, together with the host it was given for: whoever asks
// for another host gets none. No key is ever logged or put into a setting.

/** The part of VS Code's `SecretStorage` that is needed. */
export interface Secrets {
  get(key: string): Thenable<string | undefined>;
  store(key: string, value: string): Thenable<void>;
  delete(key: string): Thenable<void>;
}

export interface Keys {
  get(host: string): Promise<string | undefined>;
  /** Which host there is a key for. */
  host(): Promise<string | undefined>;
  set(host: string, key: string): Promise<void>;
  forget(): Promise<void>;
}

export const keyName = 'reverie.apiKey';

export function createKeys(secrets: Secrets): Keys {
  async function stored(): Promise<{ readonly host: string; readonly key: string } | undefined> {
    try {
      const value = JSON.parse((await secrets.get(keyName)) ?? 'null') as { host?: unknown; key?: unknown } | null;
      return typeof value?.host === 'string' && typeof value.key === 'string'
        ? { host: value.host, key: value.key }
        : undefined;
    } catch {
      // A damaged entry, or a system without a keyring: there is no key.
      return undefined;
    }
  }
  return {
    async get(host) {
      const entry = await stored();
      return entry?.host === host ? entry.key : undefined;
    },
    host: async () => (await stored())?.host,
    set: async (host, key) => secrets.store(keyName, JSON.stringify({ host, key })),
    forget: async () => secrets.delete(keyName),
  };
}
