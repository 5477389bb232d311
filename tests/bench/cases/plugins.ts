import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from '../../../src/lib/memo.ts';
import { openMockSigstore } from '../../support/mock-sigstore.ts';
import type { Bench, BenchContext } from '../bench-context.ts';
import { benchPlugins, dist, root } from '../bench-host.ts';
import { type BenchLine, benchLine, type Target } from '../bench-line.ts';
import { interleave, median } from '../measure.ts';
import { type ProgramResult, runProgram } from '../run-program.ts';

const launcher = join(dist, 'cuervo.cjs');
const crowdSize = 100;

/** A folder that is there until the process ends. */
const scratch = once((): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-plugins-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'work'));
  writeFileSync(join(folder, 'work/notes.md'), 'The retry limit is three.\n');
  return folder;
});

let homes = 0;

function newHome(): string {
  homes += 1;
  const home = join(scratch(), `home-${homes}`);
  mkdirSync(home, { mode: 0o700 });
  return home;
}

async function cuervo(home: string, args: readonly string[]): Promise<ProgramResult> {
  const result = await runProgram(process.execPath, [launcher, ...args], {
    cwd: join(scratch(), 'work'),
    env: { CUERVO_HOME: home },
  });
  if (result.code === 0 || args[0] === 'doctor') return result;
  throw new Error(`${args.join(' ')} exits ${result.code}: ${result.stderr.trim().split('\n')[0]}`);
}

/** A plugin folder of the bench, built. */
const built = once(async (): Promise<string> => {
  const file = join(scratch(), 'reader.wasm');
  await cuervo(newHome(), ['plugin', 'build', join(benchPlugins, 'reader'), '-o', file]);
  return file;
});

/** A home in which a binary is installed under a hundred names, and one without a plugin. */
const crowd = once(async (): Promise<{ full: string; empty: string }> => {
  const [full, empty] = [newHome(), newHome()];
  const file = await built();
  for (let at = 0; at < crowdSize; at += 1)
    await cuervo(full, ['plugin', 'install', file, '--yes', '--as', `reader-${at}`]);
  return { full, empty };
});

/** A command with a hundred plugins, beside the same without any. */
function crowdBench(name: string, reach: string, args: readonly string[], runs = 10): Bench {
  const target: Target = { name: `plugins.${name}`, unit: 'ms', reach };
  const run = async (): Promise<BenchLine> => {
    const { full, empty } = await crowd();
    const wallMs = async (home: string) => (await cuervo(home, args)).wallMs;
    const { a, b } = await interleave(
      { runs, warmUps: 2 },
      () => wallMs(full),
      () => wallMs(empty),
    );
    const peer = `without the ${crowdSize} plugins`;
    return benchLine(target, { value: a, runs, peer, peerValue: b });
  };
  return { ...target, run };
}

/** Samples of what takes so long that few have to do. */
function timedBench(
  target: Target,
  runs: number,
  sample: (context: BenchContext) => Promise<number>,
): Bench {
  const run = async (context: BenchContext): Promise<BenchLine> => {
    const samples: number[] = [];
    for (let at = 0; at < runs; at += 1) samples.push(await sample(context));
    return benchLine(target, { value: median(samples), runs });
  };
  return { ...target, run };
}

const install = (home: string, file: string) =>
  cuervo(home, ['plugin', 'install', file, '--yes', '--grant', 'fs:work']);
const installBench = timedBench(
  { name: 'plugins.install', unit: 'ms', reach: '<= 2000 ms' },
  5,
  async () => (await install(newHome(), await built())).wallMs,
);

const againHome = once(async () => {
  const home = newHome();
  await install(home, await built());
  return home;
});

const againBench = timedBench(
  { name: 'plugins.install-again', unit: 'ms', reach: '<= 200 ms' },
  8,
  async () => (await install(await againHome(), await built())).wallMs,
);

/** From nothing to the first answer: a folder, a build, a call. */
const firstRunBench = timedBench(
  { name: 'plugins.new-to-run', unit: 's', reach: '<= 20 s' },
  3,
  async () => {
    const home = newHome();
    const folder = join(home, 'word-stats');
    const file = join(folder, 'dist/word-stats.wasm');
    const steps = [
      ['plugin', 'new', folder],
      ['plugin', 'build', folder],
      ['run', '--plugin', file, 'count', 'text=one two'],
    ];
    let ms = 0;
    for (const step of steps) ms += (await cuervo(home, step)).wallMs;
    return ms / 1000;
  },
);

/** From the change of a file to the answer of the repeated call. */
const rerunBench: Bench = {
  ...{ name: 'plugins.dev-rerun', unit: 'ms', reach: '<= 3000 ms' },
  run: async () => {
    const home = newHome();
    const folder = join(home, 'word-stats');
    await cuervo(home, ['plugin', 'new', folder]);
    const source = join(folder, 'plugin.ts');
    const text = readFileSync(source, 'utf8');
    const args = [launcher, 'plugin', 'dev', folder, 'count', 'text=one two'];
    const env = { ...process.env, CUERVO_HOME: home };
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'pipe'] });
    const told = child.stderr.setEncoding('utf8')[Symbol.asyncIterator]();
    const called = async (): Promise<void> => {
      for (let seen = ''; !seen.includes('called word-stats.count'); ) {
        const { value, done } = await told.next();
        if (done === true) throw new Error(`plugin dev ended: ${seen.slice(-200)}`);
        seen += value;
      }
    };
    try {
      await called();
      const samples: number[] = [];
      for (let at = 0; at < 5; at += 1) {
        const startedMs = performance.now();
        writeFileSync(source, `${text}// ${at}\n`);
        await called();
        samples.push(performance.now() - startedMs);
      }
      return benchLine(rerunBench, { value: median(samples), runs: samples.length });
    } finally {
      child.kill('SIGINT');
    }
  },
};

/** What a plugin that bundles a library takes in a home. */
const diskBench = timedBench(
  { name: 'plugins.disk', unit: 'MB', reach: '< 1.5 MB' },
  1,
  async () => {
    const home = newHome();
    const folder = join(home, 'large');
    const file = join(home, 'large.wasm');
    mkdirSync(folder);
    writeFileSync(join(folder, 'plugin.ts'), withLibrary);
    await cuervo(home, ['plugin', 'build', folder, '-o', file]);
    await cuervo(home, ['plugin', 'install', file, '--yes']);
    const plugins = join(home, 'plugins');
    const files = readdirSync(plugins, { recursive: true, withFileTypes: true });
    const sizes = files
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
    return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  },
);

/** One that is larger than most plugins. */
const withLibrary = `import { definePlugin, v } from '@cuervo/sdk';
import * as library from '${join(root, 'node_modules/fast-check')}';
export default definePlugin({
  name: 'large',
  version: '0.1.0',
  description: 'Bundles a library.',
  wants: [],
  tools: [{
    name: 'names',
    description: 'Counts what it exports.',
    effect: 'pure',
    input: v.object({}),
    examples: [{}],
    run: () => ({ content: Object.keys(library).length, summary: '' }),
  }],
});
`;

const bundleTarget: Target = { name: 'plugins.bundle', unit: 'ms', reach: '<= 1x + 150 ms' };

/** The label of a binary with a Sigstore bundle beside it, and without. */
const bundleBench: Bench = {
  ...bundleTarget,
  run: async () => {
    const home = newHome();
    const bytes = readFileSync(await built());
    const [plain, signed] = ['plain.wasm', 'signed.wasm'].map((name) => join(home, name));
    const sigstore = await openMockSigstore();
    for (const file of [plain, signed]) writeFileSync(file as string, bytes);
    writeFileSync(`${signed}.sigstore.json`, JSON.stringify(await sigstore.attest(bytes)));
    writeFileSync(join(home, 'root.json'), sigstore.root);
    await cuervo(home, ['plugin', 'trust', '--root', join(home, 'root.json')]);
    const { stdout } = await cuervo(home, ['plugin', 'inspect', signed as string]);
    if (!stdout.includes('github:acme')) throw new Error('the bundle was not verified');
    const wallMs = async (file = '') => (await cuervo(home, ['plugin', 'inspect', file])).wallMs;
    const runs = 10;
    const { a, b } = await interleave(
      { runs, warmUps: 2 },
      () => wallMs(signed),
      () => wallMs(plain),
    );
    return benchLine(bundleTarget, { value: a, runs, peer: 'without a bundle', peerValue: b });
  },
};

export const pluginBenches: readonly Bench[] = [
  crowdBench('list', '<= 150 ms', ['plugin', 'list']),
  crowdBench('tools', '<= 150 ms', ['tools']),
  crowdBench('doctor', '<= 400 ms', ['doctor']),
  // A small difference of two long times takes many runs to tell.
  crowdBench('ask', '<= 1x + 30 ms', ['ask', 'where is the retry limit?', '--model', 'none'], 80),
  installBench,
  againBench,
  firstRunBench,
  rerunBench,
  diskBench,
  bundleBench,
];
