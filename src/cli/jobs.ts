import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { JobRun } from '../contracts/jobs.ts';
import type { ListedJob } from '../contracts/output/parse-jobs.ts';
import { ageText } from '../lib/text/amounts.ts';
import { addFamilyExamples } from './command-families.ts';
import { listenForInterrupt } from './interrupt.ts';
import { parseLimit } from './memory-options.ts';
import { openKernel } from './open-kernel.ts';
import { note, oneLine, print, printEach, printJson } from './output.ts';

const examples = `
Examples:
  cuervo jobs list
  cuervo jobs run prune_memory     now, due or not
  cuervo jobs log                  what ran, why, and what it did
  cuervo jobs pause prune          until: cuervo jobs resume prune
`;

type Flags = { json?: boolean };

export function addJobsCommand(program: Command): void {
  const jobs = program
    .command('jobs')
    .description('the jobs that keep memory and the store in order');
  addFamilyExamples(jobs, examples);
  jobs
    .command('list')
    .description('every job, when it ran and when it is due')
    .option('--json', 'one object a line')
    .action(list);
  jobs
    .command('run <name>')
    .description('run a job now')
    .option('--json', 'its line of the log as an object')
    .action(run);
  jobs
    .command('log [name]')
    .description('what jobs did and why, newest first')
    .option('-n, --limit <n>', 'at most this many (1 to 1000)', '20')
    .option('--json', 'one run a line')
    .action(log);
  jobs
    .command('pause <name>')
    .description('stop running a job automatically')
    .action((name: string) => pause(name, true));
  jobs
    .command('resume <name>')
    .description('run a paused job again when it is due')
    .action((name: string) => pause(name, false));
}

async function list(flags: Flags): Promise<void> {
  const { listJobs } = await import('../../scheduler/list-jobs.ts');
  await using kernel = await openKernel();
  const nowMs = kernel.jobs.nowMs();
  printEach(
    await listJobs(kernel),
    flags,
    (job) => `${job.name.padEnd(19)}${stateOf(job, nowMs).padEnd(42)}${job.about}`,
  );
}

function stateOf(job: ListedJob, nowMs: number): string {
  const { lastRunMs, lastOutcome, nextMs, failures } = job;
  const times = failures > 1 ? ` ${failures} times` : '';
  const last =
    lastRunMs === undefined ? 'never ran' : `${lastOutcome}${times} ${ageText(nowMs - lastRunMs)}`;
  if (job.running) return `${last}, running`;
  if (job.paused || nextMs === undefined) return `${last}, paused`;
  return `${last}, ${nextMs <= nowMs ? 'due' : `due in ${inText(nextMs - nowMs)}`}`;
}

function inText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

async function run(name: string, flags: Flags): Promise<void> {
  using interrupt = listenForInterrupt();
  const { runNamedJob } = await import('../../scheduler/run-named-job.ts');
  await using kernel = await openKernel({ onWarning: (text) => note(`note: ${oneLine(text)}`) });
  const ran = await runNamedJob(kernel, name, { signal: interrupt.signal });
  if (ran.outcome !== 'done') throw notDone(ran);
  if (flags.json) printJson(ran);
  else printRun(ran, { withJob: false });
}

function notDone({ job, outcome, summary }: JobRun): KernelError {
  const hint = 'cuervo tries it again by itself; see: cuervo jobs log';
  if (outcome === 'canceled') return new KernelError('canceled', `${job} was interrupted`);
  const code = outcome === 'timed-out' ? 'deadline-exceeded' : 'tool-failed';
  return new KernelError(code, `${job} ${outcome === 'failed' ? 'failed' : 'ended'}: ${summary}`, {
    hint,
  });
}

async function log(name: string | undefined, flags: Flags & { limit: string }): Promise<void> {
  const limit = parseLimit(flags.limit, 1_000);
  const { findJob } = await import('../../scheduler/run-named-job.ts');
  await using kernel = await openKernel();
  const job = name === undefined ? {} : { job: findJob(name).name };
  const book = await kernel.jobs.book();
  const log = book.log({ ...job, limit });
  if (log.length === 0 && !flags.json)
    note(name === undefined ? 'no job has run yet' : `${name} has not run yet`);
  for (const ran of log) {
    if (flags.json) printJson(ran);
    else {
      print(
        `${new Date(ran.startedMs).toISOString().slice(0, 16).replace('T', ' ')}Z  ${head(ran)}`,
      );
      printRun(ran, { withJob: true });
    }
  }
}

function head({ job, outcome, why }: JobRun): string {
  return `${job}  ${outcome}  (${oneLine(why)})`;
}

function printRun({ summary, details }: JobRun, { withJob }: { withJob: boolean }): void {
  const indent = withJob ? '  ' : '';
  if (summary !== '') print(`${indent}${oneLine(summary)}`);
  for (const line of details) print(`${indent}  ${oneLine(line)}`);
}

async function pause(name: string, isPaused: boolean): Promise<void> {
  const { findJob } = await import('../../scheduler/run-named-job.ts');
  const job = findJob(name).name;
  await using kernel = await openKernel();
  const nowMs = kernel.jobs.nowMs();
  const book = await kernel.jobs.book();
  book.records([job], nowMs);
  book.pause(job, isPaused ? nowMs : undefined);
  note(
    isPaused ? `${job} is paused until: cuervo jobs resume ${job}` : `${job} runs when it is due`,
  );
}

const schedulerExamples = `
Examples:
  cuervo scheduler run            until Ctrl+C
  cuervo scheduler unit           for systemd or launchd, to be saved and enabled
  cuervo jobs list                what it runs, and when

Without it, due jobs run for a moment after commands that used the store.
`;

type SchedulerFlags = { json?: boolean; quiet?: boolean };

export function addSchedulerCommand(program: Command): void {
  const scheduler = program.command('scheduler').description('run jobs when they are due');
  addFamilyExamples(scheduler, schedulerExamples);
  scheduler
    .command('run')
    .description('run jobs when they are due, until it is interrupted')
    .option('-q, --quiet', 'print failures only')
    .option('--json', 'one run a line')
    .action(runScheduler);
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

async function runScheduler(flags: SchedulerFlags): Promise<void> {
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
