// Addresses of endpoints that speak the Messages API: how they are written, which host they belong to, and to which of
// them a key may be sent at all.

export const anthropicUrl = 'https://api.anthropic.com';

/** An address as people paste it, without the path that the API adds. */
export const tidyUrl = (url: string): string =>
  url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/v1(\/messages)?$/, '');

/** Host and port, in small letters; `''` for what is no address. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

export type EndpointProblem =
  /** No http or https address, or one with a name and password in it. */
  | 'bad_address'
  /** A key that no header can hold: mangled on its way. */
  | 'bad_key'
  /** A key would go unencrypted to another machine. */
  | 'open_line';

/** Why nothing may be sent there, or `undefined` when it may. */
export function endpointProblem(baseUrl: string, apiKey: string | undefined): EndpointProblem | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return 'bad_address';
  if (apiKey === undefined) return undefined;
  if (!isKey(apiKey)) return 'bad_key';
  return url.protocol === 'http:' && !isLoopback(baseUrl) ? 'open_line' : undefined;
}

export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** Whether what is sent there stays on this machine. */
export const isLoopback = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
