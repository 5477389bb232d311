import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { FleetWork } from '../contracts/fleet.ts';
import type { FleetResult, FleetStatus } from '../contracts/output/parse-jobs.ts';
import type { FleetCommands } from '../kernel/fleet/fleet-commands.ts';
import { withTypedPath } from '../lib/files/read-file.ts';
import { ageText, counted } from '../lib/text/amounts.ts';
import { gridText } from '../lib/text/columns.ts';
import { modelOptions } from './ask.ts';
import { readHidden } from './ask-person.ts';
import { addFamilyExamples } from './command-families.ts';
import { applyPatches, showPatches, undoPatches } from './fleet-changes.ts';
import { listenForInterrupt } from './interrupt.ts';
import { note, oneLine, print, printEach, printJson, printOne } from './output.ts';
import { readScript } from './run.ts';
import { readInput } from './run-input.ts';
import { terminalColumns } from './style.ts';

const examples = `
Examples:
  cuervo fleet ask "who reads the retry limit?" --repos repos.txt
  cuervo fleet run rename.js --repos repos.txt       a script; changes come back as patches
  cuervo fleet run search.grep pattern=TODO --repos repos.txt
  cuervo fleet index --repos repos.txt               each worker's index of what it fetched
  cuervo fleet status                                bars, rates and failures
  cuervo fleet results                               of the newest run
  cuervo fleet diff                                  what it would change
  cuervo fleet apply                                 as a branch in each of your repositories
  cuervo fleet apply --patches DIR                   as files
  cuervo fleet undo RUN                              takes those branches and files back
  cuervo fleet cancel RUN
  cuervo fleet login                                 keeps the password of the database

--repos names a file with one folder or git address a line. Nothing is pushed anywhere.
`;

type SubmitFlags = {
  repos: string;
  maxCost?: string;
  maxTime?: string;
  maxTokens?: string;
  json?: boolean;
};

type ListFlags = { json?: boolean };

export function addFleetCommand(program: Command): void {
  const fleet = program
    .command('fleet')
    .description('ask and change many repositories, on the machines of your team');
  addFamilyExamples(fleet, examples);
  addSubmitFlags(fleet.command('ask <question...>'), 'ask each repository a question').action(
    async (words: string[], flags: SubmitFlags) =>
      await submit({ kind: 'ask', question: words.join(' ') }, flags),
  );
  addSubmitFlags(
    fleet.command('run <tool> [input...]'),
    'run a tool, or a script (.js), in a copy of each repository',
  )
    .option('--external', 'let it do what cannot be taken back; such a job is never repeated')
    .action(
      async (tool: string, words: string[], flags: SubmitFlags & { external?: boolean }) =>
        await submit(await workOf(tool, words, flags.external === true), flags),
    );
  addSubmitFlags(fleet.command('index'), 'have workers index each repository').action(
    async (flags: SubmitFlags) => await submit({ kind: 'index' }, flags),
  );
  fleet
    .command('status [run]')
    .description('how far the newest runs are, or one')
    .option('--json', 'one run a line')
    .action((run: string | undefined, flags: ListFlags) =>
      withFleet(async (commands) => {
        const listed = await commands.status(run);
        printEach(listed, flags, statusText, 'no run was queued yet');
      }),
    );
  fleet
    .command('results [run]')
    .description('what each repository answered; of the newest run by default')
    .option('--json', 'one repository a line')
    .action((run: string | undefined, flags: ListFlags) =>
      withFleet((commands) => showResults(commands, run, flags)),
    );
  fleet
    .command('diff [run]')
    .description('the changes of a run, as git writes them')
    .action((run: string | undefined) => withFleet((commands) => showPatches(commands, run)));
  fleet
    .command('apply [run]')
    .description('make a branch with the change in each of your repositories')
    .option('--patches <dir>', 'write the changes as files into this folder')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'one repository a line')
    .action((run: string | undefined, flags: ListFlags & { patches?: string; yes?: boolean }) =>
      withFleet((commands) => applyPatches(commands, run, flags)),
    );
  fleet
    .command('undo <run>')
    .description('take back the branches and files that apply made')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'one repository a line')
    .action((run: string, flags: ListFlags & { yes?: boolean }) =>
      withFleet((commands) => undoPatches(commands, run, flags)),
    );
  fleet
    .command('cancel <run>')
    .description('take back the jobs that have not ended')
    .action((run: string) =>
      withFleet(async (commands) => {
        print(`took back ${counted(await commands.cancel(run), 'job')} of ${run}`);
      }),
    );
  fleet
    .command('login')
    .description('keep the password of the database, typed or from standard input')
    .action(() =>
      withFleet(async (commands, signal) => {
        const password = await readHidden('Password of the database (not shown): ', signal);
        note(`kept in ${await commands.keepPassword(password)}`);
      }),
    );
}

function addSubmitFlags(command: Command, description: string): Command {
  return command
    .description(description)
    .requiredOption('--repos <file>', 'one folder or git address a line')
    .option('--max-cost <dollars>', 'what all repositories together may cost, e.g. 5')
    .option('--max-time <time>', 'how long the run may take, e.g. 90s or 2h')
    .option('--max-tokens <tokens>', 'tokens that all repositories together may take')
    .option('--json', 'the queued run as one object');
}

async function withFleet(
  work: (commands: FleetCommands, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  using interrupt = listenForInterrupt();
  const { openFleetCommands } = await import('../kernel/fleet/fleet-commands.ts');
  await using commands = openFleetCommands({ signal: interrupt.signal });
  await work(commands, interrupt.signal);
}

async function workOf(
  tool: string,
  words: readonly string[],
  external: boolean,
): Promise<FleetWork> {
  if (!/\.[cm]?js$/.test(tool))
    return {
      kind: 'run',
      tool,
      input: await readInput(tool, words, async () => undefined),
      external,
    };
  const [given, ...more] = words;
  if (more.length > 0)
    throw new KernelError('invalid-argument', `a script takes one input, not ${words.length}`, {
      hint: 'Give one JSON, @FILE or text behind the script.',
    });
  return { kind: 'run', tool: 'script.run', input: await readScript(tool, given), external };
}

async function submit(work: FleetWork, flags: SubmitFlags): Promise<void> {
  const list = withTypedPath(flags.repos, (path) => readFileSync(path, 'utf8'));
  const limits = modelOptions(flags);
  const { maxTokens: tokens, maxUsd: usd, maxDurationMs: durationMs } = limits;
  await withFleet(async (commands) => {
    const text = { list, base: resolve(dirname(flags.repos)) };
    const queued = await commands.submit(work, text, { tokens, usd, durationMs });
    printOne(queued, flags, `queued ${queued.run}: ${counted(queued.jobs, 'job')}`);
    if (!flags.json) note(`see how far it is with: cuervo fleet status ${queued.run}`);
  });
}

const barWidth = 20;

function statusText(status: FleetStatus): string {
  const { run, kind, about, jobs, waiting, running, ok, failed, unknown, canceled } = status;
  const ended = ok + failed + unknown + canceled;
  const full = jobs === 0 ? barWidth : Math.floor((ended / jobs) * barWidth);
  const bar = `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`;
  const counts = Object.entries({ ok, failed, unknown, canceled, running, waiting })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`);
  const more = [
    ...(status.changed > 0 ? [`${status.changed} changed`] : []),
    ...(status.perMinute > 0 ? [`${status.perMinute} a minute`] : []),
    ...(status.tokens > 0 ? [`${status.tokens} tokens`, `$${status.usd.toFixed(2)}`] : []),
  ];
  const failures = Object.entries(status.failures).map(([code, count]) => `\n  ${count} ${code}`);
  const age = ageText(Date.now() - status.queuedMs);
  return [
    `${run}  ${bar} ${ended} of ${jobs}  ${[...counts, ...more].join(', ')}`,
    `\n  ${kind}: ${oneLine(about)} (${age})`,
    ...failures,
  ].join('');
}

async function showResults(
  commands: FleetCommands,
  run: string | undefined,
  flags: ListFlags,
): Promise<void> {
  const rows: FleetResult[] = [];
  for await (const result of await commands.results(run)) {
    if (flags.json) printJson(result);
    else rows.push(result);
  }
  if (flags.json) return;
  if (rows.length === 0) note('no job of this run has ended yet');
  else
    print(
      gridText(
        ['repository', 'outcome', 'where', 'answer'],
        rows.map((row) => [
          oneLine(row.repository.split('/').slice(-2).join('/')),
          row.patch === undefined ? row.outcome : `${row.outcome}, changed`,
          oneLine(row.evidence[0] ?? ''),
          oneLine(row.summary),
        ]),
        {
          numbers: [false, false, false, false],
          columns: terminalColumns() ?? Number.POSITIVE_INFINITY,
          head: (text) => text,
        },
      ),
    );
}
