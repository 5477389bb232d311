import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { LayerCounts, MemoryFilter, MemoryRow } from '../contracts/memory.ts';
import type { Kernel } from '../kernel.ts';
import { counted } from '../lib/text/amounts.ts';
import { confirm } from './ask-person.ts';
import { collect } from './kernel-options.ts';
import { parseLayer, parseMoment } from './memory-options.ts';
import { findRow } from './memory-show.ts';
import { withKernel } from './open-kernel.ts';
import { note, oneLine, printOne } from './output.ts';

/** A run says a few things; what is beyond was not promoted from it. */
const maxRowsOfRun = 1000;
/** The most sources that are shown of those below a folder. */
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
    .description('remove rows by source, run, id or age')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--id <id>', 'this row, and the insight made from it (repeatable)', collect)
    .option(
      '--source <path>',
      'everything from this file or folder, and answers made of it; it stays out until you add it again',
    )
    .option('--run <id>', 'everything that this run said or did, and its undo')
    .option('--before <when>', 'everything older than an age (12h, 7d) or a date')
    .option('--layer <name>', 'only of interact, insights or assets')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'the number of rows removed from each layer, as one object')
    .action(forget);
}

async function forget(flags: Flags): Promise<void> {
  const { id: starts, source, run, before, layer } = flags;
  if ([starts, source, run, before].every((named) => named === undefined)) {
    throw new KernelError('invalid-argument', 'no option says what memory should forget', {
      hint: 'Name it: --id ID, --source PATH, --run ID or --before AGE',
    });
  }
  const named: MemoryFilter = {
    ...(run === undefined ? {} : { run }),
    ...(before === undefined ? {} : { beforeMs: parseMoment('--before', before, Date.now()) }),
    ...(layer === undefined ? {} : { layer: parseLayer(layer) }),
  };
  if (run?.trim() === '') {
    throw new KernelError('invalid-argument', 'the id of the run to forget is empty', {
      hint: 'See runs with: cuervo runs list',
    });
  }
  await withKernel(flags, async (kernel, signal) => {
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
    if (run !== undefined && !(await isKnownRun(kernel, run, signal))) {
      throw new KernelError('not-found', `nothing is kept of a run "${run}"`, {
        hint: 'See runs with: cuervo runs list',
      });
    }
    const from = fromText(sources, source);
    const isWhole = [starts, run, before, layer].every((other) => other === undefined);
    const derived =
      sources !== undefined && isWhole ? await memoryCommands.derivedFrom(sources, { signal }) : [];
    if (!flags.yes) {
      for (const line of derivedLines(derived)) note(line);
      const more =
        derived.length === 0 ? '' : ` and ${counted(derived.length, 'answer')} made of it`;
      const isRun =
        run !== undefined && [starts, source, before, layer].every((o) => o === undefined);
      const undo = isRun ? ', and all that the run did, with its undo,' : '';
      const what = `Forget ${countText(counts)}${from}${more}${undo} for good?`;
      await confirm(what, 'nothing was forgotten');
    }
    const said = await memoryCommands.forget(filter, { signal });
    const ids = derived.map(({ id }) => id);
    const made = ids.length === 0 ? none : await memoryCommands.forget({ ids }, { signal });
    const gone = sumOf(said, made);
    printOne(gone, flags, `forgot ${countText(gone)}${from}`);
  });
}

/** A run of this workspace, or one of which memory has something. */
async function isKnownRun(kernel: Kernel, run: string, signal: AbortSignal): Promise<boolean> {
  const project = (await kernel.store()).run(run)?.project;
  if (project === kernel.config.workspace) return true;
  return !isEmpty(await kernel.memoryCommands.count({ run }, { signal }));
}

/** The rows whose ids begin so, and those promoted from them: the same words of one run. */
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

const none: LayerCounts = { interact: 0, insights: 0, assets: 0 };

function sumOf(one: LayerCounts, other: LayerCounts): LayerCounts {
  return {
    interact: one.interact + other.interact,
    insights: one.insights + other.insights,
    assets: one.assets + other.assets,
  };
}

/** Rows that are forgotten with a source because they were made of it. */
function derivedLines(rows: readonly MemoryRow[]): string[] {
  const shown = rows.slice(0, shownSources).map(({ record }) => {
    const text = oneLine(record.text);
    return `  made of it: ${text.length > 120 ? `${text.slice(0, 119)}…` : text}`;
  });
  const more = rows.length - shown.length;
  return more > 0 ? [...shown, `  and ${counted(more, 'other answer')}`] : shown;
}

function isEmpty({ interact, insights, assets }: LayerCounts): boolean {
  return interact + insights + assets === 0;
}

/** The source of the rows, unless it is the typed text itself. */
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
