import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { Applied, ApplyPlan } from '../kernel/apply-commands.ts';
import { confirm } from './confirm.ts';
import { collect, workspaceOption } from './kernel-options.ts';
import { oweWork } from './lost-output.ts';
import { note, oneLine, print, printJson } from './output.ts';
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

/** All that applying needs: the kernel's own hand writes, and runs nothing. */
const needed = 'fs-write:work';

export function addApplyCommand(program: Command): void {
  program
    .command('apply [run]')
    .description('change the workspace as a dry run would have')
    .option('-w, --workspace <dir>', 'the folder of the dry run')
    .option('--allow <grant>', `do not ask about what it covers: ${needed}`, collect)
    .option('--list', 'list the dry runs that can be applied')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'one object a line')
    .addHelpText('after', examples)
    .action(apply);
}

async function apply(run: string | undefined, flags: Flags): Promise<void> {
  const unused = flags.allow?.find((grant) => grant !== needed);
  if (unused !== undefined) {
    const message = `--allow ${unused} is of no use here: to apply a dry run takes ${needed}`;
    throw new KernelError('invalid-argument', message, {
      hint: `Allow that, or say yes to what is shown: cuervo apply --allow ${needed}`,
    });
  }
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel(workspaceOption(flags));
  if (flags.list) {
    const rows = kernel.apply.runs();
    for (const row of rows) {
      if (flags.json) printJson(row);
      else print(row.run);
    }
    if (rows.length === 0 && !flags.json) print('no dry run of this workspace can be applied');
    return;
  }
  oweWork();
  const plan = await kernel.apply.plan(run);
  if (!flags.yes && flags.allow === undefined) {
    await showDiffs(await kernel.apply.diff(plan.run), note);
    showPlan(plan);
    await confirm('Change these?', 'nothing was applied');
  }
  const applied = await kernel.apply.apply(plan.run);
  if (flags.json) printJson(applied);
  else tell(applied);
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

function tell({ run, appliedBy, paths, left }: Applied): void {
  for (const path of paths) print(`changed ${oneLine(path)}`);
  for (const { path, why } of left) note(`not applied: ${oneLine(path)}: ${why}`);
  note(`dry run ${run} is applied; take it back with: cuervo undo ${appliedBy}`);
}
