import type { Command } from 'commander';
import type { LayerStats } from '../contracts/memory.ts';
import { ageText, binarySize, counted } from '../lib/text/amounts.ts';
import { escapeLine } from '../lib/text/escape.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernel, openKernelFor, withKernel } from './open-kernel.ts';
import { note, noteLine, printEach, printOne } from './output.ts';
import { startProgress } from './progress.ts';

type Flags = { json?: boolean };

export function addMemoryTend(memory: Command): void {
  memory
    .command('stats')
    .description('rows, size and age of each layer, over all workspaces')
    .option('--json', 'one layer a line')
    .action(stats);
  memory
    .command('reembed')
    .description('compute all vectors again with the embedder in use; continues where it stopped')
    .option('--json', 'the number of rows as one object')
    .action(reembed);
  memory
    .command('rebuild')
    .description('rebuild the tables of this machine from cuervo.db; files are read again')
    .option('-w, --workspace <dir>', 'the folder whose files are read again at once')
    .option('--json', 'the number of rows as one object')
    .action(rebuild);
  memory
    .command('compact')
    .description('move waiting rows over, merge fragments, drop old versions, build indices')
    .option('--json', 'the layers as one object')
    .action(compact);
}

async function stats(flags: Flags): Promise<void> {
  await withKernel({}, async (kernel, signal) => {
    const memory = await kernel.memory();
    printEach(await memory.stats({ signal }), flags, (layer) => statsText(layer));
    const { describeMemoryModels } = await import('../kernel/memory/memory-model-path.ts');
    note(escapeLine(describeMemoryModels(kernel.config)));
  });
}

function statsText(stats: LayerStats): string {
  const { layer, rows, pending, fragments, bytes, embedder, dimensions, oldestMs } = stats;
  const parts = [
    counted(rows, 'row'),
    `${pending} waiting`,
    counted(fragments, 'fragment'),
    binarySize(bytes),
  ];
  if (embedder !== '') parts.push(`vectors of ${embedder} (${dimensions})`);
  if (oldestMs !== undefined) parts.push(`oldest ${ageText(Date.now() - oldestMs)}`);
  return `${layer.padEnd(8)}  ${parts.join(', ')}`;
}

async function reembed(flags: Flags): Promise<void> {
  using interrupt = listenForInterrupt();
  await using kernel = await openKernel({ onWarning: noteLine });
  const memory = await kernel.memory();
  using progress = startProgress(flags.json !== true);
  const rows = await memory.reembed({
    signal: interrupt.signal,
    onProgress: ({ layer, done, of }) => progress.set(`${layer}: ${done} of ${counted(of, 'row')}`),
  });
  progress.clear();
  printOne({ rows }, flags, `computed new vectors of ${counted(rows, 'row')}`);
}

async function rebuild(flags: Flags & { workspace?: string }): Promise<void> {
  using interrupt = listenForInterrupt();
  await using kernel = await openKernelFor(flags);
  using progress = startProgress(flags.json !== true);
  const { rows, unread, files } = await kernel.memoryCommands.rebuild({
    signal: interrupt.signal,
    onProgress: ({ done, of }) => progress.set(`${done} of ${counted(of, 'row')}`),
  });
  progress.clear();
  for (const problem of unread) {
    noteLine(
      `note: rows of an earlier version that only the table had could not be read: ${problem}`,
    );
  }
  printOne(
    { rows },
    flags,
    `rebuilt the tables: ${counted(rows, 'row')}, ${counted(files, 'file')} read again`,
  );
}

async function compact(flags: Flags): Promise<void> {
  using interrupt = listenForInterrupt();
  await using kernel = await openKernel({ onWarning: noteLine });
  using progress = startProgress(flags.json !== true);
  progress.set('compacting');
  const layers = await kernel.memoryCommands.compact({ signal: interrupt.signal });
  progress.clear();
  printOne(
    { layers },
    flags,
    layers.length === 0 ? 'memory has no tables yet' : `compacted ${layers.join(', ')}`,
  );
}
