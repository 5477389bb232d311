import { type Command, Option } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { KeptOutput } from '../contracts/kept-outputs.ts';
import type { ReplayedStep, ReplayReport } from '../contracts/output/parse-journal.ts';
import type { OutputCommands } from '../kernel/changes/create-changes.ts';
import { ageText, counted } from '../lib/text/amounts.ts';
import { shortenText } from '../lib/text/columns.ts';
import { escapeTerminal } from '../lib/text/escape.ts';
import { guardLine } from './call-lines.ts';
import { addFamilyExamples } from './command-families.ts';
import { listenForInterrupt } from './interrupt.ts';
import { parseCount } from './memory-options.ts';
import { openKernel, openKernelFor } from './open-kernel.ts';
import { note, noteLine, oneLine, print, printEach, printJson, printOne } from './output.ts';
import { runText, runWords } from './run-line.ts';
import { showDiffs } from './show-diffs.ts';

const examples = `
Examples:
  cuervo runs list               what ran here, newest first, and how it ended
  cuervo runs show ID            what one of them did, step by step
  cuervo runs replay ID          its tools again, against what the host answered then
  cuervo runs replay --last 5 --plugin my.wasm     would this version do the same?
  cuervo runs export ID --chrome > trace.json      its time, for ui.perfetto.dev
  cuervo runs blame src/a.ts     which runs wrote its lines
  cuervo undo --list             runs that changed files
  cuervo runs diff ID            what one of them did to each file
  cuervo runs guard ID           what was kept from its model, escaped or flagged
  cuervo runs output ID s1       the whole of a long output of one of its programs
`;

type Flags = { workspace?: string };
type ListFlags = Flags & { limit: number; json?: boolean };

export function addRunsCommand(program: Command): void {
  const runs = program.command('runs').description('what earlier runs did');
  addFamilyExamples(runs, examples);
  runs
    .command('list')
    .description('runs of the workspace, newest first')
    .option('-w, --workspace <dir>', 'the folder the runs worked in')
    .option('--limit <n>', 'at most this many', parseCount, 50)
    .option('--json', 'one object a line')
    .action(list);
  runs
    .command('show <run>')
    .description('what a run did, event by event')
    .option('-w, --workspace <dir>', 'the folder the run worked in')
    .option('--json', 'one event a line, with all that is recorded')
    .action(show);
  runs
    .command('replay [run]')
    .description('run the tools of a run again on the recorded answers of the host, and compare')
    .option('--last <n>', 'the newest runs instead of one', parseCount)
    .option('--plugin <what>', 'its steps alone, by another version: FILE, NAME or NAME@VERSION')
    .addOption(
      new Option(
        '--model',
        'its rounds, by the recorded replies of the model: are the calls the same?',
      ).conflicts('plugin'),
    )
    .option('--json', 'one object, with --last one a line')
    .action(replay);
  runs
    .command('export <run>')
    .description('print a run for other programs: its events, or its time as a trace')
    .option('--json', 'its events, one a line (default)')
    .addOption(new Option('--chrome', 'a trace for Chrome and Perfetto').conflicts('json'))
    .addOption(
      new Option('--otlp', 'a trace for OpenTelemetry, as JSON').conflicts(['json', 'chrome']),
    )
    .option('--words', 'in a trace, also the question and what calls were about')
    .action(exportRun);
  runs
    .command('blame <path>')
    .description('which run, and which question, wrote the lines of a file')
    .option('-w, --workspace <dir>', 'the folder the runs worked in')
    .option('--json', 'one object a line')
    .action(blame);
  runs
    .command('diff <run>')
    .description('what a run changed, as a unified diff')
    .option('-w, --workspace <dir>', 'the folder the run worked in')
    .action(diff);
  runs
    .command('guard <run>')
    .description('show what the checkpoints around the model did in a run')
    .option('-w, --workspace <dir>', 'the folder the run worked in')
    .option('--json', 'one object a line')
    .action(guard);
  runs
    .command('output <id> [step]')
    .description('the full text of a long output, by its id or the id of its run')
    .option('-w, --workspace <dir>', 'the folder the run worked in')
    .option('--errors', 'what it printed to standard error')
    .action(output);
}

async function guard(run: string, flags: Flags & { json?: boolean }): Promise<void> {
  await using kernel = await openKernelFor(flags);
  const rows = await kernel.guardRows(run);
  for (const row of rows) {
    printOne({ type: 'guard', ...row }, flags, `${row.point.padEnd(12)}  ${guardLine(row)}`);
  }
  if (rows.length === 0 && !flags.json) print('no checkpoint found anything');
}

async function output(
  run: string,
  step: string | undefined,
  flags: Flags & { errors?: boolean },
): Promise<void> {
  await using kernel = await openKernelFor(flags);
  await showOutput(kernel.outputs, { run, step, errors: flags.errors === true });
}

async function list(flags: ListFlags): Promise<void> {
  await using kernel = await openKernelFor(flags);
  const rows = await kernel.undo.allRuns(flags.limit);
  printEach(rows, flags, (row) => runText(row, row.status), 'nothing ran in this workspace');
}

async function show(start: string, flags: Flags & { json?: boolean }): Promise<void> {
  const { eventText } = await import('./event-text.ts');
  await using kernel = await openKernelFor(flags);
  const run = await kernel.journal.find(start);
  const events = await kernel.journal.events(run.id);
  if (!flags.json) print(oneLine(`${run.id}  ${runWords(run)}`));
  printEach(events, flags, (event) => eventText(event, run.startedMs));
}

type ReplayFlags = { last?: number; plugin?: string; model?: boolean; json?: boolean };

async function replay(start: string | undefined, flags: ReplayFlags): Promise<void> {
  const { last, plugin, model } = flags;
  if ((start === undefined) === (last === undefined) || (model && start === undefined))
    throw new KernelError(
      'invalid-argument',
      model ? '--model takes one run' : 'name one run, or how many with --last',
      {
        hint: 'See what ran here with: cuervo runs list',
      },
    );
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const isFile = plugin !== undefined && isFileName(plugin);
  const own = isFile ? { plugins: [plugin] } : {};
  await using kernel = await openKernel({ onWarning: noteLine, ...own });
  const { journal } = kernel;
  const [tried] = kernel.plugins.tried();
  const stand =
    plugin === undefined
      ? undefined
      : isFile && tried !== undefined
        ? { plugin: tried.name }
        : await journal.standFor(plugin, { signal });
  if (flags.model === true && start !== undefined) {
    const report = await journal.replayModel(await journal.find(start), { signal });
    if (!report.alike) process.exitCode = 1;
    printOne(report, flags, () => modelReplayText(report));
    return;
  }
  const runs =
    start === undefined
      ? await journal.replayable(stand?.plugin, last ?? 0)
      : [(await journal.find(start)).id];
  for (const run of runs) {
    const report = await journal.replay(run, { stand, signal });
    if (!report.alike) process.exitCode = 1;
    printOne(report, flags, () => replayText(report));
  }
  if (runs.length === 0 && !flags.json)
    print(`no run called a tool of ${stand?.plugin ?? 'a plugin'}`);
}

/** A version after an `@` may have dots, too. */
const isFileName = (text: string): boolean => /[/\\]|\.wasm$|^[^@]*\./.test(text);

type ExportFlags = { chrome?: boolean; otlp?: boolean; words?: boolean };

async function exportRun(start: string, { chrome, otlp, words }: ExportFlags): Promise<void> {
  await using kernel = await openKernel();
  const run = await kernel.journal.find(start);
  if (chrome !== true && otlp !== true) {
    for (const event of await kernel.journal.events(run.id)) printJson(event);
    return;
  }
  const form = chrome === true ? 'chrome' : 'otlp';
  printJson(await kernel.journal.trace(run, form, { withWords: words === true }));
}

async function blame(path: string, flags: Flags & { json?: boolean }): Promise<void> {
  await using kernel = await openKernelFor(flags);
  const lines = await kernel.journal.blame(path);
  printEach(lines, flags, ({ line, endLine, run, ts = 0, isSure, command = '', question = '' }) => {
    const place = `${line === endLine ? line : `${line}-${endLine}`}`.padEnd(10);
    if (run === undefined) return `${place}  no run`;
    const age = ageText(Date.now() - ts).padEnd(12);
    return `${place}  ${run}  ${age}  ${runWords({ command, question })}${isSure ? '' : '  (or something else since)'}`;
  });
}

async function diff(run: string, flags: Flags): Promise<void> {
  await using kernel = await openKernelFor(flags);
  const isDry = kernel.apply.runs().some((row) => row.run.startsWith(run));
  await showDiffs(await (isDry ? kernel.apply : kernel.undo).diff(run), 'stdout');
}

/**
 * Prints the one output that is meant; says which there are where several could be. A terminal is
 * shown what it would obey as visible escapes, a file gets the bytes.
 */
export async function showOutput(
  outputs: OutputCommands,
  chosen: { /** of a run or an output */ run: string; step: string | undefined; errors: boolean },
): Promise<void> {
  const { run, step, errors } = chosen;
  const all = await outputs.list(run);
  const stream = errors ? 'stderr' : 'stdout';
  const ofStep = all.filter((each) => step === undefined || each.step === step);
  const meant = ofStep.filter((each) => each.stream === stream);
  // Standard output is not the requested errors.
  const [only] = meant.length > 0 || errors ? meant : ofStep;
  const place = step === undefined ? `"${run}"` : `step "${step}" of run "${run}"`;
  const other = ofStep.at(-1);
  if (only === undefined && other !== undefined) {
    throw new KernelError('not-found', `no long standard error of ${place} is kept`, {
      hint: `Its standard output is: cuervo runs output ${other.run} ${other.step}`,
    });
  }
  if (only === undefined) {
    throw new KernelError('not-found', `no long output of ${place} is kept`, {
      hint: 'Outputs below 48 KiB are in the result itself; see the runs with: cuervo runs list',
    });
  }
  // A step of several programs has several; the last one is what its result ends with.
  const last = meant.at(-1) ?? only;
  for (const each of ofStep) if (each !== last) note(`also kept: ${describeOutput(each)}`);
  note(describeOutput(last));
  const bytes = outputs.read(last);
  process.stdout.write(
    process.stdout.isTTY ? escapeTerminal(new TextDecoder().decode(bytes)) : bytes,
  );
}

function describeOutput({ run, step, program, stream, bytes, isCut }: KeptOutput): string {
  const cut = isCut ? ', the rest was not kept' : '';
  const flag = stream === 'stderr' ? ' --errors' : '';
  return `${oneLine(program)}, ${bytes} bytes${cut}: cuervo runs output ${run} ${step}${flag}`;
}

/** Characters of a value; all of it is in `--json`. */
const maxValue = 120;

/** A replay for a person: a line for each step, and below it what differs. */
function replayText({ run, alike, startMs = 0, steps }: ReplayReport): string {
  const ids = new Set(
    steps.flatMap(({ step, recordedMs }) => (recordedMs === undefined ? [] : [step])),
  );
  let now = 0;
  let then = 0;
  for (const { step, recordedMs = 0, replayedMs = 0 } of steps) {
    now += replayedMs;
    // What a tool called, as `s1.2` below `s1`, was part of its time.
    if (!ids.has(step.split('.').slice(0, -1).join('.'))) then += recordedMs;
  }
  const took = `${now} ms now, after ${startMs} ms to start plugins; ${then} ms then`;
  if (steps.length === 0) return `${run}: it called no tool of a plugin`;
  const end = alike ? 'every step came to the same' : 'not every step came to the same';
  return [...steps.map(stepText), `${run}: ${end} (${took})`].join('\n');
}

/** The same of a model's rounds. */
function modelReplayText({ run, alike, steps }: ReplayReport): string {
  if (steps.length === 0) return `${run}: its model called no tool, then and now`;
  const end = alike ? 'the model would call the same' : 'the model would not call the same';
  return [...steps.map(stepText), `${run}: ${end}`].join('\n');
}

function stepText({ step, tool, outcome, calls, differences, why }: ReplayedStep): string {
  const made = calls === 0 ? '' : `, ${counted(calls, 'host call')}`;
  const head = `${step.padEnd(4)}  ${outcome.padEnd(12)}  ${tool}${made}`;
  const lines = differences.map(
    ({ at, field, recorded, replayed }) =>
      `      ${at}, ${oneLine(field)}: then ${shown(recorded)}, now ${shown(replayed)}`,
  );
  return [why === undefined ? head : `${head}: ${oneLine(why)}`, ...lines].join('\n');
}

function shown(value: unknown): string {
  return value === null ? 'nothing' : shortenText(oneLine(JSON.stringify(value)), maxValue);
}
