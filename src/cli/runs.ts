import type { Command } from 'commander';
import { workspaceOption } from './kernel-options.ts';
import { print, printJson } from './output.ts';
import { parseCount } from './parse-count.ts';
import { printRun } from './run-line.ts';
import { showDiffs } from './show-diffs.ts';

const examples = `
Examples:
  cuervo runs list               what ran here, newest first, and how it ended
  cuervo undo --list             runs that changed files
  cuervo runs diff ID            what one of them did to each file
`;

type Flags = { workspace?: string };
type ListFlags = Flags & { limit: number; json?: boolean };

export function addRunsCommand(program: Command): void {
  const runs = program
    .command('runs')
    .description('what earlier runs did')
    .addHelpText('afterAll', examples);
  runs
    .command('list')
    .description('runs of the workspace, newest first')
    .option('-w, --workspace <dir>', 'the folder the runs worked in')
    .option('--limit <n>', 'how many at most', parseCount, 50)
    .option('--json', 'one object a line')
    .action(list);
  runs
    .command('diff <run>')
    .description('what a run changed, as a unified diff')
    .option('-w, --workspace <dir>', 'the folder the run worked in')
    .action(diff);
}

async function list(flags: ListFlags): Promise<void> {
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel(workspaceOption(flags));
  for (const row of await kernel.undo.allRuns(flags.limit)) {
    if (flags.json) printJson(row);
    else printRun(row, row.status);
  }
}

async function diff(run: string, flags: Flags): Promise<void> {
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel(workspaceOption(flags));
  const isDry = kernel.apply.runs().some((row) => row.run.startsWith(run));
  await showDiffs(await (isDry ? kernel.apply : kernel.undo).diff(run), print);
}
