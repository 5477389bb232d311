import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { LayerCounts, MemoryFilter } from '../contracts/memory.ts';
import type { Kernel } from '../kernel.ts';
import { afterCommand } from './after-command.ts';
import { confirm } from './confirm.ts';
import { listenForInterrupt } from './interrupt.ts';
import { workspaceOption } from './kernel-options.ts';
import { collect, parseLayer, parseMoment } from './memory-options.ts';
import { findRow } from './memory-show.ts';
import { note, print, printJson } from './output.ts';

/** A run says a few things; what is beyond was not promoted from it. */
const maxRowsOfRun = 1000;

type Flags = {
  workspace?: string;
  id?: string[];
  source?: string;
  run?: string;
  before?: string;
  layer?: string;
  yes?: boolean;
  json?: boolean;
};

export function addMemoryForget(memory: Command): void {
  memory
    .command('forget')
    .description('take away what came from a source or a run, or is old')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--id <id>', 'this row, and the insight that was made of it (repeatable)', collect)
    .option('--source <path>', 'all that came from it; it stays out until it is added again')
    .option('--run <id>', 'all that this run said or did')
    .option('--before <when>', 'all that is older than an age (12h, 7d) or a date')
    .option('--layer <name>', 'only of interact, insights or assets')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'the rows taken from each layer as one object')
    .action(forget);
}

async function forget(flags: Flags): Promise<void> {
  const { id: starts, source, run, before, layer } = flags;
  if ([starts, source, run, before].every((named) => named === undefined)) {
    throw new KernelError('invalid-argument', 'nothing says what memory is to forget', {
      hint: 'Name it: --id ID, --source PATH, --run ID or --before AGE',
    });
  }
  const named: MemoryFilter = {
    ...(source === undefined ? {} : { source }),
    ...(run === undefined ? {} : { run }),
    ...(before === undefined ? {} : { beforeMs: parseMoment('--before', before, Date.now()) }),
    ...(layer === undefined ? {} : { layer: parseLayer(layer) }),
  };
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel({
    onWarning: note,
    ...workspaceOption(flags),
  });
  const filter: MemoryFilter =
    starts === undefined ? named : { ...named, ids: await idsOf(kernel, starts, signal) };
  const { memoryCommands } = kernel;
  if (!flags.yes) {
    const counts = await memoryCommands.count(filter, { signal });
    await confirm(`Forget ${countText(counts)} for good?`, 'nothing was forgotten');
  }
  const gone = await memoryCommands.forget(filter, { signal });
  if (flags.json) printJson(gone);
  else print(`forgot ${countText(gone)}`);
  await afterCommand(kernel, { signal });
}

/** Of the rows whose ids begin so, and of what was promoted from them: the same words of one run. */
async function idsOf(
  kernel: Kernel,
  starts: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const memory = await kernel.memory();
  const ids = new Set<string>();
  for (const start of starts) {
    const { id, record } = await findRow(kernel, start, signal);
    ids.add(id);
    if (record.run === undefined) continue;
    const { project, run } = record;
    const options = { signal, limit: maxRowsOfRun };
    for (const row of await memory.list({ project, run, layer: 'insights' }, options)) {
      if (row.record.text === record.text) ids.add(row.id);
    }
  }
  return [...ids];
}

function countText({ interact, insights, assets }: LayerCounts): string {
  return `${interact + insights + assets} rows (interact ${interact}, insights ${insights}, assets ${assets})`;
}
