import type { Command } from 'commander';
import type { FactUndo, MemoryRow } from '../contracts/memory.ts';
import type { Kernel } from '../kernel.ts';
import { counted, dateText } from '../lib/text/amounts.ts';
import { confirm } from './ask-person.ts';
import { findRow } from './memory-show.ts';
import { withKernel } from './open-kernel.ts';
import { note, oneLine, print, printJson, printOne } from './output.ts';

type Flags = { workspace?: string; json?: boolean };

export function addMemoryFacts(memory: Command): void {
  memory
    .command('history <subject...>')
    .description('every fact on a subject, newest first, and what replaced it')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--json', 'one row a line')
    .action(history);
  memory
    .command('edit <id> <text...>')
    .description('replace the words of a fact')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--json', 'the new row as one object')
    .action(edit);
  memory
    .command('replace <older> <newer>')
    .description('let one fact replace another')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--json', 'the newer row as one object')
    .action(replace);
  memory
    .command('revive <id>')
    .description('let a fact hold again that was replaced or ended')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--json', 'the row as one object')
    .action(revive);
  memory
    .command('demote <id...>')
    .description('take back promotions; no job promotes these rows again')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--json', 'the number of rows as one object')
    .action(demote);
}

async function history(words: string[], flags: Flags): Promise<void> {
  await withKernel(flags, async (kernel, signal) => {
    const rows = await kernel.memoryCommands.history(words.join(' '), { signal });
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const row of rows) {
      if (flags.json) printJson({ id: row.id, ...row.record });
      else printFact(row, byId);
    }
  });
}

function printFact({ id, record }: MemoryRow, rows: ReadonlyMap<string, MemoryRow>): void {
  const next = rows.get(record.replacedBy ?? '');
  const holds = record.holdsMs === undefined ? '' : `, holds from ${dateText(record.holdsMs)}`;
  const end =
    next !== undefined
      ? `until ${dateText(next.record.holdsMs ?? next.record.ts)}, replaced by ${next.id.slice(0, 12)}`
      : record.replacedBy !== undefined
        ? 'replaced by a fact that was forgotten'
        : record.endedMs === undefined
          ? 'holds'
          : `ended ${dateText(record.endedMs)}`;
  print(
    `${id.slice(0, 12)}  said ${dateText(record.ts)}${holds}  ${end}\n  ${oneLine(record.text)}`,
  );
}

async function edit(start: string, words: string[], flags: Flags): Promise<void> {
  await withKernel(flags, async (kernel, signal) => {
    const row = await findRow(kernel, start, signal);
    const made = await kernel.memoryCommands.editFact(row, words.join(' '), { signal });
    printOne(
      { id: made.row.id, ...made.row.record },
      flags,
      `${made.row.id.slice(0, 12)} replaces ${row.id.slice(0, 12)}`,
    );
    note(`take it back with: cuervo undo ${made.run}`);
  });
}

async function replace(olderStart: string, newerStart: string, flags: Flags): Promise<void> {
  await withKernel(flags, async (kernel, signal) => {
    const older = await findRow(kernel, olderStart, signal);
    const newer = await findRow(kernel, newerStart, signal);
    const { run } = await kernel.memoryCommands.replaceFact(older, newer, { signal });
    const now = await findRow(kernel, newer.id, signal);
    printOne(
      { id: now.id, ...now.record },
      flags,
      `${newer.id.slice(0, 12)} replaces ${older.id.slice(0, 12)}`,
    );
    note(`take it back with: cuervo undo ${run}`);
  });
}

async function revive(start: string, flags: Flags): Promise<void> {
  await withKernel(flags, async (kernel, signal) => {
    const row = await findRow(kernel, start, signal);
    const { run } = await kernel.memoryCommands.reviveFact(row, { signal });
    const now = await findRow(kernel, row.id, signal);
    printOne({ id: now.id, ...now.record }, flags, `holds again: ${oneLine(now.record.text)}`);
    note(`take it back with: cuervo undo ${run}`);
  });
}

async function demote(starts: string[], flags: Flags): Promise<void> {
  await withKernel(flags, async (kernel, signal) => {
    const ids: string[] = [];
    for (const start of starts) ids.push((await findRow(kernel, start, signal)).id);
    const taken = await kernel.memoryCommands.demote(ids, { signal });
    if (flags.json) printJson({ rows: taken.length });
    else for (const id of taken) print(`${id.slice(0, 12)} is where it was said again`);
    const others = ids.length - taken.length;
    if (others > 0) note(`${counted(others, 'row')} had not been promoted`);
  });
}

/** Takes back what a run said, where it changed facts and no files. @returns false where it did not */
export async function undoFacts(
  kernel: Kernel,
  run: string,
  flags: { yes?: boolean; json?: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  const plan = await kernel.memoryCommands.planFactUndo(run);
  if (plan === undefined) return false;
  if (!flags.yes) {
    for (const line of linesOf(plan)) note(line);
    await confirm('Undo what this run said?', 'nothing was undone');
  }
  await kernel.memoryCommands.undoFacts(plan, { signal });
  if (flags.json) {
    const paths = [...plan.gone, ...plan.back].map(({ id }) => `memory:${id}`);
    printJson({ run: plan.run, paths, left: [], lasting: [] });
  } else for (const line of linesOf(plan)) print(line);
  note(`run ${plan.run} is undone`);
  return true;
}

function linesOf({ gone, back }: FactUndo): string[] {
  return [
    ...gone.map(({ record }) => `forget: ${oneLine(record.text)}`),
    ...back.map(({ record }) => `as before: ${oneLine(record.text)}`),
  ];
}
