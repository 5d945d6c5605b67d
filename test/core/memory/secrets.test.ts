import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lintText } from '../../../src/core/memory/secretlint';
import { findSecrets } from '../../../src/core/memory/secrets';

// Put together at run time, so that this file holds nothing that looks like a secret.
const join = (...parts: string[]) => parts.join('');
const key = join('9f8e7d6c5b4a3928', '1706f5e4d3c2b1a0');

const secrets: readonly (readonly [rule: string, text: string])[] = [
  ['password', join('password: hun', 'ter2')],
  ['password', join('The QA database runs on port 5544, password is Tr0ub', '4dor&3xyz')],
  ['password', join('a senha é S3nh4!', 'Forte#2026, mas não precisa guardar')],
  ['password', join('DB_PASSWORD=', 'S3nh4!Forte')],
  ['password', join('dbPassword: "hun', 'ter2"')],
  ['password', join('password for the staging box is Xk9', '!mPq2vT')],
  ['password', 'password is 123456'],
  ['token', join('api_key="', key, '"')],
  ['token', join('o token da API é tk9Xj2m', 'Pq8Lw4Zr7')],
  ['token', join('client_secret: aB3d', 'E5fG7hI9')],
  ['token', join('API_TOKEN=8f14e45f-ceea-467a-', '9f0b-1c2d3e4f5a6b')],
  ['github', join('my token is ghp', '_16C7e42F292c6912E7710c838347Ae178B4a')],
  ['anthropic', join('sk-', 'ant-api03-abcdefghijklmnopqrstuvwxyz0123456789')],
  ['api-key', join('sk-', 'test-', key)],
  ['api-key', join('rvx_', 'live_51HqPz8LkT0aQeXw93nVbY7')],
  ['aws', join('AKIA', 'QYLPMN5HHHFPZAM2')],
  ['gitlab', join('glpat', '-abcdefghij1234567890')],
  ['slack', join('xoxb', '-123456789012-abcdefABCDEF1234567890ab')],
  ['stripe', join('sk_', 'live_abcdEFGH1234')],
  ['jwt', join('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N')],
  ['connection-string', join('postgres://app:sdf8', '7sdfH@db.example.net/x')],
  ['bearer', join('Authorization: Bearer abcDEF123456', 'ghiJKL789012')],
  ['private-key', join('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIEpAIBAAKCAQEAx1234567890abcdefghij\n')],
  ['high-entropy', join('keep this: k7JqP2vXz9LmN4bR8t', 'Yw3CfH6gD1sA5eQ0uW')],
];

const harmless = [
  'password: <your-password>',
  'password: ********',
  'password=$DB_PASSWORD',
  'password: xxxxxxxx',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a shell script.
  'secret: ${SECRET}',
  'api_key = "[REDACTED]"',
  'token: process.env.API_TOKEN',
  'const token = getToken()',
  'token: string',
  'password is required',
  'The password policy is 12-character minimum',
  'the password hint is on page 12',
  'Senha: mínimo de 8 caracteres',
  'the token is base64-encoded',
  'token limit: 200000',
  'session token is 24h valid',
  'The token expires after 15min',
  'auth token: rotate every 30d',
  'Passwords are hashed with argon2id',
  'Tokens are stored in 1Password',
  'The secret is in Vault under kv/app',
  'The api key is called MAPS_API_KEY_2',
  'postgres://user:password@localhost:5432/db',
  'https://wiki.example.com/hooks',
  'session 8f14e45f-ceea-467a-9f0b-1c2d3e4f5a6b',
  `commit ${'9f8e7d6c5b'.repeat(4)}`,
  `sha256 ${'9f86d081'.repeat(8)}`,
  `integrity sha512-${'AbCd1234'.repeat(10)}==`,
  'originSessionId: 22d4a707-a524-4627-b3ff-d0bbbdc7b889',
  'ServiceAccountKeyProviderFactoryBean2ImplForTests34',
  'src/core/memory/similarity/TestSomethingVeryLong12345Name',
  'key: value',
  `token ghp_${'x'.repeat(36)}`,
  join('AKIA', 'IOSFODNN7EXAMPLE'),
  'https://user:password@db.example.com/x',
  '',
];

describe('the search for secrets', function () {
  // The rules are loaded with the first search.
  this.timeout(30_000);

  it('F-48: finds passwords, tokens, keys and connection strings by rule and line', async () => {
    for (const [rule, text] of secrets) {
      const found = await findSecrets(`First line.\n${text}\nLast line.\n`);
      assert.ok(
        found.some((secret) => secret.rule === rule && secret.line === 2),
        `${rule}: ${JSON.stringify(found)}`,
      );
    }
  });

  it('leaves placeholders, hashes, UUIDs and talk about secrets alone', async () => {
    for (const text of harmless) assert.deepEqual(await findSecrets(text), [], text);
    assert.deepEqual(await findSecrets(harmless.join('\n')), []);
  });

  it('finds a token that line breaks tear apart, and says where it begins', async () => {
    const torn = join('The token of the bot:\r\n  > ghp', '_16C7e42F292c69\r\n  > 12E7710c838347Ae178B4a\r\n');
    assert.deepEqual(
      (await findSecrets(torn)).map(({ rule, line }) => [rule, line]),
      [['github', 2]],
    );
  });

  it('never gives the value away', async () => {
    for (const [, text] of secrets) {
      const told = JSON.stringify(await findSecrets(text));
      for (const word of text.split(/[\s:="]+/))
        if (word.length > 7 && !/password|postgres|Authorization/.test(word))
          assert.equal(told.includes(word), false, word);
    }
  });

  it('obeys no comment that would switch it off', async () => {
    const [, text] = secrets.find(([rule]) => rule === 'slack') ?? ['', ''];
    assert.equal((await lintText(`<!-- secretlint-disable -->\n${text}`)).length, (await lintText(text)).length);
    assert.ok((await findSecrets(`<!-- secretlint-disable -->\n${text}\n<!-- secretlint-enable -->`)).length > 0);
  });

  it('ends for any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        for (const { line } of await findSecrets(text)) assert.ok(line >= 1 && line <= text.split('\n').length);
      }),
      { numRuns: 50 },
    );
    for (const text of [
      'password'.repeat(2_000),
      'a'.repeat(20_000),
      `${'token is '.repeat(1_000)}`,
      '-----BEGIN PRIVATE KEY-----'.repeat(500),
      '://a:b'.repeat(2_000),
      'a_'.repeat(10_000),
      'A1b2'.repeat(5_000),
      'eyJ'.repeat(10_000),
    ])
      await findSecrets(text);
  });
});
