import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { LayerCounts, MemoryFilter } from '../contracts/memory.ts';
import { afterCommand } from './after-command.ts';
import { confirm } from './confirm.ts';
import { listenForInterrupt } from './interrupt.ts';
import { parseLayer, parseMoment } from './memory-options.ts';
import { note, print, printJson } from './output.ts';

type Flags = {
  workspace?: string;
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
    .option('--source <path>', 'all that came from it; it stays out until it is added again')
    .option('--run <id>', 'all that this run said or did')
    .option('--before <when>', 'all that is older than an age (12h, 7d) or a date')
    .option('--layer <name>', 'only of interact, insights or assets')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'the rows taken from each layer as one object')
    .action(forget);
}

async function forget(flags: Flags): Promise<void> {
  const { source, run, before, layer, workspace } = flags;
  if (source === undefined && run === undefined && before === undefined) {
    throw new KernelError('invalid-argument', 'nothing says what memory is to forget', {
      hint: 'Name it: --source PATH, --run ID or --before AGE',
    });
  }
  const filter: MemoryFilter = {
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
    ...(workspace === undefined ? {} : { workspace }),
  });
  const { memoryCommands } = kernel;
  if (!flags.yes) {
    const counts = await memoryCommands.count(filter, { signal });
    if (!(await confirm(`Forget ${countText(counts)} for good?`))) {
      note('nothing was forgotten');
      return;
    }
  }
  const gone = await memoryCommands.forget(filter, { signal });
  if (flags.json) printJson(gone);
  else print(`forgot ${countText(gone)}`);
  await afterCommand(kernel, { signal });
}

function countText({ interact, insights, assets }: LayerCounts): string {
  return `${interact + insights + assets} rows (interact ${interact}, insights ${insights}, assets ${assets})`;
}
