import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { Undone } from '../contracts/output/parse-session.ts';
import type { UndoPlan } from '../kernel/changes/undo-commands.ts';
import type { Kernel } from '../kernel.ts';
import { confirm } from './ask-person.ts';
import { listenForInterrupt } from './interrupt.ts';
import { oweWork } from './lost-output.ts';
import { undoFacts } from './memory-facts.ts';
import { parseCount } from './memory-options.ts';
import { openKernelFor } from './open-kernel.ts';
import { note, oneLine, print, printEach, printJson } from './output.ts';
import { runText } from './run-line.ts';

const examples = `
Examples:
  cuervo undo                    the last run that changed files, after a question
  cuervo undo --list             runs that changed files
  cuervo undo ID --yes           one run, by its id or the start of it; also what it told memory
  cuervo undo --last 3 --yes     the last three, newest first
`;

type Flags = {
  workspace?: string;
  last?: number;
  list?: boolean;
  yes?: boolean;
  force?: boolean;
  json?: boolean;
};

export function addUndoCommand(program: Command): void {
  program
    .command('undo [run]')
    .description('undo what a run changed in the workspace')
    .option('-w, --workspace <dir>', 'the folder whose files are restored')
    .option('--last <n>', 'the last N runs that changed files', parseCount)
    .option('--list', 'list the runs that changed files')
    .option('-y, --yes', 'do not ask')
    .option('--force', 'restore files that changed since, too; their content is kept first')
    .option('--json', 'one object a line')
    .addHelpText('after', examples)
    .action(undo);
}

async function undo(run: string | undefined, flags: Flags): Promise<void> {
  await using kernel = await openKernelFor(flags);
  if (flags.list) {
    await list(kernel, flags);
    return;
  }
  oweWork();
  using interrupt = listenForInterrupt();
  await undoRuns(kernel, run, { ...flags, signal: interrupt.signal });
}

/**
 * Asks, unless told not to, and undoes.
 *
 * @throws {KernelError} `canceled` without a yes
 */
export async function undoRuns(
  kernel: Kernel,
  run: string | undefined,
  flags: Omit<Flags, 'workspace' | 'list'> & { signal: AbortSignal },
): Promise<void> {
  const isMemory = run !== undefined && flags.last === undefined;
  if (isMemory && (await undoFacts(kernel, run, flags, flags.signal))) return;
  const all = await plansOf(kernel, run, flags.last);
  const plans = all.filter(({ isEmpty }) => !isEmpty);
  const [nothing, ...more] = all.filter(({ isEmpty }) => isEmpty).map(nothingLeft);
  if (plans.length === 0 && nothing !== undefined) throw nothing;
  if (nothing !== undefined) for (const { message } of [nothing, ...more]) note(message);
  const runs = plans.length === 1 ? '1 run' : `${plans.length} runs`;
  if (all.length < (flags.last ?? 1)) note(`only ${runs} can be undone`);
  if (!flags.yes) {
    for (const plan of plans) showPlan(plan);
    await confirm(
      `Undo ${plans.length === 1 ? 'this run' : `these ${runs}`}?`,
      'nothing was undone',
    );
  }
  for (const plan of plans) {
    const undone = await kernel.undo.undo(plan.run.run, { force: flags.force ?? false });
    if (flags.json) printJson(undone);
    else tell(undone, plan);
  }
}

async function plansOf(
  kernel: Kernel,
  run: string | undefined,
  last: number | undefined,
): Promise<UndoPlan[]> {
  if (run === undefined) return await kernel.undo.planLast(last ?? 1);
  if (last === undefined) return [await kernel.undo.plan(run)];
  throw new KernelError('invalid-argument', `run ${run} and --last ${last} were both given`, {
    hint: `Undo the one run with: cuervo undo ${run}`,
  });
}

function nothingLeft({ run, steps }: UndoPlan): KernelError {
  const why =
    run.undoneMs !== undefined
      ? 'it is already undone'
      : steps.length > 0
        ? 'its files are as they were before it'
        : 'it left the files as it found them';
  const lasting = run.lasting.map((text) => `; not undoable: ${oneLine(text)}`).join('');
  const message = `run ${run.run} has nothing to undo: ${why}${lasting}`;
  const hint = 'Name another run; see those that changed files with: cuervo undo --list';
  return new KernelError('not-found', message, { hint });
}

async function list(kernel: Kernel, flags: Flags): Promise<void> {
  const rows = await kernel.undo.runs(100);
  printEach(rows, flags, (row) => runText(row));
  if (rows.length === 0 && !flags.json) print('no run changed files of this workspace');
}

function showPlan({ run, steps }: UndoPlan): void {
  note(`${run.run}: ${oneLine(`${run.command} ${run.question}`)}`);
  for (const { action, path, conflict } of steps) {
    note(`  ${action.padEnd(15)}${oneLine(path)}${conflict === undefined ? '' : ` (${conflict})`}`);
  }
  for (const text of run.lasting) note(`  not undoable: ${oneLine(text)}`);
}

const deeds = {
  restore: 'restored',
  remove: 'removed',
  'make-directory': 'made',
  done: 'unchanged',
} as const;

function tell({ run, paths, left, lasting }: Undone, plan: UndoPlan): void {
  const actions = new Map(plan.steps.map(({ path, action }) => [path, action]));
  for (const path of paths) print(`${deeds[actions.get(path) ?? 'restore']} ${oneLine(path)}`);
  for (const { path, why } of left) note(`left ${oneLine(path)}: ${why}`);
  for (const text of lasting) note(`not undoable: ${oneLine(text)}`);
  note(`run ${run} is undone`);
}
