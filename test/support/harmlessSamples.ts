// What looks like a secret and is none: hashes, ids, public keys, pictures, the example keys of documentations, placeholders,
// and talk about secrets. Made from a seed; nothing here knows a rule.

import { type Dice, dice } from './secretSamples';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const alnum = `${lower}${lower.toUpperCase()}0123456789`;
const hex = '0123456789abcdef';
const b64 = `${alnum}+/`;
const uuid = (d: Dice) => [8, 4, 4, 4, 12].map((length) => d.of(hex, length)).join('-');
const x = (count: number) => 'x'.repeat(count);
const part = (...parts: string[]) => parts.join('');

const made: Readonly<Record<string, (d: Dice) => string>> = {
  'a commit': (d) => `Fixed in commit ${d.of(hex, 40)}.`,
  'a short commit': (d) => `git revert ${d.of(hex, 7)}`,
  'a checksum': (d) => `sha256: ${d.of(hex, 64)}  reverie.vsix`,
  'an md5': (d) => `md5sum ${d.of(hex, 32)} backup.tar`,
  'a UUID': (d) => `The tenant is ${uuid(d)}.`,
  'a session id': (d) => `originSessionId: ${uuid(d)}`,
  'an integrity string': (d) => `"integrity": "sha512-${d.of(b64, 86)}=="`,
  'a policy hash': (d) => `script-src 'sha256-${d.of(b64, 43)}='`,
  'a Go checksum': (d) => `golang.org/x/net v0.17.0 h1:${d.of(b64, 43)}=`,
  'a cargo checksum': (d) => `checksum = "${d.of(hex, 64)}"`,
  'a yarn checksum': (d) => `checksum: 10c0/${d.of(hex, 128)}`,
  'a nix hash': (d) => `/nix/store/${d.of('0123456789abcdfghijklmnpqrsvwxyz', 32)}-hello-2.12`,
  'an image digest': (d) => `node:20@sha256:${d.of(hex, 64)}`,
  'a host fingerprint': (d) => `ED25519 key fingerprint is SHA256:${d.of(b64, 43)}.`,
  'a public SSH key': (d) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${d.of(b64, 43)} ana@laptop`,
  'a public RSA key': (d) => `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${d.of(b64, 330)}= deploy`,
  'a public key in PEM': (d) =>
    `-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A${d.of(b64, 32)}\n${d.of(b64, 64)}\n-----END PUBLIC KEY-----`,
  'a certificate': (d) =>
    `-----BEGIN CERTIFICATE-----\nMIID${d.of(b64, 60)}\n${d.of(b64, 64)}\n${d.of(b64, 64)}\n-----END CERTIFICATE-----`,
  'a picture': (d) => `![dot](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA${d.of(b64, 120)}==)`,
  'a font': (d) => `src: url(data:font/woff2;base64,d09GMgABAAAAA${d.of(b64, 300)})`,
  'words in base64': (d) =>
    `The payload decodes to a greeting: ${Buffer.from(`Hello, team ${d.below(99)}, see you at the standup tomorrow morning`).toString('base64')}`,
  'a document': (d) => `https://docs.google.com/document/d/1${d.of(`${alnum}-_`, 43)}/edit`,
  'a design': (d) => `https://www.figma.com/file/${d.of(alnum, 22)}/Checkout-flow?node-id=12%3A${d.below(999)}`,
  'a video': (d) => `https://youtu.be/${d.of(`${alnum}-_`, 11)}`,
  'a page id': (d) => `https://www.notion.so/acme/Runbook-${d.of(hex, 32)}`,
  'a trace': (d) => `traceparent: 00-${d.of(hex, 32)}-${d.of(hex, 16)}-01`,
  'an ETag': (d) => `ETag: "${d.of(hex, 32)}-5"`,
  'an ARN': (d) => `arn:aws:iam::${d.of('123456789', 12)}:role/deploy-${d.below(99)}`,
  'a pod': (d) => `web-${d.of(hex, 9)}-${d.of(lower, 5)} restarted`,
  'a bundle': (d) => `/assets/index-${d.of(alnum, 8)}.js is cached for a year`,
  'an Ethereum address': (d) => `Donations: 0x${d.of(hex, 40)}`,
  'a content id': (d) => `ipfs cat Qm${d.of('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 44)}`,
  'a site key': (d) => `reCAPTCHA site key: 6Lc${d.of(`${alnum}-_`, 37)}`,
  'a publishable key': (d) => `The shop page uses ${part('pk', '_live_')}${d.of(alnum, 24)}, which is public.`,
  'a ULID': (d) => `order 01H${d.of('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 23)}`,
  'an account id': (d) => `Twilio account AC${d.of(hex, 32)}`,
  'a channel': (d) => `Ask in Slack channel C0${d.of('ABCDEFGH0123456789', 9)}`,
  'a MAC address': (d) => `The printer is ${Array.from({ length: 6 }, () => d.of(hex, 2)).join(':')}`,
  'a class name': (d) => `AbstractSingletonProxyFactoryBeanDefinition${d.below(99)}V2ImplForTests is odd`,
  'a measure': (d) => `token budget: ${d.below(90) + 10}0000 a day, password length: ${d.below(9) + 8} characters`,
  'a version': (d) => `key 2.${d.below(20)}.${d.below(20)}-rc.1+build.${d.of('123456789', 8)}`,
  'an Analytics id': (d) => `gtag('config', 'G-${d.of('ABCDEFGHJK0123456789', 10)}')`,
  'a GPG fingerprint': (d) => `gpg --recv-keys ${d.of('0123456789ABCDEF', 40)}`,
  'a long slug': (d) =>
    `https://blog.example.org/how-we-moved-${d.below(99)}-services-to-one-monorepo-in-3-weeks-and-lived`,
};

const fixed: readonly string[] = [
  `AWS documents ${part('AKIA', 'IOSFODNN7', 'EXAMPLE')} as its example.`,
  `aws_secret_access_key = ${part('wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY')}`,
  `export GITHUB_TOKEN=${part('ghp', '_', x(36))}`,
  `ANTHROPIC_API_KEY=${part('sk-', 'ant-', '...')}`,
  `ANTHROPIC_API_KEY=${part('sk-', 'ant-api03-', x(40))}`,
  `OPENAI_API_KEY=${part('sk-', 'your-key-here')}`,
  `OPENAI_API_KEY="${part('sk-', 'proj-', '<your key>')}"`,
  `${part('xoxb', '-your-bot-token')}`,
  `${part('sk', '_test_', '4eC39HqLyjWDarjtT1zdp7dc')} is the key of Stripe's documentation`,
  `Azurite: AccountKey=${part('Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6', 'IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==')}`,
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  '-----BEGIN RSA PRIVATE KEY-----\n<paste it here>\n-----END RSA PRIVATE KEY-----',
  'glpat-<token>',
  `glpat-${x(20)}`,
  `${part('npm', '_')}${'0'.repeat(36)}`,
  `${part('AKIA', 'X'.repeat(16))}`,
  'hf_YOUR_TOKEN_HERE',
  'password: changeme',
  'password: <your-password>',
  'password: ********',
  'DB_PASSWORD=$DB_PASSWORD',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a workflow.
  'token: ${{ secrets.NPM_TOKEN }}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a shell script.
  'SECRET=${SECRET:-}',
  'API_KEY=$(vault kv get -field=key kv/app)',
  'password: op://Team/Staging/password',
  'const token = process.env.GITHUB_TOKEN',
  'password = os.environ["DB_PASSWORD"]',
  'password: z.string().min(12)',
  'token: string | undefined',
  'secret: true',
  'apiKey: config.services.maps.apiKey',
  'api_key = settings.MAPS_API_KEY_V2',
  'secretName: web-tls-2026',
  'secretKeyRef: { name: db-credentials, key: password }',
  'The API key is called MAPS_API_KEY and lies in 1Password.',
  'Passwords are hashed with argon2id, 19 MiB, t=2.',
  'The token expires after 15min; refresh it 60s before.',
  'The secret is in Vault under kv/app/stripe.',
  'Senha: mínimo de 12 caracteres, com um número.',
  'A senha do staging está no 1Password.',
  'The password hint is on page 12.',
  'Rotate the signing key every 90d.',
  'postgres://user:password@localhost:5432/app',
  'mongodb://<user>:<password>@cluster0.example.net/db',
  'redis://:password@localhost:6379/0',
  'mysql://root:root@127.0.0.1/test',
  'https://user:pass@example.com/x',
  'Authorization: Bearer <token>',
  'Authorization: Basic <credentials>',
  'Authorization: Bearer $TOKEN',
  'curl -u "$USER:$PASS" https://api.example.com',
  'The bearer token goes in the Authorization header.',
  'primary key: customer_id, foreign key: order_id_2',
  'Key rotation is tracked in SEC-1234.',
  'keyboard shortcut: ctrl+shift+alt+K2',
  'passphrase: correct horse battery staple is the comic',
  'The access key of the menu is alt+1.',
  'sk-SK is the locale of Slovakia; pk_PK is not Pakistan.',
  'The GitHub prefix ghp_ marks personal tokens, gho_ OAuth ones.',
  'Search for sk_live_ in the logs before release.',
  'git@github.com:acme/app.git',
  'color tokens: --token-primary: #1f6feb',
  'token = "access"',
  'auth: none',
  'The licence key dialog shows XXXX-XXXX-XXXX-XXXX.',
  'private_key_path: ~/.ssh/id_ed25519',
  'ssh -i ~/.ssh/deploy_2026 app@10.0.0.4',
  'credentials: include',
  'encryption key size: 256bit',
  'Set `secret_key_base` with bin/rails secret.',
];

/** Two hundred, the same for the same seed. */
export function harmlessLookAlikes(seed: number): string[] {
  const d = dice(seed);
  const kinds = Object.values(made);
  const texts = [...fixed];
  for (let at = 0; texts.length < 200; at += 1) texts.push((kinds[at % kinds.length] as (d: Dice) => string)(d));
  return texts;
}
