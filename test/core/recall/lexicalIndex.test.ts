import assert from 'node:assert/strict';
import fc from 'fast-check';
import { analyse } from '../../../src/core/recall/analysedMemory';
import { createLexicalIndex, createPassingIndex, type LexicalHit } from '../../../src/core/recall/lexicalIndex';

interface Note {
  readonly name?: string;
  readonly keywords?: readonly string[];
  readonly description?: string;
  readonly body?: string;
}

function indexOf(notes: Readonly<Record<string, Note>>) {
  const index = createLexicalIndex();
  for (const [path, { name = path, keywords = [], description, body = '' }] of Object.entries(notes))
    index.set(analyse({ path, name, keywords, description, body }));
  return index;
}
const paths = (hits: readonly LexicalHit[]) => hits.map(({ path }) => path);

const project = {
  'retries.md': { name: 'Retry budget', body: 'Uploads are tried eight times, then they are given up.' },
  'release.md': { name: 'How we ship', keywords: ['deploy', 'k8s'], body: 'Only on Tuesdays, with Helm, by a human.' },
  'errors.md': { name: 'error_handling', keywords: ['exceptions'], body: 'Return a Result, throw nothing.' },
  'lint.md': { name: 'Linting', description: 'Biome, not ESLint', body: 'Biome formats and lints everything.' },
  'style.md': { name: 'Prose', body: 'Documentation is terse. The preface may be longer than the deploy notes.' },
};

describe('the lexical index', () => {
  it('finds a memory by other forms of its words, in English and in Portuguese', () => {
    const index = indexOf({
      ...project,
      'notas.md': { name: 'Migrações', body: 'As migrações do banco rodam antes de cada publicação.' },
    });
    assert.deepEqual(paths(index.search('how often do we retry an upload?')), ['retries.md']);
    assert.deepEqual(paths(index.search('quando roda a migração?')), ['notas.md']);
    assert.deepEqual(paths(index.search('Migracao')), ['notas.md'], 'without accents too');
  });

  it('puts what a memory is named or filed under before what it mentions', () => {
    assert.deepEqual(paths(indexOf(project).search('deploy')), ['release.md', 'style.md']);
  });

  it('finds parts of identifiers as well as the whole', () => {
    const index = indexOf({
      'a.md': { name: 'State', body: 'Call useMemoryStore() from `src/core/open_project.ts`.' },
    });
    for (const query of ['useMemoryStore', 'memory store hook', 'open_project', 'where is openProject.ts? project'])
      assert.deepEqual(paths(index.search(query)), ['a.md'], query);
  });

  it('finds text of scripts without spaces by a part of it', () => {
    const index = indexOf({
      'zh.md': { name: '部署流程', body: '每周二由值班工程师部署到生产环境。' },
      'ja.md': { name: 'テスト方針', body: '結合テストは本物のデータベースで実行する。' },
      'ko.md': { name: '배포', body: '배포는 화요일에만 합니다.' },
      'th.md': { name: 'การทดสอบ', body: 'รันการทดสอบทุกครั้งก่อนส่งโค้ด' },
      ...project,
    });
    assert.equal(paths(index.search('我们什么时候部署到生产环境？'))[0], 'zh.md');
    assert.equal(paths(index.search('結合テストはどのデータベースを使う？'))[0], 'ja.md');
    assert.equal(paths(index.search('배포는 언제 합니까?'))[0], 'ko.md');
    assert.equal(paths(index.search('ต้องรันการทดสอบเมื่อไหร่'))[0], 'th.md');
  });

  it('understands a slip of the keys, but takes no other word for one', () => {
    const index = indexOf({
      ...project,
      'ts.md': { name: 'TypeScript', body: 'Strict mode is on.' },
      'redis.md': { name: 'Redis', body: 'A cache, one node.' },
      'mongo.md': { name: 'MongoDB', body: 'The raw driver.' },
    });
    const found = {
      typscript: 'ts.md',
      typsecript: 'ts.md',
      reedis: 'redis.md',
      eror: 'errors.md',
      mongod: 'mongo.md',
    };
    for (const [query, path] of Object.entries(found)) assert.deepEqual(paths(index.search(query)), [path], query);
    for (const query of ['mango', 'k9s', 'radish', 'tits', 'lunging'])
      assert.deepEqual(paths(index.search(query)), [], query);
  });

  it('knows the short forms that everybody uses, and takes them for nothing else', () => {
    const index = indexOf({
      'db.md': { name: 'Database', body: 'Postgres 16.' },
      'cfg.md': { name: 'Config files', body: 'In TOML.' },
      'app.md': { name: 'Autenticação', body: 'Por sessão.' },
    });
    assert.deepEqual(paths(index.search('which db?')), ['db.md']);
    assert.deepEqual(paths(index.search('where is the configuration?')), ['cfg.md']);
    assert.deepEqual(paths(index.search('onde fica a configuração?')), ['cfg.md']);
    assert.deepEqual(paths(index.search('auth?')), ['app.md']);
    assert.deepEqual(paths(index.search('author?')), []);
  });

  it('keeps silent when a question shares nothing, or one word of a text by chance', () => {
    const index = indexOf(project);
    for (const query of [
      'what is the weather in Lisbon tomorrow?',
      'who wrote the preface of my favourite novel about sailors?',
      'the and of with',
      '???',
      '',
    ])
      assert.deepEqual(paths(index.search(query)), [], query);
  });

  it('keeps silent when two words of a long question stand in a text by chance', () => {
    const query = [
      'Please draft a friendly letter to grandmother about holidays, mountains, snow, skiing lessons, hot chocolate, wooden cabins,',
      'broken ankles, helicopters, hospitals, kind nurses, chess games, rainy evenings, and how longer notes cheer people up.',
    ].join(' ');
    assert.deepEqual(paths(indexOf(project).search(query)), []);
  });

  it('does not take more words for better ones', () => {
    const common = { body: 'The gateway and the importer write their report on the disk each night.' };
    const index = indexOf({
      'a.md': common,
      'b.md': common,
      'c.md': common,
      'd.md': common,
      'rare.md': { body: 'The kestrel report.' },
    });
    assert.equal(paths(index.search('does the kestrel write a report on the disk, like gateway?'))[0], 'rare.md');
  });

  it('takes one rare word of a text for telling when it is a good part of the question', () => {
    assert.deepEqual(paths(indexOf(project).search('the preface?')), ['style.md']);
  });

  it('gives all that match to someone who judges better', () => {
    const query = 'who wrote the preface of my favourite novel about sailors?';
    assert.deepEqual(paths(indexOf(project).search(query, { anyMatch: true })), ['style.md']);
  });

  it('leaves out what has a small part of what the best one has', () => {
    const index = indexOf({
      'best.md': { name: 'Checkout retries', body: 'The checkout retries a payment three times with a growing delay.' },
      'faint.md': { name: 'Delay', body: 'Ships may be late.' },
    });
    assert.deepEqual(paths(index.search('how often does the checkout retry a payment, with which delay?')), [
      'best.md',
    ]);
  });

  it('says which words of the question it found, and where', () => {
    const [hit] = indexOf(project).search('Which linters: Biome or another one? And when are files formatted?');
    assert.equal(hit?.path, 'lint.md');
    assert.deepEqual(hit?.words, [
      { word: 'linters', field: 'name' },
      { word: 'Biome', field: 'description' },
      { word: 'formatted', field: 'body' },
    ]);
  });

  it('forgets what was changed or deleted', () => {
    const index = indexOf(project);
    const changed = {
      path: 'retries.md',
      name: 'Retry budget',
      keywords: [],
      description: undefined,
      body: 'Downloads.',
    };
    index.set(analyse(changed));
    assert.deepEqual(paths(index.search('uploads')), []);
    assert.deepEqual(paths(index.search('downloads')), ['retries.md']);
    index.delete('retries.md');
    assert.deepEqual(paths(index.search('downloads')), []);
    assert.equal(index.size(), Object.keys(project).length - 1);
  });

  it('finds only what is accepted', () => {
    const accepts = (path: string) => path !== 'release.md';
    assert.deepEqual(paths(indexOf(project).search('deploy', { accepts })), ['style.md']);
  });

  it('finds the last of thousands of memories', () => {
    const index = createLexicalIndex();
    for (let at = 0; at < 3_000; at += 1) {
      const body = `Note ${at} about the ${at % 7 === 0 ? 'gateway' : 'importer'} of customer c${at}.`;
      index.set(analyse({ path: `n${at}.md`, name: `Note ${at}`, keywords: [], description: undefined, body }));
    }
    assert.equal(paths(index.search('what about customer c0?'))[0], 'n0.md');
    assert.equal(paths(index.search('what about customer c2999?'))[0], 'n2999.md');
  });

  it('answers a question that holds a word without end', () => {
    const whole = indexOf(project);
    for (const word of ['x'.repeat(200_000), 'deplo'.repeat(20_000)])
      assert.equal(paths(whole.search(`${word} deploy`))[0], 'release.md');
  });

  it('answers any question over any text, the same one each time', () => {
    const word = fc.constantFrom(
      'deploy',
      'naïve',
      '部署',
      'constructor',
      '__proto__',
      'a.b/c',
      "don't",
      '🙂',
      '\u0000',
      '1.2.3',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word).map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), text, (bodies, query) => {
        const index = createLexicalIndex();
        for (const [at, body] of bodies.entries())
          index.set(analyse({ path: `${at}.md`, name: body.slice(0, 20), keywords: [body], description: body, body }));
        const hits = index.search(query);
        assert.deepEqual(index.search(query), hits);
        for (const hit of hits) assert.ok(Number.isFinite(hit.score) && hit.words.length > 0);
      }),
    );
  });

  it('kept for one question answers it as the whole index does, misspelt and abbreviated words included', () => {
    const word = fc.constantFrom(
      ...'deploy deplyo deploys database db databse retry retries retyr release relase staging stg 部署流程 config cfg'.split(
        ' ',
      ),
      ...'importer gateway invoice the 17 openProject café cafe'.split(' '),
    );
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), text, (bodies, query) => {
        const [whole, one] = [createLexicalIndex(), createPassingIndex()];
        for (const [at, body] of bodies.entries()) {
          const memory = analyse({ path: `${at}.md`, name: body.slice(0, 9), keywords: [], description: query, body });
          whole.set(memory);
          one.set(memory);
        }
        assert.deepEqual(one.search(query), whole.search(query));
        assert.deepEqual(one.search(query, { anyMatch: true }), whole.search(query, { anyMatch: true }));
      }),
    );
  });
});
