import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { JobRun } from '../contracts/jobs.ts';
import { addFamilyExamples } from './command-families.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernel } from './open-kernel.ts';
import { note, oneLine, print, printJson } from './output.ts';

const examples = `
Examples:
  cuervo scheduler run            until Ctrl+C
  cuervo scheduler unit           for systemd or launchd, to be saved and enabled
  cuervo jobs list                what it runs, and when

Without it, due jobs run for a moment after commands that used the store.
`;

type Flags = { json?: boolean; quiet?: boolean };

export function addSchedulerCommand(program: Command): void {
  const scheduler = program.command('scheduler').description('run jobs when they are due');
  addFamilyExamples(scheduler, examples);
  scheduler
    .command('run')
    .description('run jobs when they are due, until it is interrupted')
    .option('-q, --quiet', 'print failures only')
    .option('--json', 'one run a line')
    .action(run);
  scheduler
    .command('unit')
    .description('print the systemd unit or launchd list that runs it for this user')
    .option('--launchd', 'a launchd property list (default on macOS)')
    .addOption(new Option('--systemd', 'a systemd unit (default elsewhere)').conflicts('launchd'))
    .action(unit);
}

async function unit(flags: { launchd?: boolean; systemd?: boolean }): Promise<void> {
  const { launchdPlist, systemdUnit } = await import('../../scheduler/service-unit.ts');
  await using kernel = await openKernel();
  const { dist } = kernel.config.paths;
  const service = {
    command: [process.execPath, join(dist, 'cuervo.cjs')],
    home: kernel.config.home,
  };
  const isLaunchd = flags.launchd ?? (flags.systemd ? false : process.platform === 'darwin');
  const text = isLaunchd ? launchdPlist(service) : systemdUnit(service);
  print(text.trimEnd());
  for (const line of isLaunchd ? launchdSteps : systemdSteps) note(line);
}

const systemdSteps = [
  'Save it as ~/.config/systemd/user/cuervo-scheduler.service, then:',
  '  systemctl --user enable --now cuervo-scheduler',
];
const launchdSteps = [
  'Save it as ~/Library/LaunchAgents/cuervo.scheduler.plist, then:',
  '  launchctl bootstrap gui/$UID ~/Library/LaunchAgents/cuervo.scheduler.plist',
];

async function run(flags: Flags): Promise<void> {
  using interrupt = listenForInterrupt();
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
    onError: (error) => note(`note: cannot read the jobs: ${oneLine(error.message)}`),
  });
  if (!flags.quiet) note('ended');
}

function lineOf({ job, outcome, summary }: JobRun): string {
  return `${new Date().toISOString().slice(0, 19)}Z ${job}: ${outcome}: ${oneLine(summary)}`;
}
