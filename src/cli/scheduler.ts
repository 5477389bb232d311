import type { Command } from 'commander';
import type { JobRun } from '../contracts/jobs.ts';
import { listenForInterrupt } from './interrupt.ts';
import { note, oneLine, printJson } from './output.ts';

const examples = `
Examples:
  cuervo scheduler run            until Ctrl+C
  cuervo jobs list                what it runs, and when

Without it, due jobs run for a moment after commands that used the store.
`;

type Flags = { json?: boolean; quiet?: boolean };

export function addSchedulerCommand(program: Command): void {
  program
    .command('scheduler')
    .description('run jobs when they are due')
    .addHelpText('afterAll', examples)
    .command('run')
    .description('run jobs when they are due, until it is interrupted')
    .option('-q, --quiet', 'tell failures alone')
    .option('--json', 'one run a line')
    .action(run);
}

async function run(flags: Flags): Promise<void> {
  using interrupt = listenForInterrupt();
  const { openKernel } = await import('../kernel.ts');
  const { runScheduler } = await import('../../scheduler/run-scheduler.ts');
  const { isFailure } = await import('../../scheduler/is-failure.ts');
  await using kernel = await openKernel({
    onWarning: (message) => note(`note: ${oneLine(message)}`),
  });
  if (!flags.quiet) note('jobs run when they are due; Ctrl+C ends it');
  await runScheduler(kernel, {
    signal: interrupt.signal,
    onRun: (ran) => {
      if (flags.json) printJson(ran);
      else if (!flags.quiet || isFailure(ran)) note(lineOf(ran));
    },
    onError: (error) => note(`note: jobs could not be looked at: ${oneLine(error.message)}`),
  });
  if (!flags.quiet) note('ended');
}

function lineOf({ job, outcome, summary }: JobRun): string {
  return `${new Date().toISOString().slice(0, 19)}Z ${job}: ${outcome}: ${oneLine(summary)}`;
}
