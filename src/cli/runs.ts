import type { Command } from 'commander';
import { print } from './output.ts';
import { showDiffs } from './show-diffs.ts';

const examples = `
Examples:
  cuervo undo --list             runs that changed files
  cuervo runs diff ID            what one of them did to each file
`;

type Flags = { workspace?: string };

export function addRunsCommand(program: Command): void {
  const runs = program
    .command('runs')
    .description('what earlier runs did')
    .addHelpText('afterAll', examples);
  runs
    .command('diff <run>')
    .description('what a run changed, as a unified diff')
    .option('-w, --workspace <dir>', 'the folder the run worked in')
    .action(diff);
}

async function diff(run: string, flags: Flags): Promise<void> {
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel(
    flags.workspace === undefined ? {} : { workspace: flags.workspace },
  );
  const isDry = kernel.apply.runs().some((row) => row.run.startsWith(run));
  await showDiffs(await (isDry ? kernel.apply : kernel.undo).diff(run), print);
}
