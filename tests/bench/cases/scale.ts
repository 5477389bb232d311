import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kernel, openKernel } from 'cuervo';
import type { Bench } from '../bench-context.ts';
import { dist } from '../bench-host.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleaveAll, median, pause, timed } from '../measure.ts';
import { packageTree } from '../tree/package-tree.ts';
import { idleMs, ripgrep } from './search.ts';

/** Files of the large trees, and of the one that a question is compared with. */
const sizes = [24_000, 100_000] as const;
const smallTree = 1000;
const runs = 7;
const { signal } = new AbortController();

const searches = [
  { input: { pattern: 'ENOTEMPTY', literal: true, limit: 1000 }, rg: ['-F', 'ENOTEMPTY'] },
  {
    input: { pattern: 'read\\w+FileSync\\(', limit: 1000 },
    rg: ['read\\w+FileSync\\('],
  },
];

const questions = [
  'where is the retry backoff computed?',
  'how is a websocket frame parsed?',
  'where are the default headers set?',
  'what limits the size of a request body?',
  'where is the cache key of a tarball made?',
];

/** Homes and processes of one bench. */
function openBed() {
  const stack = new AsyncDisposableStack();
  const home = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };
  const open = async (at: string, workspace: string): Promise<Kernel> =>
    stack.use(await openKernel({ home: at, workspace, model: 'none' }));
  return {
    home,
    open,
    /** A kernel with an index of the files, which nobody watches. */
    indexed: async (workspace: string): Promise<Kernel> => {
      const kernel = await open(home(), workspace);
      await kernel.index.updateFiles({ signal });
      return kernel;
    },
    /** A kernel with an index that a process watches. */
    watched: async (workspace: string): Promise<{ kernel: Kernel; watcher: ChildProcess }> => {
      const at = home();
      const args = [join(dist, 'cuervo.cjs'), 'index', '--watch', '-w', workspace];
      const watcher = spawn(process.execPath, args, {
        env: { CUERVO_HOME: at },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      stack.defer(() => void watcher.kill());
      await new Promise<void>((resolve, reject) => {
        watcher.stderr?.on('data', (text) => String(text).includes('watching') && resolve());
        watcher.once('close', () => reject(new Error('the process that watches ended')));
      });
      return { kernel: await open(at, workspace), watcher };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function grep(kernel: Kernel, input: (typeof searches)[number]['input']): Promise<number> {
  for await (const event of kernel.run('search.grep', input)) {
    if (event.type !== 'result') continue;
    return (JSON.parse(event.content) as { matches: unknown[] }).matches.length;
  }
  throw new Error(`search.grep gave nothing for ${input.pattern}`);
}

async function ask(kernel: Kernel, question: string): Promise<void> {
  for await (const event of kernel.ask(question)) {
    if (event.type === 'error') throw new Error(event.message);
  }
}

/** The mean over all searches or questions. */
const each =
  <Case>(cases: readonly Case[], run: (one: Case) => Promise<unknown>) =>
  async (): Promise<number> => {
    let sum = 0;
    for (const one of cases) {
      await pause(idleMs);
      sum += await timed(() => run(one));
    }
    return sum / cases.length;
  };

const nameOf = (name: string, files: number): string =>
  files === sizes[0] ? `scale.${name}` : `scale.${name}-${files / 1000}k`;

function grepBench(files: number, state: 'watched' | 'walked', reach: string): Bench {
  const target: Target = { name: nameOf(`grep-${state}`, files), unit: 'ms', reach };
  return {
    ...target,
    run: async () => {
      const tree = packageTree(files);
      await using bed = openBed();
      const kernel =
        state === 'walked' ? await bed.indexed(tree) : (await bed.watched(tree)).kernel;
      for (const { input, rg } of searches) {
        const [ours, theirs] = [await grep(kernel, input), await ripgrep(rg, tree, 1000)];
        if (ours !== theirs) throw new Error(`${input.pattern}: ${ours} matches, not ${theirs}`);
      }
      const [a, b] = await interleaveAll({ runs, warmUps: 2 }, [
        each(searches, ({ input }) => grep(kernel, input)),
        each(searches, ({ rg }) => ripgrep(rg, tree, 1000)),
      ]);
      return benchLine(target, { value: a as number, runs, peer: 'ripgrep', peerValue: b });
    },
  };
}

function askBench(files: number, state: 'watched' | 'walked', reach: string): Bench {
  const target: Target = { name: nameOf(`ask-${state}`, files), unit: 'ms', reach };
  return {
    ...target,
    run: async () => {
      await using bed = openBed();
      const tree = packageTree(files);
      const isWatched = state === 'watched';
      const kernel = isWatched ? (await bed.watched(tree)).kernel : await bed.indexed(tree);
      const other = isWatched
        ? (await bed.watched(packageTree(smallTree))).kernel
        : await bed.open(bed.home(), tree);
      const [a, b] = await interleaveAll({ runs: 3, warmUps: 1 }, [
        each(questions, (question) => ask(kernel, question)),
        each(questions, (question) => ask(other, question)),
      ]);
      const peer = isWatched ? `${smallTree} files` : 'no index';
      return benchLine(target, { value: a as number, runs: 3, peer, peerValue: b });
    },
  };
}

const firstTarget: Target = { name: 'scale.first', unit: 's', reach: '<= 20 s' };
const firstBench: Bench = {
  ...firstTarget,
  run: async () => {
    await using bed = openBed();
    const home = bed.home();
    const kernel = await bed.open(home, packageTree(sizes[0]));
    const cpu = process.cpuUsage();
    const ms = await timed(() => kernel.index.updateFiles({ signal }));
    const { user, system } = process.cpuUsage(cpu);
    const { files } = (await kernel.index.state({ signal })).search;
    const mb = (process.memoryUsage.rss() / 1e6).toFixed(0);
    const note = `${files} files, ${((user + system) / 1e6).toFixed(1)} s of processor time, ${mb} MB resident at the end`;
    return benchLine(firstTarget, { value: ms / 1000, runs: 1, note });
  },
};

const saveTarget: Target = { name: 'scale.save', unit: 'ms', reach: '<= 300 ms' };
const saveBench: Bench = {
  ...saveTarget,
  run: async () => {
    const tree = packageTree(sizes[0]);
    await using bed = openBed();
    const { kernel } = await bed.watched(tree);
    const path = join(tree, 'packages', 'saved.ts');
    const times: number[] = [];
    try {
      for (let save = 0; save < runs; save += 1) {
        const word = `savedWord${save}x${Date.now()}`;
        writeFileSync(path, `${word}\n`);
        const find = async (): Promise<void> => {
          const input = { pattern: word, literal: true, limit: 10 };
          while ((await grep(kernel, input)) === 0) await pause(5);
        };
        times.push(await timed(find));
        await pause(200);
      }
    } finally {
      rmSync(path, { force: true });
    }
    const note = 'with the search that finds it';
    return benchLine(saveTarget, { value: median(times), runs, note });
  },
};

const idleTarget: Target = { name: 'scale.idle', unit: 'MB', reach: '<= 80 MB' };
const idleSeconds = 60;
/** A process's ticks of processor time are a hundredth of a second on Linux. */
const tickMs = 10;

const idleBench: Bench = {
  ...idleTarget,
  run: async () => {
    await using bed = openBed();
    const { watcher } = await bed.watched(packageTree(sizes[0]));
    const proc = `/proc/${watcher.pid}`;
    if (statSync(proc, { throwIfNoEntry: false }) === undefined) throw new Error('needs /proc');
    const ticks = (): number => {
      const fields = readFileSync(`${proc}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return Number(fields[11]) + Number(fields[12]);
    };
    await pause(2000);
    const before = ticks();
    await pause(idleSeconds * 1000);
    const usedMs = (ticks() - before) * tickMs;
    const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8')) ?? [];
    const note = `${usedMs} ms of processor time in ${idleSeconds} s`;
    return benchLine(idleTarget, { value: (Number(kb) * 1024) / 1e6, runs: 1, note });
  },
};

/** Searches and questions in trees of real packages, with and without an index. */
export const scaleBenches: readonly Bench[] = [
  grepBench(24_000, 'watched', '<= 0.3x'),
  grepBench(24_000, 'walked', '<= 1x'),
  askBench(24_000, 'watched', '<= 1.5x'),
  askBench(24_000, 'walked', '<= 0.3x'),
  firstBench,
  saveBench,
  idleBench,
  grepBench(100_000, 'watched', '<= 0.15x'),
  grepBench(100_000, 'walked', '<= 1x'),
  askBench(100_000, 'watched', '<= 2x'),
  askBench(100_000, 'walked', '<= 0.3x'),
];
