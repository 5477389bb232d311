import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { limitLanceBatches } from '../../../src/config/process-settings.ts';
import { interleaveAll, type Side, timed } from '../measure.ts';
import { linkFolder } from './link-folder.ts';
import { createRowMaker } from './made-rows.ts';
import { readMadeTable } from './made-table.ts';
import { percentile } from './percentile.ts';

const { signal } = new AbortController();
const waitingRows = 300;
const warmUps = 20;

/**
 * The same searches by clones in turn, over one table of made rows: as it is, and while rows wait in
 * the store.
 *
 * @param table a folder that `bench:memory -- --scale --keep` made, such as `DIR/50000`
 * @returns p95 of the searches, in milliseconds
 */
export async function compareMemory(
  folders: readonly string[],
  runs: number,
  table: string,
): Promise<number[]> {
  const made = readMadeTable(table);
  if (made === undefined) {
    throw new Error(`${table} holds no table; make one with bench:memory -- --scale --keep`);
  }
  limitLanceBatches();
  const path = join(table, 'embedder.ste');
  const maker = createRowMaker(path, made.rows);
  const work = mkdtempSync(join(table, 'work-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rmSync(work, { recursive: true, force: true }));
  const load = async <Module>(folder: string, file: string) =>
    (await import(pathToFileURL(join(folder, file)).href)) as Module;
  const sides: Side[] = [];
  const wait: (() => Promise<void>)[] = [];
  // of each clone; on a busy machine they tell more than the clock
  const processorMs = folders.map((): number[] => []);
  for (const [at, folder] of folders.entries()) {
    const of = join(work, String(at));
    linkFolder(join(table, 'lancedb'), join(of, 'lancedb'));
    const { memoryEmbedder } = await load<typeof import('../../../src/memory/memory-embedder.ts')>(
      folder,
      'src/memory/memory-embedder.ts',
    );
    const { loadEmbedder } = await load<
      typeof import('../../../src/memory/static/load-embedder.ts')
    >(folder, 'src/memory/static/load-embedder.ts');
    const { openBenchMemory } = await load<typeof import('./open-bench-memory.ts')>(
      folder,
      'tests/bench/scale/open-bench-memory.ts',
    );
    const { memory, journal } = opened.use(
      await openBenchMemory(of, memoryEmbedder(loadEmbedder(path))),
    );
    let number = 0;
    sides.push(async () => {
      number += 1;
      const before = process.cpuUsage();
      const text = maker.question(number);
      const ms = await timed(() => memory.search({ text, limit: 10 }, { signal }));
      const { user, system } = process.cpuUsage(before);
      processorMs[at]?.push((user + system) / 1_000);
      return ms;
    });
    wait.push(async () => {
      for (const { record } of maker.rows('interact', made.rows, waitingRows)) {
        await memory.remember([record], { signal });
      }
      await memory.flush({ signal });
      opened.use(journal.tryLock());
      for (const { record } of maker.rows('interact', made.rows + waitingRows, waitingRows)) {
        await memory.remember([record], { signal });
      }
    });
  }
  const search = async (what: string): Promise<number[]> => {
    const each = await interleaveAll({ runs, warmUps, of: (values) => values }, sides);
    const print = (name: string, share: number, times: readonly (readonly number[])[]) =>
      console.log(
        `${what}, ${name}: ${times.map((of) => percentile(of, share).toFixed(1)).join(', ')} ms`,
      );
    print('p50', 0.5, each);
    print('p95', 0.95, each);
    const spent = processorMs.map((of) => of.splice(0).slice(warmUps));
    print('processor time p50', 0.5, spent);
    return each.map((values) => percentile(values, 0.95));
  };
  const searched = await search(`search of ${made.rows} rows`);
  for (const begin of wait) await begin();
  await search(`search while ${waitingRows} more wait`);
  return searched;
}
