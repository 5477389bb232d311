import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPlugin } from '../../sdk/build/build-plugin.ts';
import { installPlugin } from '../../src/host/install/install-plugin.ts';
import { openPluginStore } from '../../src/host/install/plugin-store.ts';
import { createRandomServices } from '../../src/host/interfaces/kv.ts';
import { defaultLimits } from '../../src/host/limits.ts';
import { createPluginHost } from '../../src/host/plugin-host.ts';
import { createProcessSandbox } from '../../src/sandbox/process-sandbox.ts';

/** See the README beside it. */
const root = resolve(import.meta.dirname, '../..');
const atLeast = 30;

type Package = { specifier: string; expression: string; isSurveyed: boolean };
type Outcome = Package & {
  result: 'as Node' | 'differs' | 'does not build' | 'does not run' | 'not in Node';
  bytes: number;
  detail: string;
};

const usage = `Usage: npm run test:npm -- [--list FILE] [--folder DIR] [--json] [NAME…]

  --list FILE   lines of another file than packages.tsv and more.tsv
  --folder DIR  a folder in which the packages are installed
  --json        an object a line
  NAME          only packages whose specifier holds it`;

const { flags, wanted } = readArguments();

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        folder: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        json: { type: 'boolean' },
        list: { type: 'string' },
      },
    });
    if (values.help !== true) return { flags: values, wanted: positionals };
    console.log(usage);
    process.exit();
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n${usage}`);
    process.exit(2);
  }
}

function packagesIn(file: string, isSurveyed: boolean): Package[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => {
      const [specifier = '', expression = ''] = line.split('\t');
      return { specifier, expression, isSurveyed };
    });
}

const own = (name: string): string => join(import.meta.dirname, name);
const all =
  flags.list === undefined
    ? [...packagesIn(own('packages.tsv'), true), ...packagesIn(own('more.tsv'), false)]
    : packagesIn(flags.list, false);
const packages = all.filter(
  ({ specifier }) => wanted.length === 0 || wanted.some((name) => specifier.includes(name)),
);
const folder = flags.folder ?? mkdtempSync(join(tmpdir(), 'cuervo-npm-'));
const scratch = mkdtempSync(join(tmpdir(), 'cuervo-npm-built-'));

/** Of `@a/b/c` it is `@a/b`. */
const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

function installPackages(): void {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const names = [...new Set(packages.map(({ specifier }) => packageOf(specifier)))];
  const flagsOfNpm = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...flagsOfNpm, ...names], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('npm could not install the packages');
}

const pluginText = ({ specifier, expression }: Package): string => `
import { definePlugin, v } from '@cuervo/sdk';
import * as m from '${specifier}';
export default definePlugin({
  name: 'tried',
  version: '0.1.0',
  description: 'Evaluates one expression.',
  wants: [
    { capability: 'random', why: 'ids' },
    { capability: 'clock', why: 'dates' },
    { capability: 'log', why: 'console' },
  ],
  tools: [
    {
      name: 'go',
      description: 'Evaluates the expression.',
      effect: 'read',
      input: v.object({}),
      examples: [],
      run: async () => ({ content: { value: await (${expression}) }, summary: '' }),
    },
  ],
});
`;

function inNode({ specifier, expression }: Package): { text: string } | { error: string } {
  // A bundler sees names of a module of CommonJS that Node does not find by reading it.
  const program = `import { createRequire } from 'node:module';
const run = async (m) => '\\n' + JSON.stringify({ value: await (${expression}) });
const required = () => createRequire(process.cwd() + '/x.js')('${specifier}');
const text = await run(await import('${specifier}')).catch((thrown) =>
  run(required()).catch(() => { throw thrown; }));
process.stdout.write(text);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], {
    cwd: folder,
    input: program,
    encoding: 'utf8',
  });
  if (status !== 0)
    return { error: stderr.split('\n').find((line) => /Error/.test(line)) ?? stderr };
  return { text: stdout.slice(stdout.lastIndexOf('\n') + 1) };
}

const messageOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).split('\n')[0] ?? '';

async function tryPackage(one: Package, index: number): Promise<Outcome> {
  const expected = inNode(one);
  if ('error' in expected)
    return { ...one, result: 'not in Node', bytes: 0, detail: expected.error };
  const own = join(folder, `plugin-${index}`);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'plugin.js'), pluginText(one));
  const out = join(scratch, `${index}.wasm`);
  let bytes: number;
  try {
    const places = { sdkFolder: join(root, 'sdk'), witFolder: join(root, 'wit') };
    ({ bytes } = await buildPlugin({ folder: own, out, engine: 'quickjs', ...places }));
  } catch (thrown) {
    return { ...one, result: 'does not build', bytes: 0, detail: messageOf(thrown) };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  try {
    const text = await runTool(out, join(scratch, `store-${index}`));
    if (text === expected.text) return { ...one, result: 'as Node', bytes, detail: '' };
    const detail = `${text.slice(0, 150)} and not ${expected.text.slice(0, 150)}`;
    return { ...one, result: 'differs', bytes, detail };
  } catch (thrown) {
    return { ...one, result: 'does not run', bytes, detail: messageOf(thrown) };
  }
}

const { signal } = new AbortController();

async function runTool(binary: string, home: string): Promise<string> {
  const store = openPluginStore(home);
  const processBundle = join(root, 'dist/process.cjs');
  const sandbox = createProcessSandbox('auto', { home });
  await installPlugin(readFileSync(binary), binary, store, {
    bundles: {
      process: processBundle,
      transpile: join(root, 'dist/transpile.js'),
      wrap: join(root, 'dist/wrap.js'),
    },
    limits: defaultLimits,
    sandbox,
    signal,
    nowMs: Date.now(),
  });
  await using host = createPluginHost({
    stores: [{ store, builtin: false }],
    permit: () => ({ denied: {}, roots: {} }),
    protectedPaths: {},
    services: new Map(Object.entries(createRandomServices())),
    processBundle,
    sandbox,
    limits: defaultLimits,
  });
  const call = { tool: 'tried.go', input: {} };
  for await (const event of host.invoke(call, { signal, timeoutMs: defaultLimits.callTimeoutMs })) {
    if (event.type === 'output') return event.output.content;
  }
  throw new Error('it gave no output');
}

if (flags.folder === undefined) installPackages();
const outcomes: Outcome[] = [];
const waiting = packages.map((one, index) => ({ one, index }));
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const outcome = await tryPackage(next.one, next.index);
      outcomes.push(outcome);
      show(outcome);
    }
  }),
);
const good = (list: readonly Outcome[]): number =>
  list.filter(({ result }) => result === 'as Node').length;
const surveyed = outcomes.filter(({ isSurveyed }) => isSurveyed);
const more = outcomes.filter(({ isSurveyed }) => !isSurveyed);
console.log(`packages.tsv: ${good(surveyed)} of ${surveyed.length} as Node`);
console.log(`more.tsv: ${good(more)} of ${more.length} as Node`);
rmSync(scratch, { recursive: true, force: true });
if (flags.folder === undefined) rmSync(folder, { recursive: true, force: true });
if (wanted.length === 0 && flags.list === undefined && good(surveyed) < atLeast)
  process.exitCode = 1;

function show({ specifier, result, bytes, detail }: Outcome): void {
  if (flags.json === true) console.log(JSON.stringify({ specifier, result, bytes, detail }));
  else {
    const size = bytes === 0 ? '' : `${(bytes / 1e6).toFixed(1)} MB`;
    console.log(`${specifier.padEnd(28)} ${result.padEnd(14)} ${size.padStart(7)}  ${detail}`);
  }
}
