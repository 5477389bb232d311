import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { Applied } from '../contracts/output/parse-session.ts';
import type { ApplyPlan } from '../kernel/changes/apply-commands.ts';
import type { Kernel } from '../kernel.ts';
import { ageText } from '../lib/text/amounts.ts';
import { confirm } from './ask-person.ts';
import { collect, workspaceOption } from './kernel-options.ts';
import { oweWork } from './lost-output.ts';
import { openKernel } from './open-kernel.ts';
import { note, oneLine, print, printJson } from './output.ts';
import { runWords } from './run-line.ts';
import { showDiffs } from './show-diffs.ts';

const examples = `
Examples:
  cuervo run file.write '{"path":"a.txt","text":"x"}' --dry-run --allow fs-write:work
  cuervo apply                   the newest dry run, after its diff and a question
  cuervo apply ID --yes          one dry run, by its id or the start of it
  cuervo apply --list            dry runs that can be applied
`;

type Flags = {
  workspace?: string;
  allow?: string[];
  list?: boolean;
  yes?: boolean;
  json?: boolean;
};

/** `apply` needs only this capability: the kernel writes itself, and runs nothing. */
const needed = 'fs-write:work';

export function addApplyCommand(program: Command): void {
  program
    .command('apply [run]')
    .description('make the changes of a dry run in the workspace')
    .option('-w, --workspace <dir>', 'the folder of the dry run')
    .option('--allow <grant>', `do not ask about the changes it covers: ${needed}`, collect)
    .option('--list', 'list the dry runs that can be applied')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'one object a line')
    .addHelpText('after', examples)
    .action(apply);
}

async function apply(run: string | undefined, flags: Flags): Promise<void> {
  const unused = flags.allow?.find((grant) => grant !== needed);
  if (unused !== undefined) {
    const message = `--allow ${unused} has no effect here: applying a dry run needs ${needed}`;
    throw new KernelError('invalid-argument', message, {
      hint: `Allow it, or answer yes when cuervo asks: cuervo apply --allow ${needed}`,
    });
  }
  await using kernel = await openKernel(workspaceOption(flags));
  if (flags.list) {
    await list(kernel, flags);
    return;
  }
  oweWork();
  const plan = await kernel.apply.plan(run);
  if (!flags.yes && flags.allow === undefined) {
    await showDiffs(await kernel.apply.diff(plan.run), 'stderr');
    showPlan(plan);
    await confirm('Change these?', 'nothing was applied');
  }
  const applied = await kernel.apply.apply(plan.run);
  if (flags.json) printJson(applied);
  else tell(applied, plan);
}

/** Runs of the workspace to search for the questions of dry runs. */
const maxRuns = 1000;

async function list(kernel: Kernel, { json }: Flags): Promise<void> {
  const rows = kernel.apply.runs();
  const known = new Map((await kernel.undo.allRuns(maxRuns)).map((run) => [run.run, run]));
  for (const row of rows) {
    const run = known.get(row.run);
    if (json) printJson(row);
    else if (run === undefined) print(row.run);
    else print(`${row.run}  ${ageText(Date.now() - run.startedMs).padEnd(12)}  ${runWords(run)}`);
  }
  if (rows.length === 0 && !json) print('no dry run of this workspace can be applied');
}

const actions = {
  restore: 'write',
  remove: 'remove',
  'make-directory': 'make-directory',
  done: 'done already',
} as const;

function showPlan({ run, steps, left }: ApplyPlan): void {
  note(`dry run ${run}:`);
  for (const { action, path, conflict } of steps) {
    const why = conflict === undefined ? '' : ` (${conflict})`;
    note(`  ${actions[action].padEnd(15)}${oneLine(path)}${why}`);
  }
  for (const { path, why } of left) note(`  not applied: ${oneLine(path)}: ${why}`);
}

const deeds = {
  restore: 'changed',
  remove: 'removed',
  'make-directory': 'made',
  done: 'unchanged',
} as const;

function tell({ run, appliedBy, paths, left }: Applied, plan: ApplyPlan): void {
  const did = new Map(plan.steps.map(({ path, action }) => [path, action]));
  for (const path of paths) print(`${deeds[did.get(path) ?? 'restore']} ${oneLine(path)}`);
  for (const { path, why } of left) note(`not applied: ${oneLine(path)}: ${why}`);
  note(`dry run ${run} is applied; undo it with: cuervo undo ${appliedBy}`);
}
