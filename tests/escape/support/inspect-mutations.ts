import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KernelError } from '../../../src/contracts/error.ts';
import { readBinary } from '../../../src/host/install/component/read-component.ts';
import { readFunctions } from '../../../src/host/install/component/read-functions.ts';
import { inspectPlugin } from '../../../src/host/install/install-plugin.ts';
import { openPluginStore } from '../../../src/host/install/plugin-store.ts';
import { defaultLimits } from '../../../src/host/limits.ts';
import { createProcessSandbox } from '../../../src/sandbox/process-sandbox.ts';
import { watchMemory } from '../../fixtures/watch-memory.ts';
import { mutate, mutations } from './mutate-binary.ts';
import { root } from './paths.ts';

export type MutationCounts = {
  /** could be installed still: the change was in code, or in a name */
  installable: number;
  /** refused by our reader or by what it decoded, before anything else saw the file */
  unread: number;
  /** refused by a process of its own: transpiling, instantiating, describing */
  refused: number;
  /** of those, ended by a deadline */
  late: number;
  /** what was thrown and is not a refusal; a hole */
  crashes: string[];
  /** the longest that our own reader took for one file, of the processor */
  readMs: number;
  /** largest resident memory meanwhile, bytes */
  memory: { own: number; child: number };
};

const wait = 'deadline-exceeded';

/**
 * Hands changed binaries to what `cuervo plugin inspect` does, a few at a time, and counts what
 * became of them.
 *
 * @param originals real binaries by name
 */
export async function inspectMutations(
  originals: Readonly<Record<string, Uint8Array>>,
  { count, seed, onProgress }: { count: number; seed: number; onProgress?(done: number): void },
): Promise<MutationCounts> {
  const counts: MutationCounts = {
    installable: 0,
    unread: 0,
    refused: 0,
    late: 0,
    crashes: [],
    readMs: 0,
    memory: { own: 0, child: 0 },
  };
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-mutations-'));
  using memory = watchMemory();
  const names = Object.keys(originals);
  const waiting = mutations({ originals: names.length, count, seed }).entries();
  const options = {
    bundles: {
      process: join(root, 'dist/process.cjs'),
      transpile: join(root, 'dist/transpile.js'),
      wrap: join(root, 'dist/wrap.js'),
    },
    limits: { ...defaultLimits, transpileTimeoutMs: 20_000 },
    signal: new AbortController().signal,
    sandbox: createProcessSandbox('auto'),
    nowMs: 0,
  };
  const store = openPluginStore(folder);
  const inspectNext = async (): Promise<void> => {
    for (const [index, { which, changes }] of waiting) {
      const name = names[which] as string;
      const bytes = mutate(originals[name] as Uint8Array, changes);
      counts.readMs = Math.max(counts.readMs, timeToRead(bytes));
      try {
        await inspectPlugin(bytes, `${name}.wasm`, store, options, async (inspected) => {
          if (inspected.record !== undefined) counts.installable += 1;
          else if (inspected.examined.judgement.reasons.length > 0) counts.unread += 1;
          else counts.refused += 1;
          if (inspected.reasons.some((reason) => /took longer|was not ready/.test(reason)))
            counts.late += 1;
        });
      } catch (thrown) {
        // What is not WebAssembly any more has no report: the command makes one of the refusal.
        if (thrown instanceof KernelError && thrown.code === 'plugin-fault') counts.unread += 1;
        else if (thrown instanceof KernelError && thrown.code === wait) counts.late += 1;
        else counts.crashes.push(`${name} ${index}: ${String(thrown)} ${JSON.stringify(changes)}`);
      }
      onProgress?.(counts.installable + counts.unread + counts.refused);
    }
  };
  try {
    await Promise.all([inspectNext(), inspectNext(), inspectNext()]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  counts.memory = { own: memory.own(), child: memory.child() };
  return counts;
}

/** Of the processor: how long a busy machine keeps the test waiting says nothing of the reader. */
function timeToRead(bytes: Uint8Array): number {
  const before = process.threadCpuUsage();
  try {
    if (readBinary(bytes).kind === 'component') readFunctions(bytes);
  } catch (thrown) {
    if (!(thrown instanceof KernelError && thrown.code === 'plugin-fault')) throw thrown;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
