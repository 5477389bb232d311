import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { LayerCounts, MemoryFilter } from '../contracts/memory.ts';
import type { Kernel } from '../kernel.ts';
import { counted } from '../lib/counted.ts';
import { afterCommand } from './after-command.ts';
import { confirm } from './confirm.ts';
import { listenForInterrupt } from './interrupt.ts';
import { workspaceOption } from './kernel-options.ts';
import { collect, parseLayer, parseMoment } from './memory-options.ts';
import { findRow } from './memory-show.ts';
import { noteLine, oneLine, print, printJson } from './output.ts';

/** A run says a few things; what is beyond was not promoted from it. */
const maxRowsOfRun = 1000;
/** Of those below a folder. */
const shownSources = 3;

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
    .option(
      '--source <path>',
      'all that came from it, or from below a folder; it stays out until it is added again',
    )
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
    ...(run === undefined ? {} : { run }),
    ...(before === undefined ? {} : { beforeMs: parseMoment('--before', before, Date.now()) }),
    ...(layer === undefined ? {} : { layer: parseLayer(layer) }),
  };
  if (run?.trim() === '') {
    throw new KernelError('invalid-argument', 'the run to forget is empty', {
      hint: 'See runs with: cuervo runs list',
    });
  }
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel({
    onWarning: noteLine,
    ...workspaceOption(flags),
  });
  const { memoryCommands } = kernel;
  const sources =
    source === undefined ? undefined : await memoryCommands.sourcesOf(source, { signal });
  const filter: MemoryFilter = {
    ...named,
    ...(starts === undefined ? {} : { ids: await idsOf(kernel, starts, signal) }),
    ...(sources === undefined ? {} : { sources }),
  };
  const counts = await memoryCommands.count(filter, { signal });
  // where another flag leaves nothing of it, there is no slip in its id
  if (run !== undefined && isEmpty(await memoryCommands.count({ run }, { signal }))) {
    throw new KernelError('not-found', `nothing in memory came from the run "${run}"`, {
      hint: 'See runs with: cuervo runs list',
    });
  }
  const from = fromText(sources, source);
  if (!flags.yes) {
    await confirm(`Forget ${countText(counts)}${from} for good?`, 'nothing was forgotten');
  }
  const gone = await memoryCommands.forget(filter, { signal });
  if (flags.json) printJson(gone);
  else print(`forgot ${countText(gone)}${from}`);
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

function isEmpty({ interact, insights, assets }: LayerCounts): boolean {
  return interact + insights + assets === 0;
}

/** What the rows came from, where that is not just what was typed. */
function fromText(sources: readonly string[] = [], typed?: string): string {
  if (sources.length === 0 || (sources.length === 1 && sources[0] === typed)) return '';
  const more = sources.length - shownSources;
  const rest = more > 0 ? ` and ${more} more` : '';
  return ` of ${oneLine(sources.slice(0, shownSources).join(', '))}${rest}`;
}

function countText({ interact, insights, assets }: LayerCounts): string {
  const all = interact + insights + assets;
  return `${counted(all, 'row')} (interact ${interact}, insights ${insights}, assets ${assets})`;
}
