import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from './bench-host.ts';
import { idleMs as callIdleMs, text } from './cases/call.ts';
import { firstText, startOfPeer } from './cases/process.ts';
import {
  ripgrep,
  type Search,
  searches,
  idleMs as searchIdleMs,
  wholeTree,
} from './cases/search.ts';
import { interleaveAll, median, pause, type Side, timed } from './measure.ts';
import { openPeers } from './peers.ts';
import { compareMemory } from './scale/compare-memory.ts';
import { generateTree } from './tree/generate-tree.ts';

const usage = `npm run bench:compare -- [--of NAME] [--runs N] [--table DIR] FOLDER…
  One benchmark of this clone, of clones in other folders, and of its peer, in turn in one run: what
  separate runs cannot tell from the noise of the machine. Each folder is built before.
  --of NAME  call.warm (default) or process.first, both beside the MCP SDK; search.grep beside
             ripgrep; memory.search, p95, beside the last folder
  --runs N   rounds that are counted (300 calls, 31 processes, 7 of each search, 200 of memory)
  --table    of memory.search: a folder that bench:memory -- --scale --keep DIR made, DIR/50000`;

/** A clone's own code, which starts processes of its own. */
async function load<Module>(folder: string, path: string): Promise<Module> {
  return (await import(pathToFileURL(join(folder, path)).href)) as Module;
}

const loadHost = (folder: string) =>
  load<typeof import('./bench-host.ts')>(folder, 'tests/bench/bench-host.ts');

/** @param installed removes the plugin again */
async function openCall(folder: string, installed: DisposableStack): Promise<Side> {
  const { installFrom, openHost, callTool, benchPlugins } = await loadHost(folder);
  const plugin = installed.use(await installFrom(join(benchPlugins, 'echo')));
  const host = openHost(plugin.store);
  return () => timed(() => callTool(host, 'echo.text', { text }));
}

/** @param installed removes the plugin again */
async function openStart(folder: string, installed: DisposableStack): Promise<Side> {
  const { installFrom, openHost, callTool, benchPlugins } = await loadHost(folder);
  const plugin = installed.use(await installFrom(join(benchPlugins, 'echo')));
  return async () => {
    await using host = openHost(plugin.store);
    return await timed(() => callTool(host, 'echo.text', { text: firstText }));
  };
}

async function openSearch(folder: string, tree: string): Promise<(search: Search) => Side> {
  const { openHost, callTool, dist } = await loadHost(folder);
  const { openPluginStore } = await load<typeof import('../../src/host/install/plugin-store.ts')>(
    folder,
    'src/host/install/plugin-store.ts',
  );
  const host = openHost(openPluginStore(join(dist, 'builtin')), { work: tree });
  return ({ input }) =>
    () =>
      timed(() => callTool(host, 'search.grep', input));
}

const after =
  (ms: number) =>
  (side: Side): Side =>
  async () => {
    await pause(ms);
    return await side();
  };

/** @returns medians in milliseconds: of each folder, then of the peer */
async function compareCalls(folders: readonly string[], runs = 300): Promise<number[]> {
  using installed = new DisposableStack();
  const server = await (await openPeers()).openMcpEcho();
  const ours = await Promise.all(folders.map((folder) => openCall(folder, installed)));
  const sides = [...ours, () => timed(async () => void (await server.call(text)))];
  return await interleaveAll({ runs, warmUps: 60 }, sides.map(after(callIdleMs)));
}

/** @returns medians in milliseconds: of each folder, then of the peer */
async function compareStarts(folders: readonly string[], runs = 31): Promise<number[]> {
  using installed = new DisposableStack();
  const ours: Side[] = [];
  for (const folder of folders) ours.push(await openStart(folder, installed));
  return await interleaveAll({ runs, warmUps: 2 }, [...ours, startOfPeer(await openPeers())]);
}

/** @returns medians of what the searches took, one by one, as the benchmark has them */
async function compareSearches(folders: readonly string[], runs = 7): Promise<number[]> {
  const tree = generateTree(wholeTree);
  const ours = await Promise.all(folders.map((folder) => openSearch(folder, tree)));
  const each: number[][] = [];
  for (const search of searches) {
    const theirs = () => timed(() => ripgrep(search.ripgrep, tree, search.input.limit));
    const sides = [...ours.map((open) => open(search)), theirs];
    const medians = await interleaveAll({ runs, warmUps: 2 }, sides.map(after(searchIdleMs)));
    console.log(`${search.what}: ${medians.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    each.push(medians);
  }
  return [...folders, 'ripgrep'].map((_, side) =>
    median(each.map((medians) => medians[side] as number)),
  );
}

type Comparison = {
  compare(
    folders: readonly string[],
    runs: number | undefined,
    table: string | undefined,
  ): Promise<number[]>;
  /** the last figure; else the last folder is what others are held against */
  peer?: string;
};

const comparisons: Readonly<Record<string, Comparison>> = {
  'call.warm': { compare: compareCalls, peer: 'MCP SDK, stdio' },
  'process.first': { compare: compareStarts, peer: 'MCP SDK, stdio' },
  'search.grep': { compare: compareSearches, peer: 'ripgrep' },
  'memory.search': {
    compare: (folders, runs = 200, table = '') => compareMemory(folders, runs, resolve(table)),
  },
};

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      of: { type: 'string', default: 'call.warm' },
      runs: { type: 'string' },
      table: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const runs = values.runs === undefined ? undefined : Number(values.runs);
  const isBad = runs !== undefined && (!Number.isInteger(runs) || runs < 1);
  const asked = Object.entries(comparisons).find(([name]) => name === values.of)?.[1];
  if (values.help || isBad || asked === undefined) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  const folders = [root, ...positionals.map((folder) => resolve(folder))];
  const medians = await asked.compare(folders, runs, values.table);
  const peerMs = medians.at(-1) as number;
  for (const [index, name] of [...folders, ...(asked.peer ? [asked.peer] : [])].entries()) {
    const ms = medians[index] as number;
    console.log(`${ms.toFixed(3)} ms  ${(ms / peerMs).toFixed(2)}x  ${name}`);
  }
  return 0;
}

// Processes of plugins and of the peer end with this one.
process.exit(await main());
