import { join } from 'node:path';
import { once } from '../../src/lib/memo.ts';
import { type BenchPlugin, benchPlugins, installFrom } from './bench-host.ts';
import type { BenchLine, Target } from './bench-line.ts';
import { openPeers, type Peers } from './peers.ts';

/** What several benches use, opened by the first. The caller owns it. */
export type BenchContext = AsyncDisposable & {
  echo(): Promise<BenchPlugin>;
  /** the peers, or in one line why they are not there */
  peers(): Promise<Peers | string>;
};

export type Bench = Target & { run(context: BenchContext): Promise<BenchLine> };

export function openBenchContext(): BenchContext {
  const opened = new AsyncDisposableStack();
  return {
    echo: once(async () => opened.use(await installFrom(join(benchPlugins, 'echo')))),
    peers: once(() => openPeers().catch((thrown: unknown) => String((thrown as Error).message))),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
