// Our own rules for secrets, beside secretlint's: tokens that are recognised by their form, as their providers document it, and
// values that are secret only because the words before them say so. What is plainly none (a placeholder, the example key of a
// documentation, a hash, a public key) is told apart here, too. Pure; every expression takes time that grows with the text.

import { shortHash } from '../files';

export interface Match {
  readonly rule: string;
  /** An offset into the text that was looked at. */
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

export interface Rule {
  readonly name: string;
  /** The secret itself is group 1, or the whole match. */
  readonly pattern: RegExp;
  readonly holds?: (value: string) => boolean;
  /** Whether what stands around it makes it none. */
  readonly unless?: (text: string, start: number, value: string) => boolean;
}

const token = (name: string, pattern: string): Rule => ({ name, pattern: new RegExp(`(?:${pattern})`, 'g') });

/** What is recognised by its form alone, wherever it stands. Each begins where no word goes on; see `matchesOf`. */
export const tokenRules: readonly Rule[] = [
  token('anthropic', 'sk-ant-[\\w-]{20,}'),
  token('openai', 'sk-(?:proj|svcacct|admin|None)-[\\w-]{20,}'),
  token('openrouter', 'sk-or-v1-[a-f0-9]{40,}'),
  token('api-key', 'sk-(?:[a-z]+-)?[A-Za-z0-9]{20,}'),
  token(
    'ai-provider',
    'gsk_[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{60,}|r8_[A-Za-z0-9]{30,}|AIzaSy[\\w-]{33}',
  ),
  token('github', 'gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\\w{30,}'),
  token('gitlab', '(?:gl(?:pat|dt|rt|ptt|cbt|soat|ft|ffct|imt|agent|oas)|GR1348941)-?[\\w-]{20,}'),
  token('atlassian', 'ATATT3[\\w=-]{50,}|ATBB[A-Za-z0-9]{28,}|ATCTT3[\\w=-]{50,}'),
  token('slack', 'xox[abceoprs](?:\\.xox[bp])?-[\\w-]{10,}|xapp-\\d-[\\w-]{10,}'),
  token(
    'google',
    'AIza[\\w-]{35}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,}|AAAA[\\w-]{7}:APA91b[\\w-]{60,}|1//0[\\w-]{40,}',
  ),
  token('aws', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Z0-9])|ABSK[A-Za-z0-9+/]{60,}'),
  token('hugging-face', 'hf_[A-Za-z]{30,}|(?:hf|api_org)_[A-Za-z0-9]{34,}'),
  token('digitalocean', 'do[oprt]_v1_[a-f0-9]{64}'),
  token('stripe', '(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/]{24,}'),
  token('twilio', 'SK[0-9a-f]{32}'),
  token('sendgrid', 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}'),
  token('mail', 'key-[0-9a-f]{32}|[0-9a-f]{32}-us\\d{1,2}(?!\\w)|xkeysib-[0-9a-f]{64}-\\w{16}'),
  token('npm', 'npm_[A-Za-z0-9]{36}'),
  token('pypi', 'pypi-[\\w-]{50,}'),
  token(
    'package-registry',
    'rubygems_[a-f0-9]{48}|oy2[a-z0-9]{43}|cio[A-Za-z0-9]{32}(?!\\w)|CLOJARS_[a-z0-9]{60}|AKCp[A-Za-z0-9]{40,}',
  ),
  token('databricks', 'dapi[0-9a-f]{32}(?:-\\d)?'),
  token('terraform', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{40,}'),
  token('pulumi', 'pul-[0-9a-f]{40}'),
  token('postman', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'),
  token('grafana', 'gl(?:c|sa)_[\\w+/=]{32,}|eyJrIjoi[A-Za-z0-9+/]{40,}={0,2}'),
  token('sentry', 'sntry[su]_[\\w+/=]{40,}'),
  token('monitoring', 'NR(?:AK|JS|II)-[A-Za-z0-9-]{19,}|dt0c01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}|phx_[A-Za-z0-9]{40,}'),
  token('shopify', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'),
  token(
    'payment',
    'sq0(?:atp|csp|idp)-[\\w-]{22,}|EAAA[A-Za-z0-9]{60}(?!\\w)|access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}|FLWSECK(?:_TEST)?-\\w{12,}',
  ),
  token('vault', 'hv[sbr]\\.[\\w-]{24,}'),
  token('docker', 'dckr_(?:pat|oat)_[\\w-]{20,}'),
  token('notion', '(?:ntn_|secret_)[A-Za-z0-9]{40,}'),
  token('linear', 'lin_(?:api|oauth)_[A-Za-z0-9]{30,}'),
  token('figma', 'figd_[\\w-]{30,}'),
  token('supabase', 'sbp_[a-f0-9]{40}|sb_secret_[\\w-]{20,}'),
  token('planetscale', 'pscale_(?:tkn|pw|oauth)_[\\w.=-]{30,}'),
  token(
    'deployment',
    'nfp_[A-Za-z0-9]{36,}|fm2_[A-Za-z0-9+/=]{60,}|HRKU-[\\w-]{30,}|rnd_[A-Za-z0-9]{28,}|dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{40,}|tskey-[a-z]+-[\\w-]{20,}',
  ),
  token(
    'build',
    'bkua_[a-f0-9]{40}|CCIPAT_\\w{20,}_[a-f0-9]{40}|sq[apu]_[a-f0-9]{40}|CFPAT-[\\w-]{40,}|tfp_[\\w-]{40,}|rdme_\\w{70}',
  ),
  token(
    '1password',
    'ops_eyJ[\\w+/=-]{60,}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}',
  ),
  token('age', 'AGE-SECRET-KEY-1[0-9A-Z]{58}'),
  token('telegram', '\\d{8,10}:AA[\\w-]{33}'),
  token('discord', '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}'),
  token('dropbox', 'sl\\.(?:u\\.)?[\\w-]{100,}'),
  token(
    'webhook',
    'https://hooks\\.slack\\.com/(?:services|workflows)/T\\w+/\\w+/[\\w/]{16,}|https://discord(?:app)?\\.com/api/webhooks/\\d+/[\\w-]{30,}|https://[\\w.-]+\\.webhook\\.office\\.com/webhookb2/[\\w@/-]{60,}',
  ),
  token('api-key', '(?!pk_|pub_)[a-z]{2,12}_(?:live|test|prod|secret|sk)_[A-Za-z0-9]{16,}'),
  token('jwt', 'eyJ[\\w-]{10,2000}\\.eyJ[\\w-]{10,4000}\\.[\\w-]{10,}'),
  token('private-key', '-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\\s\\S]{0,300}?[A-Za-z0-9+/=]{20,}'),
  token(
    'private-key',
    'b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]{20,}|PuTTY-User-Key-File-\\d[\\s\\S]{0,2000}?Private-Lines: ?\\d',
  ),
  token('private-key', '"d" ?: ?"[\\w-]{40,}"'),
  token(
    'azure',
    '(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}|[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}',
  ),
  { name: 'azure', pattern: /[?&]sig=([A-Za-z0-9%+/]{30,})/g },
  {
    name: 'connection-string',
    pattern: /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,64}:([^\s/]{3,128})@[\w.[-]+/gi,
    holds: isNoWord,
  },
];

const passwordWords = 'pass(?:word|wd|phrase|code|wort)|(?<![a-z])pass|pwd|senha|contraseña|mot de passe|kennwort';
const keyWords =
  '(?:(?:api|access|auth|account|private|secret|signing|encryption|license|app|application|service|shared|master|deploy|webhook)[ _-]?key|client[ _-]?secret|secret|token|credentials?)|chave(?: de api| secreta| de acesso)?';
const assigned =
  '["\'`*_]{0,3}(?:\\s*\\([^()\\n]{1,40}\\))?\\s*(?::=|=>|->|→|[:=|>]|(?<=\\s)(?:is|was|é|era|es|ist)(?=[\\s:]))(?:\\s*:)?\\s*["\'`*_]{0,3}';

/** What is only a secret because of the words before it. Not looked for across lines: that would join strangers. */
export const contextRules: readonly Rule[] = [
  {
    name: 'password',
    pattern: new RegExp(`(?:${passwordWords})${assigned}([^\\s"'\`]{6,200})`, 'gi'),
    holds: (value) => looksMade(value) || /^\d{6,}$/.test(value),
  },
  {
    name: 'password',
    pattern: new RegExp(
      `(?:${passwordWords})\\b[^\\n:=.]{1,40}?\\s(?:is|é|es|ist)\\s+["'\`]?([^\\s"'\`]{6,200})`,
      'gi',
    ),
    holds: (value) => looksMade(value) && classesOf(value) >= 3,
  },
  {
    name: 'token',
    pattern: new RegExp(`(?:${keyWords})${assigned}([^\\s"'\`]{8,400})`, 'gi'),
    holds: (value) => looksMade(value) && (classesOf(value) >= 3 || entropyOf(value) >= 3),
  },
  {
    name: 'token',
    pattern: new RegExp(`(?:${keyWords})\\b[^\\n:=.]{1,40}?\\s(?:is|é|es|ist)\\s+["'\`]?([^\\s"'\`]{12,400})`, 'gi'),
    holds: (value) => looksMade(value) && classesOf(value) >= 3,
  },
  {
    name: 'token',
    pattern: /(?:_authToken|_auth|_password)=["']?([A-Za-z0-9+/=_-]{16,})/g,
    holds: (value) => !placeholder.test(value) && !/^\$/.test(value),
  },
  // Named and given with nothing between.
  {
    name: 'password',
    pattern: new RegExp(`(?<![\\w-])(?:${passwordWords})\\s+["'\`*]{0,2}([^\\s"'\`]{8,64})`, 'gi'),
    holds: (value) => looksMade(value) && classesOf(value) >= 3 && entropyOf(value) >= 3,
  },
  {
    name: 'token',
    pattern: new RegExp(`(?<![\\w-])(?:${keyWords})\\s+["'\`*]{0,2}([A-Za-z0-9_+/=-]{20,})`, 'gi'),
    holds: (value) => looksMade(value) && isStriking(value),
  },
  {
    name: 'password',
    pattern:
      /(?:credentials?|log-?in|user(?:name)?)\s*[:=]\s*["'`]?[\w.@-]{2,40}["'`]?\s*\/\s*["'`]?([^\s"'`]{6,64})/gi,
    holds: (value) => looksMade(value) && classesOf(value) >= 3,
  },
  { name: 'password', pattern: /\s(?:-u|--user)[ =]["']?[\w.@-]+:([^\s"']{6,64})/gi, holds: looksMade },
  { name: 'bearer', pattern: /\b(?:Bearer|Basic)\s+([A-Za-z0-9._~+/-]{20,}={0,2})/g, holds: looksMade },
  {
    name: 'high-entropy',
    pattern: /(?<![\w/+.=%-])([A-Za-z0-9+/_-]{36,100}={0,2})(?![\w/+-])/g,
    holds: looksRandom,
    unless: isLabelled,
  },
];

/** What the rules find. `startsAt`: an offset at which a word may begin although one ends right before it. */
export function matchesOf(text: string, rules: readonly Rule[], startsAt?: (offset: number) => boolean): Match[] {
  return rules.flatMap(({ name, pattern, holds, unless }) =>
    [...text.matchAll(pattern)].flatMap((match): Match[] => {
      const start = match.index;
      const isToken = pattern.flags === 'g' && match[1] === undefined;
      if (isToken && /[\w-]/.test(text[start - 1] ?? ' ') && /^\w/.test(match[0]) && !startsAt?.(start)) return [];
      const value = (match[1] ?? match[0]).replace(/[.,;:!?)\]}*]+$/, '');
      if (unless?.(text, start, value)) return [];
      return holds && !holds(value) ? [] : [{ rule: name, start, end: start + match[0].length, value }];
    }),
  );
}

const placeholder =
  /^[<[{(%$]|\$\{|\$\(|\{\{|<[\w -]+>|(?:^|[_-])(?:your|my|some|the|any|insert|enter|replace|put)[-_ ]|your[-_]?(?:api|key|token|secret|password)|example|sample|dummy|fake|placeholder|change[-_]?(?:me|this)|not-?a?-?real|redacted|removed|hidden|xxxx|\*\*\*|\.\.\.|…|•••|_here$|^(.)\1+$/i;

/** Example keys that documentations print and people copy, as the first digits of their SHA-256. */
const documented: ReadonlySet<string> = new Set([
  '2cafc0970149', // Stripe's, its older one
  'f2d6ca165150',
  '0011cc25eb43', // Azure's storage emulator, bare and in its connection string
  '900e6c2bf8ce',
  'aa6547439583', // Azure's database emulator, likewise
  'a28c56ecb012',
]);

/** Whether a match is plainly no secret: a placeholder, one sign over and over, a documentation's own, or a secret part that is one. */
export function isHarmless(value: string): boolean {
  const inUrl = /:\/\/[^\s:/@]*:([^\s@]+)@/.exec(value)?.[1];
  if (placeholder.test(value) || (inUrl !== undefined && !isNoWord(inUrl))) return true;
  const tail = /[A-Za-z0-9+/]{10,}={0,2}$/.exec(value)?.[0] ?? '';
  if (tail !== '' && new Set(tail.toLowerCase().slice(-10)).size <= 2) return true;
  return documented.has(shortHash(value)) || isDocumentedJwt(value);
}

/** The token that jwt.io shows to everybody. */
function isDocumentedJwt(value: string): boolean {
  const payload = /^eyJ[\w-]+\.(eyJ[\w-]+)\./.exec(value)?.[1];
  return payload !== undefined && /John Doe|Jane Doe/.test(Buffer.from(payload, 'base64url').toString('utf8'));
}

const commonWords =
  /^(?:pass(?:word|wd)?|pwd|secret|token|senha|admin|root|user|guest|test|postgres|mysql|redis|rabbitmq|minio(?:admin)?|none|null)\d{0,3}$/i;

function isNoWord(value: string): boolean {
  return !commonWords.test(value) && !placeholder.test(value);
}

const code =
  /^(?:process\.env|os\.environ|env\b|ENV\b|[\w.$]+\(|[\w$]+(?:\.[a-zA-Z_$][\w$]*)+$|\/|\.{1,2}\/|~\/|https?:\/\/|(?:op|vault|ssm|gcp-sm|awssm|secretref|keyvault|arn|urn):|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[\w-]+\.(?:md|txt|ya?ml|json|env|ts|js|py|go|rs|pem)$)/;
const knownWithDigits =
  /(?:base|sha-?|hs|rs|es|ps|md|utf-?|oauth|http\/?|tls|x|ed|argon|pbkdf|aes-?|rsa-?|ec|s|k|i|v)\d+(?:id|g|n|s)?/gi;

/** Whether a value could be made up by a person or a machine to be secret: no word, no code, no measure, no hash that says so. */
function looksMade(value: string): boolean {
  if (placeholder.test(value) || code.test(value) || commonWords.test(value)) return false;
  if (/^(?:sha\d+[-:]|\$2[aby]\$|\$argon2|h1:)/i.test(value)) return false;
  if (/^\d+[-_]?\p{L}+$/u.test(value) || /^\d+(?:[.,:/-]\d+)*$/.test(value)) return false;
  const rest = value.replace(knownWithDigits, '');
  const hasDigit = /\d/.test(rest);
  const hasLetter = /\p{L}/u.test(value);
  const hasSign = /[^\p{L}\p{N}\s._/:,;()'"<>[\]{}|-]/u.test(value);
  if (/^[A-Za-z]{12,}$/.test(value)) {
    // No name has as many capitals as small letters.
    const capitals = value.replace(/[a-z]/g, '').length / value.length;
    return capitals > 0.35 && capitals < 0.65;
  }
  return hasLetter && (hasDigit || (hasSign && /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value)));
}

const classesOf = (value: string): number =>
  [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\p{N}]/u].filter((group) => group.test(value)).length;

/** Whether a value is so much like a secret that it is one even where lines were put together to get it. */
export const isStriking = (value: string): boolean =>
  value.length >= 12 && entropyOf(value) >= 3.2 && (classesOf(value) >= 3 || /^[0-9a-f]{24,}/.test(value));

/** Shannon's, in bits a character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** How pictures, fonts, archives, certificates and public keys begin when they are written as base64. */
const publicBlob =
  /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|PHN2Zy|AAABAA|JVBERi0|UEsDB|d09G[MR]|H4sI|MI[GIM]|AAAAB3NzaC1|AAAAC3NzaC1|AAAAE2VjZHNh|AAAAGnNr|mQ[EGIM]N|mDME|xsBN|xsFN|xjME|Qm[1-9A-HJ-NP-Za-km-z]{44}$|bafy|6L[a-z][\w-]{37}$)/;

const publicLabel =
  /(?:sha-?\d{0,3}|md5|h1|integrity|checksum|digest|fingerprint|hash|etag|nonce|commit|base64|public[ _-]?key|site[ _-]?key|pub(?:lic)?|cid|address|ssh-(?:rsa|ed25519|dss)|ecdsa-[\w-]+|[;\s]p)["'`*]{0,2}(?:\s+is)?[\s:=,(|]{0,4}["'`*]{0,2}$/i;
const blobLine = /^[ \t>]*[A-Za-z0-9+/]{40,}={0,2}[ \t]*\r?$/;

/** Called a hash or a public key, in a certificate, one line of a longer blob, or readable words: those are looked at apart. */
function isLabelled(text: string, start: number, value: string): boolean {
  const lineStart = text.lastIndexOf('\n', start) + 1;
  if (publicLabel.test(text.slice(Math.max(lineStart, start - 60), start))) return true;
  const block = text.lastIndexOf('-----BEGIN ', start);
  if (
    block !== -1 &&
    !text.slice(block, start).includes('-----END') &&
    !/^.{11,50}PRIVATE/.test(text.slice(block, block + 80))
  )
    return true;
  const lineEnd = text.indexOf('\n', start);
  const [before, line, after] = [
    text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, Math.max(0, lineStart - 1)),
    text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd),
    lineEnd === -1 ? '' : (text.slice(lineEnd + 1).split('\n', 1)[0] ?? ''),
  ];
  if (blobLine.test(line) && (blobLine.test(before) || blobLine.test(after))) return true;
  const bytes = Buffer.from(value.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('latin1');
  return /^[\x20-\x7e\s]{20,}$/.test(bytes.slice(0, -1));
}

/** Letters of both cases and digits mixed as no name mixes them. Hashes and UUIDs have one case, integrity values a label. */
function looksRandom(value: string): boolean {
  if (/^sha\d+-/i.test(value) || /^[0-9a-f-]+$/i.test(value) || publicBlob.test(value)) return false;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || (value.match(/\d/g)?.length ?? 0) < 3) return false;
  const kinds = [...value].map((character) =>
    /\d/.test(character) ? 0 : /[a-z]/.test(character) ? 1 : /[A-Z]/.test(character) ? 2 : 3,
  );
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return changes >= value.length * 0.45 && entropyOf(value) >= 4.2;
}
