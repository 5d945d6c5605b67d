// Finds secrets in a text that is about to be kept or shared. It tells which rule matched and where, never the value.
// Placeholders, UUIDs and hashes are no secrets; a value that is *called* a password, a token or a key in the text is
// one unless it is plainly a placeholder. Also finds what a line break tears apart.

export interface FoundSecret {
  /** Stable name of the rule, fit to be shown: `github`, `password`, `private-key`. */
  readonly rule: string;
  /** Counted from 1. */
  readonly line: number;
}

interface Match {
  readonly rule: string;
  readonly start: number;
  readonly value: string;
}

/** Every secret in the text by rule and line, in the order of the lines. Rejects only if the rules can't be loaded. */
export async function findSecrets(text: string): Promise<FoundSecret[]> {
  if (text.trim() === '') return [];
  const { lintText } = await import('./secretlint');
  const lint = async (content: string): Promise<Match[]> =>
    (await lintText(content)).map(({ rule, start, end }) => ({ rule, start, value: content.slice(start, end) }));

  const whole = [...(await lint(text)), ...matchesOf(text, [...tokenRules, ...contextRules])];
  const { content, offsets } = withoutLineBreaks(text);
  const torn = [...(await lint(content)), ...matchesOf(content, tokenRules)].map((match) => ({
    ...match,
    start: offsets[match.start] ?? 0,
  }));
  const found = new Map<string, FoundSecret>();
  for (const { rule, start, value } of [...whole, ...torn]) {
    if (isHarmless(value)) continue;
    const line = text.slice(0, start).split('\n').length;
    found.set(`${line} ${rule}`, { rule, line });
  }
  const all = [...found.values()];
  // The general rule only speaks where no other one does.
  const told = all.filter(
    ({ rule, line }) => rule !== 'high-entropy' || !all.some((other) => other.line === line && other.rule !== rule),
  );
  return told.sort((a, b) => a.line - b.line || (a.rule < b.rule ? -1 : 1));
}

/** Whether a text holds what looks like a secret, by our own rules alone: at once, where it need not be said which. */
export const looksLikeSecret = (text: string): boolean =>
  matchesOf(text, [...tokenRules, ...contextRules]).some(({ value }) => !isHarmless(value));

interface Rule {
  readonly name: string;
  /** The secret itself is group 1, or the whole match. */
  readonly pattern: RegExp;
  readonly holds?: (value: string) => boolean;
}

const token = (name: string, pattern: string): Rule => ({
  name,
  pattern: new RegExp(`(?<![\\w-])(?:${pattern})`, 'g'),
});

/** What is recognised by its form alone, wherever it stands. Prefixes as their providers document them. */
const tokenRules: readonly Rule[] = [
  token('anthropic', 'sk-ant-[\\w-]{20,}'),
  token('openai', 'sk-(?:proj|svcacct|admin)-[\\w-]{20,}'),
  token('api-key', 'sk-(?:[a-z]+-)?[A-Za-z0-9]{20,}'),
  token('github', 'gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\\w{30,}'),
  token('gitlab', 'gl(?:pat|dt|rt|ptt|cbt|soat|ft)-[\\w-]{20,}'),
  token('slack', 'xox[abeoprs]-[\\w-]{10,}|xapp-\\d-[\\w-]{10,}'),
  token('google', 'AIza[\\w-]{35}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,}'),
  token('aws', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'),
  token('hugging-face', 'hf_[A-Za-z]{30,}|hf_[A-Za-z0-9]{34,}'),
  token('digitalocean', 'do[opr]_v1_[a-f0-9]{64}'),
  token('stripe', '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/]{24,}'),
  token('twilio', 'SK[0-9a-f]{32}'),
  token('sendgrid', 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}'),
  token('mailgun', 'key-[0-9a-f]{32}'),
  token('npm', 'npm_[A-Za-z0-9]{36}'),
  token('pypi', 'pypi-[\\w-]{50,}'),
  token('databricks', 'dapi[0-9a-f]{32}'),
  token('terraform', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,}'),
  token('pulumi', 'pul-[0-9a-f]{40}'),
  token('postman', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'),
  token('grafana', 'gl(?:c|sa)_[\\w+/=]{32,}'),
  token('sentry', 'sntry[su]_[\\w+/=]{40,}'),
  token('shopify', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'),
  token('vault', 'hv[sbr]\\.[\\w-]{24,}'),
  token('docker', 'dckr_(?:pat|oat)_[\\w-]{20,}'),
  token('notion', 'ntn_[A-Za-z0-9]{40,}'),
  token('linear', 'lin_(?:api|oauth)_[A-Za-z0-9]{30,}'),
  token('figma', 'figd_[\\w-]{30,}'),
  token('supabase', 'sbp_[a-f0-9]{40}|sb_secret_[\\w-]{20,}'),
  token('age', 'AGE-SECRET-KEY-1[0-9A-Z]{58}'),
  token('telegram', '\\d{8,10}:AA[\\w-]{33}'),
  token(
    'webhook',
    'https://hooks\\.slack\\.com/services/T\\w+/B\\w+/\\w{16,}|https://discord(?:app)?\\.com/api/webhooks/\\d+/[\\w-]{30,}',
  ),
  token('api-key', '[a-z]{2,12}_(?:live|test|prod|secret|sk)_[A-Za-z0-9]{16,}'),
  token('jwt', 'eyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]{10,}'),
  token('private-key', '-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\\s\\S]{0,300}?[A-Za-z0-9+/=]{20,}'),
  token('azure', '(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}'),
  { name: 'azure', pattern: /[?&]sig=([A-Za-z0-9%+/]{30,})/g },
  {
    name: 'connection-string',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,64}:([^\s/@]{3,128})@[\w.-]+/gi,
    holds: isNoWord,
  },
];

const passwordWords = 'pass(?:word|wd|phrase|code|wort)|(?<![a-z])pass|pwd|senha|contraseña|mot de passe|kennwort';
const keyWords =
  '(?:secret|token|(?:api|access|auth|account|private|signing|encryption|license)[ _-]?key|client[ _-]?secret|credentials?)|chave(?: de api| secreta| de acesso)?';
const assigned = '["\'`]?\\s*(?::=|=>|[:=]|(?<=\\s)(?:is|é|es|ist)(?=\\s))\\s*["\'`]?';

/** What is only a secret because of the words before it. Not looked for across lines: that would join strangers. */
const contextRules: readonly Rule[] = [
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
  { name: 'bearer', pattern: /\b(?:Bearer|Basic)\s+([A-Za-z0-9._~+/-]{20,}={0,2})/g, holds: looksMade },
  { name: 'high-entropy', pattern: /(?<![\w/+.-])([A-Za-z0-9+/_-]{36,}={0,2})(?![\w/+-])/g, holds: looksRandom },
];

function matchesOf(text: string, rules: readonly Rule[]): Match[] {
  return rules.flatMap(({ name, pattern, holds }) =>
    [...text.matchAll(pattern)]
      .map((match) => ({ rule: name, start: match.index, value: (match[1] ?? match[0]).replace(/[.,;:!?)\]}]+$/, '') }))
      .filter(({ value }) => !holds || holds(value)),
  );
}

const placeholder =
  /^[<[{(%$]|\$\{|\{\{|^(?:your|my|some|the|any|insert|enter)[-_ ]|example|sample|dummy|fake|placeholder|change[-_]?me|redacted|removed|hidden|xxxx|\*\*\*|\.\.\.|…|•••|_here$|^(.)\1+$/i;

/** Whether a match is plainly no secret: a placeholder, or a secret part that is one. */
function isHarmless(value: string): boolean {
  const inUrl = /:\/\/[^\s:/@]*:([^\s@]+)@/.exec(value)?.[1];
  return placeholder.test(value) || (inUrl !== undefined && !isNoWord(inUrl));
}

const commonWords =
  /^(?:pass(?:word|wd)?|pwd|secret|token|senha|admin|root|user|guest|test|postgres|mysql|redis|rabbitmq|minio(?:admin)?|none|null)\d{0,3}$/i;

function isNoWord(value: string): boolean {
  return !commonWords.test(value) && !placeholder.test(value);
}

const code =
  /^(?:process\.env|os\.environ|env\b|ENV\b|[\w.]+\(|\/|\.{1,2}\/|~\/|https?:\/\/|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[\w-]+\.(?:md|txt|ya?ml|json|env|ts|js|py|go|rs)$)/;
const knownWithDigits =
  /(?:base|sha-?|hs|rs|es|ps|md|utf-?|oauth|http\/?|tls|x|ed|argon|pbkdf|aes-?|rsa-?|ec|s|k|i|v)\d+(?:id|g|n|s)?/gi;

/** Whether a value could be made up by a person or a machine to be secret: no word, no code, no measure. */
function looksMade(value: string): boolean {
  if (placeholder.test(value) || code.test(value) || commonWords.test(value)) return false;
  if (/^\d+[-_]?\p{L}+$/u.test(value) || /^\d+(?:[.,:/-]\d+)*$/.test(value)) return false;
  const rest = value.replace(knownWithDigits, '');
  const hasDigit = /\d/.test(rest);
  const hasLetter = /\p{L}/u.test(value);
  const hasSign = /[^\p{L}\p{N}\s._/:,;()'"-]/u.test(value);
  return hasLetter && (hasDigit || (hasSign && /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value)));
}

const classesOf = (value: string): number =>
  [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\p{N}]/u].filter((group) => group.test(value)).length;

/** Shannon's, in bits a character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** Letters of both cases and digits mixed as no name mixes them. Hashes and UUIDs have one case, integrity values a label. */
function looksRandom(value: string): boolean {
  if (/^sha\d+-/i.test(value) || /^[0-9a-f-]+$/i.test(value)) return false;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || (value.match(/\d/g)?.length ?? 0) < 3) return false;
  const kinds = [...value].map((character) =>
    /\d/.test(character) ? 0 : /[a-z]/.test(character) ? 1 : /[A-Z]/.test(character) ? 2 : 3,
  );
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return changes >= value.length * 0.45 && entropyOf(value) >= 4.2;
}

/** The text as one line, with the offset that each of its characters had. Quote marks and indents of lines go too. */
function withoutLineBreaks(text: string): { content: string; offsets: Uint32Array } {
  const parts: string[] = [];
  const offsets = new Uint32Array(text.length);
  let length = 0;
  let at = 0;
  for (const match of text.matchAll(/[ \t]*\r?\n[ \t>]*/g)) {
    copy(match.index);
    at = match.index + match[0].length;
  }
  copy(text.length);
  function copy(end: number): void {
    parts.push(text.slice(at, end));
    for (let index = at; index < end; index += 1) offsets[length++] = index;
  }
  return { content: parts.join(''), offsets };
}
