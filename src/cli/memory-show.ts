import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { everyProject, type MemoryRow } from '../contracts/memory.ts';
import type { MemoryExplanation } from '../contracts/output/parse-memory.ts';
import type { Kernel } from '../kernel.ts';
import { ageText, dateText } from '../lib/text/amounts.ts';
import {
  addFilterOptions,
  emptyText,
  type FilterFlags,
  filterOf,
  parseLimit,
} from './memory-options.ts';
import { placeOf, scoreText } from './memory-search.ts';
import { withKernel } from './open-kernel.ts';
import { note, oneLine, print, printJson, printWrapped } from './output.ts';

type ListFlags = FilterFlags & {
  workspace?: string;
  source?: string;
  run?: string;
  limit: string;
  json?: boolean;
};
type ShowFlags = { workspace?: string; json?: boolean };
type PromoteFlags = { workspace?: string; reason: string; json?: boolean };

const minIdDigits = 6;

export function addMemoryShow(memory: Command): void {
  const listing = memory
    .command('list')
    .description('rows of memory, newest first')
    .option('-w, --workspace <dir>', 'the folder whose memory it is');
  addFilterOptions(listing)
    .option('--source <path>', 'only from this source')
    .option('--run <id>', 'only from this run')
    .option('-n, --limit <n>', 'at most this many (1 to 10000)', '20')
    .option('--json', 'one row a line')
    .action(list);
  memory
    .command('show <id>')
    .description('one row, whole; the start of its id is enough')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--json', 'as one object')
    .action(show);
  memory
    .command('promote <id...>')
    .description('keep rows one layer higher: turns as insights, facts as insights, then assets')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--reason <text>', 'why, for later readers', 'asked for')
    .option('--json', 'one new row a line: its id and the id of its source')
    .action(promote);
}

async function list(flags: ListFlags): Promise<void> {
  const limit = parseLimit(flags.limit, 10_000);
  await withKernel(flags, async (kernel, signal) => {
    const { source, run } = flags;
    const filter = {
      ...filterOf(flags, { project: kernel.config.workspace, nowMs: Date.now() }),
      ...(source === undefined ? {} : { source }),
      ...(run === undefined ? {} : { run }),
    };
    const memory = await kernel.memory();
    const rows = await memory.list(filter, { signal, limit });
    for (const row of rows) {
      if (flags.json) printJson({ id: row.id, ...row.record });
      else printRow(row);
    }
    if (rows.length === 0 && !flags.json) {
      const { projects: _, ...narrower } = filter;
      note(emptyText(flags, Object.keys(narrower).length > 0));
    }
  });
}

function printRow({ id, record }: MemoryRow): void {
  const { layer, kind, ts, source, tags } = record;
  const place = source === undefined ? '' : `  ${oneLine(placeOf(source, tags))}`;
  const text = oneLine(record.text);
  const head = `${id.slice(0, 12)}  ${layer.padEnd(8)}  ${oneLine(kind)}  ${ageText(Date.now() - ts)}`;
  print(`${head}${place}${endOf(record)}`);
  printWrapped('  ', text.length > 160 ? `${text.slice(0, 159)}…` : text);
}

/** Says how a fact ended; one that holds gets nothing. */
function endOf({ replacedBy, endedMs }: MemoryRow['record']): string {
  if (replacedBy !== undefined) return `  replaced by ${replacedBy.slice(0, 12)}`;
  return endedMs === undefined ? '' : `  ended ${dateText(endedMs)}`;
}

async function show(start: string, flags: ShowFlags): Promise<void> {
  await withKernel(flags, async (kernel, signal) => {
    const { id, record } = await findRow(kernel, start, signal);
    if (flags.json) printJson({ id, ...record });
    else printWhole({ id, record });
  });
}

function printWhole({ id, record }: MemoryRow): void {
  const { text, context: _indexed, why, ...rest } = record;
  print(`id: ${id}`);
  print(`why there: ${oneLine(whyThere(record, why))}`);
  for (const [key, value] of Object.entries(rest)) {
    const isTime = key === 'ts' || key === 'holdsMs' || key === 'endedMs';
    const shown = isTime ? new Date(Number(value)).toISOString() : String(value);
    print(`${key}: ${oneLine(shown)}`);
  }
  print('');
  for (const line of text.split('\n')) print(oneLine(line));
}

function whyThere(record: MemoryRow['record'], why: string | undefined): string {
  if (why !== undefined) {
    return record.layer === 'interact' ? why : `promoted to ${record.layer}: ${why}`;
  }
  if (record.layer === 'interact') return 'it is where it was said';
  return record.source === undefined ? 'it was put there' : `read from ${record.source}`;
}

async function promote(starts: string[], flags: PromoteFlags): Promise<void> {
  await withKernel(flags, async (kernel, signal) => {
    const memory = await kernel.memory();
    const rows = [];
    for (const start of starts) {
      const { id, record } = await findRow(kernel, start, signal);
      const isTop = record.layer === 'assets' || (record.layer === 'insights' && !isFact(record));
      if (isTop) {
        throw new KernelError(
          'invalid-argument',
          `${id.slice(0, 12)} is in "${record.layer}"; nothing is above it for a row of kind ${record.kind}`,
          { hint: 'See turns with: cuervo memory list --layer interact' },
        );
      }
      rows.push({ id, reason: flags.reason });
    }
    const made = await memory.promote(rows, { signal });
    for (const row of made) {
      if (flags.json) printJson(row);
      else if (row.from === row.id) print(`${row.id.slice(0, 12)} is one layer higher`);
      else print(`${row.from.slice(0, 12)} is kept as ${row.id.slice(0, 12)}`);
    }
    const known = rows.length - made.length;
    if (known > 0) note(`${known} of ${rows.length} were there already, or stay where they are`);
  });
}

function isFact({ kind, source }: MemoryRow['record']): boolean {
  return source === undefined && ['fact', 'decision', 'preference'].includes(kind);
}

/** The row of this workspace whose id begins so. */
export async function findRow(
  kernel: Kernel,
  start: string,
  signal: AbortSignal,
): Promise<MemoryRow> {
  if (!/^[0-9a-f]{1,64}$/.test(start) || start.length < minIdDigits) {
    throw new KernelError(
      'invalid-argument',
      `"${oneLine(start)}" is not an id: ${minIdDigits} or more of the digits 0 to 9 and a to f`,
      { hint: 'See ids with: cuervo memory list' },
    );
  }
  const memory = await kernel.memory();
  const project = kernel.config.workspace;
  const all = await memory.list(
    { projects: [project, everyProject], idStart: start },
    { signal, limit: 2 },
  );
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const message =
    only === undefined
      ? `memory has no row "${start}" of this workspace`
      : `"${start}" begins the ids of several rows`;
  throw new KernelError('not-found', message, { hint: 'See ids with: cuervo memory list' });
}

type Flags = { workspace?: string; json?: boolean };

export function addMemoryExplain(memory: Command): void {
  memory
    .command('explain <id> [query...]')
    .description('show where a row comes from, what its answer used, and its rank in a search')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--json', 'as one object')
    .action(explain);
}

async function explain(start: string, words: string[], flags: Flags): Promise<void> {
  await withKernel(flags, async (kernel, signal) => {
    const row = await findRow(kernel, start, signal);
    const query = words.length === 0 ? {} : { query: words.join(' ') };
    const explanation = await kernel.memoryCommands.explain(row, { ...query, signal });
    if (flags.json) printJson(explanation);
    else for (const line of linesOf(explanation)) print(line);
  });
}

function linesOf(explanation: MemoryExplanation): string[] {
  const { id, layer, kind, tags, source, ts, layerWeight, decay, run, usedBy, search } =
    explanation;
  const place = source === undefined ? '' : ` of ${oneLine(placeOf(source, tags))}`;
  const why = tags.find((tag) => tag.startsWith('because:'))?.slice('because:'.length);
  const lines = [
    `${id.slice(0, 12)}  ${oneLine(kind)} in ${layer}${place}, ${ageText(Date.now() - ts)}`,
    `  weight ${layerWeight} by its layer × ${decay.toFixed(3)} by its age`,
  ];
  if (why !== undefined) lines.push(`  promoted: ${oneLine(why)}`);
  if (run !== undefined) {
    lines.push(`  from run ${run.id}: ${oneLine(run.question)}`);
    if (run.tools.length > 0) lines.push(`  which ran ${oneLine(run.tools.join(', '))}`);
    for (const { id: from, layer: its, score, text = 'gone' } of run.recalled) {
      lines.push(`  which used ${from.slice(0, 12)} (${its}, ${score.toFixed(2)}): ${cut(text)}`);
    }
  }
  for (const used of usedBy) lines.push(`  used by run ${used.run}: ${cut(used.question)}`);
  if (search !== undefined) lines.push(...searchLines(search));
  return lines;
}

function searchLines(search: NonNullable<MemoryExplanation['search']>): string[] {
  const { query, of, rank, score, factors } = search;
  if (rank === undefined || score === undefined || factors === undefined) {
    return [`  not among the ${of} hits of "${oneLine(query)}"`];
  }
  const { bm25, cosine, meaning, fused, layerWeight, decay, fit = 1, rerank } = factors;
  return [
    `  hit ${rank} of ${of} for "${oneLine(query)}"`,
    `  ${scoreText(score)} = ${scoreText(fused)} fused × ${layerWeight} layer × ${scoreText(decay)} decay`,
    `  fused of words (bm25 ${scoreText(bm25)}) and meaning (cosine ${scoreText(meaning ?? cosine)})`,
    ...(fit === 1 ? [] : [`  × ${fit}: it lacks the time or number that is asked for`]),
    ...(rerank === undefined ? [] : [`  reranked: ${scoreText(rerank)} of 1`]),
  ];
}

function cut(text: string): string {
  const line = oneLine(text);
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
