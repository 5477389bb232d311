import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { EventOf, RunEvent } from '../contracts/events.ts';
import { maxGivenBytes, maxQuestionLength, questionTooLong } from '../contracts/question.ts';
import type { KernelOptions } from '../kernel.ts';
import { readAll } from '../lib/files/read-all.ts';
import { escapeTerminal } from '../lib/text/escape-terminal.ts';
import { passageText, placeOf } from '../lib/text/passage-text.ts';
import { afterCommand } from './after-command.ts';
import { createCallLines, spentText } from './call-lines.ts';
import { tellGuard } from './guard-line.ts';
import { listenForInterrupt } from './interrupt.ts';
import {
  addCommonFlags,
  addDryRunFlag,
  type CommonFlags,
  kernelOptions,
} from './kernel-options.ts';
import { owePlan, oweWork } from './lost-output.ts';
import { noteLine, printJson, tellError } from './output.ts';
import { type Progress, startProgress } from './progress.ts';
import { showDryRun } from './show-dry-run.ts';
import { createSpokenWords, type SpokenWords } from './spoken-words.ts';
import { bold, diffLine, pathStyle, terminalColumns } from './style.ts';

const examples = `
Examples:
  cuervo ask "where is the retry limit set, and who reads it?"
  cuervo ask "list the test files in src"
  cuervo ask "remember that releases happen on Thursdays"
  cuervo ask --model ./model.gguf "how are plugins loaded?"
  cuervo ask --model claude-sonnet-4-5 "how are plugins loaded?"   (ANTHROPIC_API_KEY)
  cuervo ask --model ollama/qwen3:4b --max-time 5m "fix the failing test"
  cuervo ask -c "go on"                                (the newest session, with all it knows)
  git diff | cuervo ask "which limits does this change?" -          (text behind the question)
  cuervo ask - < question.txt                                      (question from standard input)

Without a model the answer is the best passages of the workspace, with path and lines.
`;

type AskFlags = CommonFlags &
  ModelFlags & {
    continue?: boolean;
    /** of `session resume` */
    session?: string;
  };

export type ModelFlags = {
  model?: string;
  modelRole?: string;
  maxCost?: string;
  maxTime?: string;
  maxTokens?: string;
};

export function addAskCommand(program: Command): void {
  const command = addModelFlags(
    program
      .command('ask <question...>')
      .description('answer a question about the workspace, with the lines that show it'),
  )
    .option('-c, --continue', 'continue the newest session of this workspace')
    .addHelpText('after', examples);
  addDryRunFlag(addCommonFlags(command)).action(async (words: string[], flags: AskFlags) => {
    await ask(await questionFrom(words), flags);
  });
}

/** Flags of every command that asks a model. */
export function addModelFlags(command: Command): Command {
  return command
    .option(
      '-m, --model <model>',
      'none, a path to a .gguf file, SERVER/NAME, or a name at the provider; see cuervo model',
    )
    .option('--model-role <role>', 'auto, choose (tools) or word (the answer only)')
    .option('--max-cost <dollars>', 'what this question may cost, e.g. 0.25')
    .option('--max-time <time>', 'how long it may take, e.g. 90s or 10m')
    .option('--max-tokens <tokens>', 'tokens that it may take, those out of a cache by their cost');
}

/** Flags of commands that use a model. @throws {KernelError} `invalid-argument` */
function modelOptions(
  flags: ModelFlags,
): Pick<KernelOptions, 'model' | 'modelRole' | 'maxUsd' | 'maxDurationMs' | 'maxTokens'> {
  const { model, modelRole, maxCost, maxTime, maxTokens } = flags;
  if (modelRole !== undefined && !['auto', 'choose', 'word'].includes(modelRole)) {
    throw new KernelError('invalid-argument', `--model-role ${modelRole} is not known`, {
      hint: 'Use --model-role auto, choose or word.',
    });
  }
  return {
    ...(model === undefined ? {} : { model }),
    ...(modelRole === undefined ? {} : { modelRole: modelRole as 'auto' | 'choose' | 'word' }),
    ...(maxCost === undefined
      ? {}
      : { maxUsd: amountOf('--max-cost', maxCost, /^\$?(\d+(?:\.\d+)?)$/) }),
    ...(maxTime === undefined ? {} : { maxDurationMs: durationOf(maxTime) }),
    ...(maxTokens === undefined
      ? {}
      : { maxTokens: amountOf('--max-tokens', maxTokens, /^([1-9]\d{0,11})$/) }),
  };
}

function amountOf(flag: string, text: string, form: RegExp): number {
  const found = form.exec(text)?.[1];
  if (found !== undefined) return Number(found);
  throw new KernelError('invalid-argument', `${flag} ${text} is not an amount`, {
    hint: flag === '--max-cost' ? 'In US dollars: --max-cost 0.25' : 'A number: --max-tokens 50000',
  });
}

function durationOf(text: string): number {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)(s|m|h)?$/.exec(text) ?? [];
  const seconds = Number(amount) * { s: 1, m: 60, h: 3600 }[unit as 's' | 'm' | 'h'];
  if (amount !== undefined && seconds > 0) return seconds * 1000;
  throw new KernelError('invalid-argument', `--max-time ${text} is not a time`, {
    hint: 'In seconds, minutes or hours: --max-time 90s, --max-time 10m',
  });
}

export async function ask({ question, given }: Asked, flags: AskFlags): Promise<void> {
  oweWork();
  using interrupt = listenForInterrupt();
  using progress = startProgress(!flags.quiet && !flags.json);
  const { openKernel } = await import('../kernel.ts');
  const options = { ...kernelOptions(flags, progress), ...modelOptions(flags) };
  await using kernel = await openKernel(options);
  const columns = terminalColumns();
  const events = kernel.ask(question, {
    signal: interrupt.signal,
    continueSession: flags.continue ?? false,
    ...(flags.session === undefined ? {} : { session: flags.session }),
    ...(columns === undefined || flags.json ? {} : { columns }),
    ...(given === undefined ? {} : { given }),
  });
  const words = createSpokenWords();
  const calls = createCallLines(progress);
  let run: string | undefined;
  let withModel = false;
  for await (const event of events) {
    if (event.type === 'run-started') withModel = event.model !== 'none';
    if (event.type === 'plan') owePlan(event);
    if (flags.json) printJson(event);
    else if (event.type === 'guard' && !flags.quiet) tellGuard(event);
    else {
      show(event, question, { progress, words });
      if (withModel && !flags.quiet) calls.tell(event);
      // Without a model, the answer itself says so.
      if (event.type === 'step-finished' && withModel && !flags.quiet) tellDenied(event);
    }
    if (event.type === 'run-finished') process.exitCode = event.exitCode;
    run = event.run ?? run;
  }
  progress.clear();
  if (flags.dryRun) await showDryRun(kernel, run, flags);
  await afterCommand(kernel, { signal: interrupt.signal, quiet: flags.quiet });
}

function show(
  event: RunEvent,
  question: string,
  { progress, words }: { progress: Progress; words: SpokenWords },
): void {
  if (event.type === 'plan' || event.type === 'answer' || event.type === 'error') words.end();
  else if (event.type === 'usage') progress.set(`thinking (${spentText(event.spent)})`);
  if (event.type === 'run-started' && event.model !== 'none') progress.set('thinking');
  else if (event.type === 'step-started') progress.set(event.tool);
  else if (event.type === 'plan' && event.steps.length === 0) progress.set('thinking');
  else if (event.type === 'step-finished') progress.set('thinking');
  else if (event.type === 'text') {
    progress.clear();
    words.say(styled(escapeTerminal(event.delta)));
  } else if (event.type === 'answer') {
    progress.clear();
    if (event.mode === 'model') showEvidence(event, question);
  } else if (event.type === 'error') {
    progress.clear();
    tellError(event, { json: false });
  }
}

/** A model may claim that it did something that was denied. */
function tellDenied({ status, error }: EventOf<'step-finished'>): void {
  if (status !== 'denied' || error === undefined) return;
  const hint = error.hint === undefined ? '' : ` (${error.hint})`;
  noteLine(`note: not done: ${error.message}${hint}`);
}

/** Passages shown in full under a model's words; the others are only named. */
const shownPassages = 3;

/**
 * The evidence for the model's words is always shown, so that a person can spot its inventions.
 */
function showEvidence(answer: EventOf<'answer'>, question: string): void {
  if (answer.evidence.length === 0) return;
  const shown = answer.evidence.slice(0, shownPassages);
  const named = answer.evidence.slice(shownPassages);
  const columns = terminalColumns() ?? Number.POSITIVE_INFINITY;
  const parts = shown.map((piece) => styled(escapeTerminal(passageText(piece, question, columns))));
  if (named.length > 0)
    parts.push(
      `Also:\n${named.map((piece) => `  ${pathStyle(escapeTerminal(placeOf(piece)))}`).join('\n')}`,
    );
  process.stdout.write(`\n${bold('Evidence:')}\n\n${parts.join('\n\n')}\n`);
}

/** Places, marked lines of passages and lines of diffs stand out where the terminal can show it. */
function styled(text: string): string {
  return text.split('\n').map(styledLine).join('\n');
}

function styledLine(line: string): string {
  if (/^> +\d+ /.test(line)) return bold(line);
  if (/^\S.*:\d+(?:-\d+)?$/.test(line)) return pathStyle(line);
  // Results are indented.
  return /^ {2}(?:[+-]|@@|diff --git )/.test(line) ? `  ${diffLine(line.slice(2))}` : line;
}

/** Far above the limit of a question: the error for a question just above it names its length. */
const maxReadCharacters = 32 * maxQuestionLength;

export type Asked = { question: string; given?: string };

/** A `-` alone is the question on standard input; behind a question it is the text it is about. */
async function questionFrom(words: readonly string[]): Promise<Asked> {
  if (words.at(-1) !== '-') return { question: words.join(' ') };
  const question = words.slice(0, -1).join(' ');
  if (question.trim() !== '') {
    const tooLong = () =>
      new KernelError('invalid-argument', `standard input has more than ${maxGivenBytes} bytes`, {
        hint: 'Put it into a file of the workspace and ask about the file.',
      });
    return { question, given: (await readAll(process.stdin, maxGivenBytes, tooLong)).toString() };
  }
  const tooLong = () => questionTooLong(`more than ${maxReadCharacters} characters`);
  // No character of UTF-8 takes more than three bytes, as JavaScript counts characters.
  return { question: (await readAll(process.stdin, 3 * maxReadCharacters, tooLong)).toString() };
}
