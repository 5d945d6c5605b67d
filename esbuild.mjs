// Bundles what ships into dist/: extension.js, cli.js (executable), one bundle a lazily loaded module, one for each media/*.ts.
// A lazily loaded module can't slip into another bundle: importing it other than by `import()` fails the build.
//   node esbuild.mjs [--production] [--watch] [--suite]     --suite: also the tests that run inside a host, out/host/suite.js
import { chmodSync, existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Modules that few runs need: each becomes dist/<name>.js if something asks for it, and is loaded when that `import()` or
 * `require()` runs.
 * `module` is a file, from the project's root, or a package. Such a bundle has its own copy of every module it shares with
 * others, but for guests of the engine: state and classes in them are not the same ones.
 */
const lazy = [
  { name: 'engine', module: 'src/core/engine.ts' },
  // Needed where a chat's file holds more than a line can be parsed at once.
  { name: 'jsonPieces', module: 'src/core/sessions/jsonPieces.ts' },
  { name: 'tidyEngine', module: 'src/core/tidyEngine.ts' },
  { name: 'modelEngine', module: 'src/core/modelEngine.ts' },
  { name: 'signals', module: 'src/core/sessions/signals.ts' },
  { name: 'review', module: 'src/views/reviewBundle.ts' },
  { name: 'anthropic', module: 'src/core/agent/anthropicModel.ts' },
  { name: 'secretlint', module: 'src/core/memory/secretlint.ts' },
  { name: 'anthropicSdk', module: '@anthropic-ai/sdk' },
  // Required where a front matter is not plain; one copy serves every bundle.
  { name: 'yaml', module: 'yaml' },
  { name: 'jsYaml', module: 'js-yaml' },
  { name: 'grayMatter', module: 'gray-matter' },
  { name: 'jsoncParser', module: 'jsonc-parser' },
  { name: 'mcpServer', module: 'src/mcpServer.ts' },
  { name: 'hook', module: 'src/hook.ts' },
  { name: 'hookRecall', module: 'src/core/hooks/hookRecall.ts' },
  { name: 'hookSetup', module: 'src/core/hookSetup.ts' },
  { name: 'chat', module: 'src/views/chatTurns.ts' },
  { name: 'toolCalls', module: 'src/toolCalls.ts' },
  { name: 'vscodeModel', module: 'src/vscodeModel.ts' },
  { name: 'modelDialogue', module: 'src/commands/modelDialogue.ts' },
];

/** Marks what a plugin asks esbuild itself: no plugin of ours may answer that with a question of its own. */
const ourQuestion = Symbol('our own question');

/** @typedef {{ readonly isProduction?: boolean, readonly watch?: boolean }} BuildOptions */

/** @param {BuildOptions} options @returns {import('esbuild').BuildOptions} */
const nodeBundle = ({ isProduction = false }) => ({
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  mainFields: ['module', 'main'], // some packages' `main` is a form that can't be bundled
  target: 'node20',
  external: ['vscode'],
  define: { 'process.env.REVERIE_VERSION': JSON.stringify(version) },
  minify: isProduction,
  sourcemap: isProduction ? false : 'linked',
  charset: 'utf8',
  legalComments: 'none', // the notices file says it
  metafile: true,
  logLevel: 'warning',
  // `import()` of another bundle becomes a `require` that runs at that moment: every extension host knows it.
  supported: { 'dynamic-import': false },
});

/** @param {BuildOptions} options @returns {import('esbuild').BuildOptions} */
const browserBundle = (options) => ({
  ...nodeBundle(options),
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  external: [],
  loader: { '.svg': 'text' },
});

/**
 * Leaves lazily loaded modules out and notes in `wanted` which of them were asked for.
 * @param {(typeof lazy)[number] | undefined} own the one that this bundle is made for
 * @param {Set<(typeof lazy)[number]>} wanted
 * @param {readonly string[]} [shared] names of bundles that this one always needs: they are beside it rather than in it
 * @returns {import('esbuild').Plugin}
 */
const splitLazy = (own, wanted, shared = []) => ({
  name: 'split-lazy',
  setup(build) {
    const lastParts = lazy.map(({ module }) => basename(module, '.ts'));
    build.onResolve({ filter: new RegExp(`(^|/)(${lastParts.join('|')})(\\.ts|\\.js)?$`) }, async (args) => {
      if (args.pluginData === ourQuestion || args.kind === 'entry-point') return undefined;
      const { path } = await build.resolve(args.path, { ...pick(args), pluginData: ourQuestion });
      const asked = lazy.find(({ module }) =>
        module.startsWith('src/') ? resolve(root, module) === path : module === args.path,
      );
      if (!asked || asked === own) return undefined;
      if (['dynamic-import', 'require-call'].includes(args.kind) || shared.includes(asked.name)) {
        wanted.add(asked);
        return { path: `./${asked.name}.js`, external: true };
      }
      // Its own dependencies stand in a lazy bundle as they like.
      if (own) return undefined;
      return { errors: [{ text: `${asked.module} is loaded lazily: use import(), not a static import` }] };
    });
  },
});

/** Bundles that nothing but the engine's own bundle loads: they take from it what it holds already, instead of a copy. */
const guests = ['tidyEngine', 'modelEngine'];
/**
 * Which other bundles a bundle can rely on.
 * @type {ReadonlyMap<string, readonly string[]>}
 */
const besides = new Map([
  ['tidyEngine', ['signals']],
  ['modelEngine', ['signals']],
  ['cli', ['engine']],
]);
/** So much of what a guest needs of a file must be in the engine anyway for it to be lent. */
const lentShare = 0.8;

/** How many bytes of each file a bundle would hold. @param {import('esbuild').BuildOptions} bundle */
async function sizesIn(bundle) {
  const { metafile } = await esbuild.build({ ...bundle, write: false, sourcemap: false });
  const [output] = Object.values(metafile?.outputs ?? {});
  const sizes = Object.entries(output?.inputs ?? {}).map(
    ([file, { bytesInOutput }]) => /** @type {const} */ ([file, bytesInOutput]),
  );
  return new Map(sizes.filter(([, bytes]) => bytes > 0));
}

/**
 * @param {ReadonlySet<string>} held files that the engine's bundle holds, from the project's root
 * @param {Set<string>} borrowed notes those that were asked for
 * @returns {import('esbuild').Plugin}
 */
const borrowFromEngine = (held, borrowed) => ({
  name: 'borrow-from-engine',
  setup(build) {
    build.onResolve({ filter: /./ }, async (args) => {
      if (args.kind !== 'import-statement' || args.pluginData === ourQuestion) return undefined;
      const { path } = await build.resolve(args.path, { ...pick(args), pluginData: ourQuestion });
      const file = relative(root, path);
      if (!held.has(file)) return undefined;
      borrowed.add(file);
      return { path: file, namespace: 'lent' };
    });
    build.onResolve({ filter: /^\.\/engine\.js$/, namespace: 'lent' }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /./, namespace: 'lent' }, ({ path }) => ({
      contents: `module.exports = require('./engine.js').lent[${JSON.stringify(path)}]`,
    }));
  },
});

/**
 * The engine, and beside it every module that its guests borrow.
 * @param {ReadonlySet<string>} borrowed
 */
function lendingEngine(borrowed) {
  const files = [...borrowed].sort();
  return {
    stdin: {
      contents: [
        "export * from './src/core/engine.ts';",
        ...files.map((file, at) => `import * as lent${at} from ${JSON.stringify(`./${file}`)};`),
        `export const lent = { ${files.map((file, at) => `${JSON.stringify(file)}: lent${at}`).join(', ')} };`,
      ].join('\n'),
      resolveDir: root,
      sourcefile: 'engine.js',
    },
  };
}

/**
 * zod brings its messages in fifty languages; what we say of a wrong argument is read by a model, in English.
 * @type {import('esbuild').Plugin}
 */
const onlyEnglish = {
  name: 'only-english',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** @param {import('esbuild').OnResolveArgs} args */
const pick = ({ importer, namespace, resolveDir, kind }) => ({ importer, namespace, resolveDir, kind });

/**
 * Somebody waits for a hook: it is answered before the command line, with the whole engine, is loaded. The directive stands here
 * because it must come first.
 */
const commandLineStart = `#!/usr/bin/env node
"use strict";
if (process.argv.length === 3 && process.argv[2] === "hook") return void require("./hook.js").runAlone();`;

/** Lists, for one entry, what to build. @param {BuildOptions} options */
function mainBundles(options) {
  const node = nodeBundle(options);
  /** @type {import('esbuild').BuildOptions[]} */
  const bundles = [];
  /** @type {Set<(typeof lazy)[number]>} */
  const wanted = new Set();
  for (const name of ['extension', 'cli']) {
    const file = `src/${name}.ts`;
    if (!existsSync(join(root, file))) continue;
    const banner = name === 'cli' ? { banner: { js: commandLineStart } } : {};
    bundles.push({
      ...node,
      ...banner,
      entryPoints: [file],
      outfile: `dist/${name}.js`,
      // The command line is the engine with a face: two copies of it would be half of the package.
      plugins: [splitLazy(undefined, wanted, besides.get(name))],
    });
  }
  const media = join(root, 'media');
  for (const file of existsSync(media) ? readdirSync(media) : []) {
    if (!file.endsWith('.ts') || file.endsWith('.d.ts')) continue;
    bundles.push({
      ...browserBundle(options),
      entryPoints: [`media/${file}`],
      outfile: `dist/${basename(file, '.ts')}.js`,
    });
  }
  return { bundles, wanted };
}

/**
 * Builds everything in dist/ and removes what an earlier build left there.
 * @param {BuildOptions} [options]
 * @returns {Promise<readonly { file: string, bytes: number }[]>} what was built
 */
export async function buildAll(options = {}) {
  const { bundles, wanted } = mainBundles(options);
  const results = [];
  for (const bundle of bundles) results.push(await esbuild.build(bundle));
  const engine = lazy.find(({ name }) => name === 'engine');
  if (!engine) throw new Error('There is no engine to build');
  const held = await sizesIn(lazyBundle(engine, wanted, options));
  /** @type {Set<string>} */
  const borrowed = new Set();
  const borrow = async (/** @type {(typeof lazy)[number]} */ one) => {
    if (!guests.includes(one.name)) return [];
    const needed = await sizesIn(lazyBundle(one, wanted, options));
    // Lending what the engine itself does not use would make it larger, with all that hangs on it.
    const lent = [...held]
      .filter(([file, bytes]) => bytes >= lentShare * (needed.get(file) ?? 0))
      .map(([file]) => file);
    return [borrowFromEngine(new Set(lent), borrowed)];
  };
  const done = new Set();
  for (let left = [...wanted]; left.length > 0; left = [...wanted].filter((one) => !done.has(one))) {
    for (const one of left) {
      if (one.name !== 'engine') results.push(await esbuild.build(lazyBundle(one, wanted, options, await borrow(one))));
      done.add(one);
    }
  }
  const { entryPoints, ...lending } = lazyBundle(engine, wanted, options);
  results.push(await esbuild.build({ ...lending, ...lendingEngine(borrowed) }));
  const outputs = results.flatMap((result) => Object.entries(result.metafile?.outputs ?? {}));
  const notices = formatNotices(results.flatMap((result) => Object.keys(result.metafile?.inputs ?? {})));
  writeFileSync(join(root, 'dist/THIRD_PARTY_NOTICES.txt'), notices);
  const kept = new Set(['THIRD_PARTY_NOTICES.txt', ...outputs.map(([file]) => basename(file))]);
  for (const file of readdirSync(join(root, 'dist')))
    if (!kept.has(file)) rmSync(join(root, 'dist', file), { recursive: true });
  if (existsSync(join(root, 'dist/cli.js'))) chmodSync(join(root, 'dist/cli.js'), 0o755);
  return outputs.filter(([file]) => file.endsWith('.js')).map(([file, { bytes }]) => ({ file, bytes }));
}

/**
 * @param {(typeof lazy)[number]} one
 * @param {Set<(typeof lazy)[number]>} wanted
 * @param {BuildOptions} options
 * @param {readonly import('esbuild').Plugin[]} [more]
 * @returns {import('esbuild').BuildOptions}
 */
function lazyBundle(one, wanted, options, more = []) {
  const plugins = [splitLazy(one, wanted, besides.get(one.name)), ...more, onlyEnglish];
  return { ...nodeBundle(options), entryPoints: [one.module], outfile: `dist/${one.name}.js`, plugins };
}

/**
 * One lazily loaded module with those that it loads in turn, for tests and figures that need no other.
 * @param {string} name @param {string} folder
 */
export async function buildOne(name, folder) {
  /** @type {Set<(typeof lazy)[number]>} */
  const wanted = new Set(lazy.filter((each) => each.name === name));
  for (const one of wanted) {
    await esbuild.build({
      ...lazyBundle(one, wanted, { isProduction: true }),
      outfile: join(folder, `${one.name}.js`),
    });
  }
}

/** The tests that run inside a VS Code host, as one bundle beside the project's node_modules (it loads mocha from there). */
export async function buildSuite() {
  const folder = join(root, 'test/host/suite');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
  const contents = `export const suites = [${files.map((file) => `() => import(${JSON.stringify(join(folder, file))})`).join(',\n')}];`;
  await esbuild.build({
    ...nodeBundle({}),
    entryPoints: ['test/host/suite/index.ts'],
    outfile: 'out/host/suite.js',
    external: ['vscode', 'mocha'],
    supported: {},
    plugins: [
      {
        name: 'suites',
        setup(build) {
          build.onResolve({ filter: /^suites:all$/ }, () => ({ path: 'all', namespace: 'suites' }));
          build.onLoad({ filter: /.*/, namespace: 'suites' }, () => ({ contents, loader: 'js', resolveDir: root }));
        },
      },
    ],
  });
}

/**
 * The licences of the packages that went into the bundles, as those licences ask for.
 * @param {readonly string[]} inputs
 */
function formatNotices(inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) folders.add(found[1]);
  }
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((each) => /^(licen[cs]e|copying)/i.test(each));
    const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : `Licence: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
  return notices.join(`\n${'-'.repeat(80)}\n\n`);
}

/** @param {BuildOptions} options */
async function watchAll(options) {
  await buildAll(options);
  const { bundles, wanted } = mainBundles(options);
  for (const one of lazy) {
    if (existsSync(join(root, 'dist', `${one.name}.js`))) bundles.push(lazyBundle(one, wanted, options));
  }
  for (const bundle of bundles) await (await esbuild.context({ ...bundle, logLevel: 'info' })).watch();
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const isProduction = process.argv.includes('--production');
  try {
    if (process.argv.includes('--watch')) {
      await watchAll({ isProduction });
    } else {
      for (const { file, bytes } of await buildAll({ isProduction }))
        console.log(`${(bytes / 1024).toFixed(1).padStart(9)} kB  ${file}`);
    }
    if (process.argv.includes('--suite')) await buildSuite();
  } catch (error) {
    // esbuild has said it already.
    if (!(error instanceof Error && 'errors' in error)) console.error(error);
    process.exitCode = 1;
  }
}
