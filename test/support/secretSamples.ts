// Secrets that never were any: made by kind as their providers describe them, from a seed, at run time, so that no file of ours
// holds one; and the places where people leave them. Nothing here knows a rule.

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
const alnum = lower + upper + digits;
const url = `${alnum}-_`;
const hexDigits = '0123456789abcdef';
const base32 = `${upper}234567`;

export interface Dice {
  below(limit: number): number;
  of(alphabet: string, length: number): string;
  pick<T>(list: readonly T[]): T;
}

/** Mulberry32: the same throws for the same seed on any machine. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    of: (alphabet, length) => Array.from({ length }, () => alphabet[below(alphabet.length)]).join(''),
    pick: (list) => list[below(list.length)] as (typeof list)[number],
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The kinds that the README lists, each with what makes one. */
export const secretKinds: Readonly<Record<string, (d: Dice) => string>> = {
  'AWS access key': (d) => `${d.pick(['AK', 'AS'])}IA${d.of(base32, 16)}`,
  'AWS secret key': (d) => `aws_secret_access_key = ${d.of(`${alnum}+/`, 40)}`,
  'Google API key': (d) => `AIz${'a'}Sy${d.of(url, 33)}`,
  'Google service account': (d) =>
    JSON.stringify({
      type: 'service_account',
      private_key: `-----BEGIN ${'PRIVATE'} KEY-----\n${d.of(alnum, 64)}\n${d.of(alnum, 64)}\n-----END ${'PRIVATE'} KEY-----\n`,
    }),
  'Azure storage key': (d) =>
    `DefaultEndpointsProtocol=https;AccountName=logs;Account${'Key'}=${d.of(`${alnum}+/`, 86)}==`,
  'Azure client secret': (d) => `${d.of(alnum, 3)}${d.below(10)}Q${'~'}${d.of(`${alnum}_-`, 34)}`,
  DigitalOcean: (d) => `dop_${'v1'}_${d.of(hexDigits, 64)}`,
  Anthropic: (d) => `sk-${'ant'}-api03-${d.of(url, 93)}AA`,
  'OpenAI project key': (d) => `sk-${'proj'}-${d.of(url, 74)}T3Blbk${'FJ'}${d.of(url, 74)}`,
  'OpenAI key': (d) => `sk-${d.of(alnum, 20)}T3Blbk${'FJ'}${d.of(alnum, 20)}`,
  'Hugging Face': (d) => `hf${'_'}${d.of(lower + upper, 34)}`,
  'GitHub personal token': (d) => `ghp${'_'}${d.of(alnum, 36)}`,
  'GitHub OAuth token': (d) => `gho${'_'}${d.of(alnum, 36)}`,
  'GitHub app token': (d) => `${d.pick(['ghu', 'ghs'])}_${d.of(alnum, 36)}`,
  'GitHub refresh token': (d) => `ghr${'_'}${d.of(alnum, 76)}`,
  'GitHub fine-grained token': (d) => `github${'_pat'}_${d.of(alnum, 22)}_${d.of(alnum, 59)}`,
  GitLab: (d) => `gl${'pat'}-${d.of(url, 20)}`,
  'Slack bot token': (d) => `xo${'xb'}-${d.of(digits, 12)}-${d.of(digits, 13)}-${d.of(alnum, 24)}`,
  'Slack webhook': (d) =>
    `https://hooks.slack.com/${'services'}/T${d.of(upper + digits, 8)}/B${d.of(upper + digits, 10)}/${d.of(alnum, 24)}`,
  Twilio: (d) => `S${'K'}${d.of(hexDigits, 32)}`,
  'Twilio auth token': (d) => `TWILIO_AUTH_TOKEN=${d.of(hexDigits, 32)}`,
  SendGrid: (d) => `S${'G'}.${d.of(url, 22)}.${d.of(url, 43)}`,
  npm: (d) => `npm${'_'}${d.of(alnum, 36)}`,
  PyPI: (d) => `pypi-${'AgEIcHlwaS5vcmc'}${d.of(url, 150)}`,
  Databricks: (d) => `da${'pi'}${d.of(hexDigits, 32)}-2`,
  'Terraform Cloud': (d) => `${d.of(alnum, 14)}.${'atlas'}v1.${d.of(alnum, 67)}`,
  Pulumi: (d) => `pu${'l'}-${d.of(hexDigits, 40)}`,
  Postman: (d) => `PM${'AK'}-${d.of(hexDigits, 24)}-${d.of(hexDigits, 34)}`,
  Grafana: (d) => `gl${'sa'}_${d.of(alnum, 32)}_${d.of(hexDigits, 8)}`,
  Sentry: (d) =>
    `sn${'trys'}_${base64(`{"iat":16${d.of(digits, 8)}.1,"url":"https://sentry.io"}`)}_${d.of(`${alnum}+/`, 43)}`,
  'Stripe secret key': (d) => `sk${'_live_'}${d.of(alnum, 24)}`,
  'Stripe restricted key': (d) => `rk${'_live_'}${d.of(alnum, 99)}`,
  Shopify: (d) => `shp${'at'}_${d.of(hexDigits, 32)}`,
  'PEM private key': (d) =>
    [
      `-----BEGIN RSA ${'PRIVATE'} KEY-----`,
      ...Array.from({ length: 6 }, () => d.of(`${alnum}+/`, 64)),
      `-----END RSA ${'PRIVATE'} KEY-----`,
    ].join('\n'),
  'OpenSSH private key': (d) =>
    [
      `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----`,
      `b3BlbnNzaC1r${'ZXktdjE'}AAAAA${d.of(alnum, 45)}`,
      d.of(alnum, 70),
      `-----END OPENSSH ${'PRIVATE'} KEY-----`,
    ].join('\n'),
  'database URL': (d) =>
    `${d.pick(['postgres', 'mysql', 'mongodb+srv', 'redis', 'amqp'])}://app:${d.of(alnum, 14)}@db-${d.below(9)}.internal:5432/main`,
  'password assignment': (d) =>
    d.pick([`password = "${d.of(alnum, 9)}7!"`, `DB_PASSWORD=${d.of(alnum, 12)}9`, `senha: ${d.of(alnum, 10)}4#`]),
  'token assignment': (d) =>
    d.pick([
      `api_key: ${d.of(alnum, 32)}`,
      `"client_secret": "${d.of(url, 40)}"`,
      `SECRET_KEY='${d.of(`${alnum}!@#`, 50)}'`,
    ]),
  'JSON Web Token': (d) =>
    `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(`{"sub":"u${d.of(digits, 6)}","exp":1999999999}`).toString('base64url')}.${d.of(url, 43)}`,
  'Vault token': (d) => `hv${'s'}.${d.of(url, 90)}`,
  'Linear key': (d) => `lin_${'api'}_${d.of(alnum, 40)}`,
  'Telegram bot': (d) => `${d.of('123456789', 10)}:A${'A'}${d.of(url, 33)}`,
};

/** Where people leave them. Each gives the text of a memory in which the secret stands, and keeps it whole for who decodes it. */
export const oddPlaces: Readonly<Record<string, (secret: string, d: Dice) => string>> = {
  'in a sentence': (s) => `The staging robot signs in with ${s} until March.`,
  'in a code fence': (s) => `Deploy:\n\n\`\`\`sh\nexport KEY='${s.replace(/\n/g, '\\n')}'\n\`\`\`\n`,
  'behind quote marks': (s) => `Ana wrote:\n\n> use this one:\n> ${s.replace(/\n/g, '\n> ')}\n> and rotate it`,
  'in a list': (s) => `- first\n  - ${s.replace(/\n/g, '\n    ')}\n- last`,
  'in a table': (s) => `| who | what |\n| --- | --- |\n| robot | ${s.replace(/\n/g, ' ')} |`,
  'in front matter': (s) =>
    `---\nname: Robot\ndescription: "${s.replace(/["\n]/g, ' ')}"\ntype: project\n---\n\nSee above.`,
  'in a comment': (s) => `Nothing to see.\n\n<!-- ${s.replace(/\n/g, ' ')} -->`,
  'in a link': (s) => `[the dashboard](https://example.net/login?next=%2F&key=${encodeURIComponent(s)})`,
  'in base64': (s) => `The config, encoded: ${base64(s)}`,
  'in base64 twice': (s) => `Blob: ${base64(base64(s))}`,
  'in url-safe base64': (s) => `blob=${Buffer.from(`config for the robot\n${s}\nend`).toString('base64url')}`,
  'in wrapped base64': (s) => `The config:\n\n${base64(`# robot\n${s}\n`).replace(/(.{40})/g, '$1\n')}\n`,
  'in wrapped, quoted base64': (s) => `> ${base64(s).replace(/(.{32})/g, '$1\n> ')}`,
  'in base64 in a list': (s) => `- blob: ${base64(`key ${s}`).replace(/(.{48})/g, '$1\n  ')}`,
  'broken by lines': (s, d) => `The key is\n${cut(s, d)}\nand that is it.`,
  'broken by quoted lines': (s, d) => `> Key:\n> ${cut(s, d).replace(/\n/g, '\n> ')}`,
  'put together from strings': (s, d) => `\`\`\`js\nconst key = '${cut(s, d).replace(/\n/g, "' +\n  '")}';\n\`\`\``,
  'continued with backslashes': (s, d) => `KEY:\n${cut(s, d).replace(/\n/g, '\\\n')}`,
  'with characters nobody sees': (s, d) => `Robot: ${between(s, d, '\u200b')}`,
  'with a soft hyphen': (s, d) => `Robot: ${between(s, d, '\u00ad')}`,
  'in full-width letters': (s) => `Robot: ${wide(s)}`,
  'with entities': (s) => `Robot: ${s.replace(/[_\-.=]/g, (sign) => `&#${sign.charCodeAt(0)};`)}`,
  'percent-encoded': (s) =>
    `callback?x=${[...s].map((c) => (/[a-z]/i.test(c) ? c : `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`)).join('')}`,
  'with escaped signs': (s) => `Robot: ${s.replace(/([_\-.])/g, '\\$1')}`,
  'as JSON in JSON': (s) => `Log: ${JSON.stringify(JSON.stringify({ key: s }))}`,
  'with CRLF': (s) => `First.\r\n\r\n${s.replace(/\n/g, '\r\n')}\r\nLast.\r\n`,
  'far down': (s) => `${'A line of the runbook.\n'.repeat(400)}${s}\n`,
};

function cut(secret: string, d: Dice): string {
  const line = secret.replace(/\n/g, ' ');
  const at = Math.floor(line.length / 2) + d.below(3);
  return `${line.slice(0, at)}\n${line.slice(at)}`;
}

const between = (secret: string, d: Dice, sign: string): string => {
  const at = 6 + d.below(4);
  return secret.slice(0, at) + sign + secret.slice(at, at + 5) + sign + secret.slice(at + 5);
};

const wide = (text: string): string =>
  [...text].map((c) => (/[!-~]/.test(c) ? String.fromCodePoint(c.charCodeAt(0) + 0xfee0) : c)).join('');
