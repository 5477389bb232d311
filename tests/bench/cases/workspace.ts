import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFsWriteServices } from '../../../src/host/interfaces/fs-write.ts';
import { openRootFiles } from '../../../src/host/root-files.ts';
import { openKernel } from '../../../src/index.ts';
import { newId, systemClock } from '../../../src/lib/ids-clock.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { createChangeKeeper } from '../../../src/workspace/keep-changes.ts';
import type { Bench } from '../bench-context.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, timed } from '../measure.ts';

const edit: Target = { name: 'edit.preimage', unit: 'ms', reach: '<= 3 ms' };
const undo: Target = { name: 'undo.1000', unit: 'ms', reach: '<= 2000 ms' };

/** Of a file of source code. */
const fileBytes = 8 * 1024;
const text = (seed: number): string => `${seed} `.repeat(fileBytes).slice(0, fileBytes);

/** A home with a store, and a workspace beside it. The caller owns it. */
function openPlace() {
  const dir = mkdtempSync(join(tmpdir(), 'cuervo-bench-'));
  const [home, work] = [join(dir, 'home'), join(dir, 'work')];
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(work);
  const store = openStore({ path: join(home, 'cuervo.db') });
  const keeper = createChangeKeeper({
    ...{ blobs: join(home, 'blobs'), changes: store.changes, clock: systemClock },
  });
  return {
    ...{ home, work, store, keeper },
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** How much longer a write takes that can be taken back than one that is only atomic. */
const editBench: Bench = {
  ...edit,
  run: async () => {
    using place = openPlace();
    const { work, keeper } = place;
    const services = createFsWriteServices({
      requireWritable: async () => {},
      authorize: async () => ({ roots: { work } }),
      protectedPaths: {},
      runnerOf: () => undefined,
      keeper: async () => keeper,
    });
    const write = services['fs-write.write-text'];
    const { signal } = new AbortController();
    let seed = 0;
    const ours = async (): Promise<number> => {
      seed += 1;
      const content = text(seed);
      const caller = { plugin: 'bench', digest: '', run: 'r', signal };
      return await timed(async () => await write(['work:ours.txt', content], caller));
    };
    const plain = async (): Promise<number> => {
      seed += 1;
      const content = text(seed);
      return await timed(async () => writePlainly(work, 'plain.txt', content));
    };
    const runs = 60;
    const { a, b = 0 } = await interleave({ runs, warmUps: 5 }, ours, plain);
    const note = `${a.toFixed(2)} ms, a plain atomic write ${b.toFixed(2)} ms`;
    return benchLine(edit, { value: Math.max(0, a - b), runs, note });
  },
};

/** Written beside it, brought to the disk, put in its place; and the folder after it. */
function writePlainly(folder: string, name: string, content: string): void {
  const partial = join(folder, `${name}.part`);
  writeFileSync(partial, content, { flush: true });
  renameSync(partial, join(folder, name));
  const fd = openSync(folder, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

const files = 1000;
const folders = 20;

/** From the command to the end: looked at, kept for an undo of the undo, restored, on the disk. */
const undoBench: Bench = {
  ...undo,
  run: async () => {
    using place = openPlace();
    const { home, work, store, keeper } = place;
    const names = Array.from({ length: files }, (_, index) => `d${index % folders}/f${index}.txt`);
    for (const name of names) {
      mkdirSync(join(work, name, '..'), { recursive: true });
      writeFileSync(join(work, name), text(0) + name);
    }
    let seed = 0;
    const undoOnce = async (): Promise<number> => {
      seed += 1;
      const run = newId(Date.now());
      store.startRun({
        ...{ id: run, session: undefined, command: 'run', question: 'x', project: work },
        ...{ model: 'none', status: 'ok', startedMs: Date.now(), finishedMs: Date.now() },
      });
      using hand = openRootFiles({ work }, { keeper, run });
      await hand.become(
        names.map((path) => {
          const bytes = Buffer.from(text(seed) + path);
          const content = { hash: sha256(bytes), bytes: () => bytes, mode: 0o644 };
          return { root: 'work', path, kind: 'file' as const, ...content };
        }),
      );
      await using kernel = await openKernel({ home, workspace: work });
      const tookMs = await timed(async () => await kernel.undo.undo(run));
      const last = names.at(-1) as string;
      if (readFileSync(join(work, last), 'utf8') !== text(0) + last) throw new Error('not undone');
      return tookMs;
    };
    const runs = 5;
    const { a } = await interleave({ runs, warmUps: 1 }, undoOnce, undefined);
    return benchLine(undo, {
      value: a,
      runs,
      note: `${files} files of 8 KiB in ${folders} folders`,
    });
  },
};

export const workspaceBenches: readonly Bench[] = [editBench, undoBench];
