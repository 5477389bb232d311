import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostService } from '../../../src/contracts/host-service.ts';
import type { PluginHost } from '../../../src/host/plugin-host.ts';
import { buildCrate, hasRust } from '../../contract/support/build-crate.ts';
import type { Bench } from '../bench-context.ts';
import { callTool, installFrom, openHost } from '../bench-host.ts';
import { benchLine, failedLine, type Measured, type Target } from '../bench-line.ts';
import { interleave, median, pause, timed } from '../measure.ts';
import { childrenOf, memoryPeak } from '../memory-peak.ts';

/** Time that a server takes to answer. */
const answerMs = 50;
const send: HostService = async () => {
  await pause(answerMs);
  return { value: { status: 200, headers: [], body: new Uint8Array() }, target: 'bench' };
};

/** Of a file that is read as a stream: a hundred times what a stream may hold. */
const fileBytes = 100_000_000;

/** A figure of a component of WASI 0.3, by the crate `wasip3`. */
function bench(target: Target, measure: (host: PluginHost) => Promise<Measured>): Bench {
  return {
    ...target,
    run: async () => {
      if (!hasRust()) return failedLine(target, 'no cargo with wasm32-wasip2');
      const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-async-'));
      try {
        const file = join(folder, 'three.wasm');
        writeFileSync(file, buildCrate('wasi-three'));
        using plugin = await installFrom(file);
        const big = join(folder, 'big');
        writeFileSync(big, '');
        truncateSync(big, fileBytes);
        await using host = openHost(plugin.store, { work: folder }, new Map([['http.send', send]]));
        return benchLine(target, await measure(host));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

type Input = Parameters<typeof callTool>[2];

/** Calls of one tool beside those of another one of the same component. */
async function beside(
  host: PluginHost,
  runs: number,
  warmUps: number,
  [one, other]: readonly [readonly [string, Input], readonly [string, Input]],
): Promise<{ value: number; peerValue: number | undefined; runs: number }> {
  const side =
    ([tool, input]: readonly [string, Input]) =>
    () =>
      timed(() => callTool(host, `bench.${tool}`, input));
  const { a, b } = await interleave({ runs, warmUps }, side(one), side(other));
  return { value: a, peerValue: b, runs };
}

const asyncCall = bench({ name: 'async.call', unit: 'ms', reach: '<= 1.5x' }, async (host) => ({
  ...(await beside(host, 200, 20, [
    ['arguments', {}],
    ['add', { a: 1, b: 2 }],
  ])),
  peer: 'a function without async',
}));

/** As base64 they are below the limit of a result. */
const bytes = 700_000;

const asyncStream = bench({ name: 'async.stream', unit: 'ms', reach: '<= 2x' }, async (host) => ({
  ...(await beside(host, 50, 20, [
    ['count', { to: bytes }],
    ['whole', { bytes }],
  ])),
  peer: 'a list of as many bytes',
}));

const asFile = { path: 'big', piece: 65_536 };

const asyncFile = bench({ name: 'async.file', unit: 'ms', reach: '<= 2x' }, async (host) => ({
  ...(await beside(host, 5, 1, [
    ['size-of', asFile],
    ['whole-size-of', { path: asFile.path }],
  ])),
  peer: `${fileBytes} bytes of a file as one list`,
}));

const asyncMemory = bench(
  { name: 'async.file.rss', unit: 'MB', reach: '< 10 MB' },
  async (host) => {
    const read = (path: string) => callTool(host, 'bench.size-of', { ...asFile, path });
    // Also without a file the code and the memory of a call are touched.
    await read('three.wasm');
    const peaks = [process.pid, ...childrenOf(process.pid)].map((pid) => memoryPeak(pid));
    await read('big');
    const [kernel = 0, ...plugins] = peaks.map((grown) => grown());
    return {
      value: Math.max(...plugins),
      runs: 1,
      note: `${fileBytes} bytes; the kernel ${kernel.toFixed(1)} MB`,
    };
  },
);

const asyncRequests = bench(
  { name: 'async.requests', unit: 'ms', reach: '<= 80 ms' },
  async (host) => {
    const paths = Array.from({ length: 10 }, (_, index) => `/${index}`);
    const input = { authority: '127.0.0.1', paths };
    const times: number[] = [];
    for (let run = 0; run < 12; run += 1) {
      times.push(await timed(() => callTool(host, 'bench.fetch-all', input)));
    }
    return { value: median(times.slice(2)), runs: 10, note: `ten of ${answerMs} ms` };
  },
);

export const asyncBenches: readonly Bench[] = [
  ...[asyncCall, asyncStream, asyncFile, asyncMemory, asyncRequests],
];
