import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { maxGivenBytes, maxQuestionLength, questionTooLong } from '../contracts/events.ts';
import type { KernelOptions } from '../kernel.ts';
import { readAll } from '../lib/files/read-file.ts';
import { truncateMiddle } from '../lib/text/truncate-middle.ts';
import { createAnswerView } from './answer-view.ts';
import { asksForHelp, isSmallTalk } from './asks-for-help.ts';
import { listenForInterrupt } from './interrupt.ts';
import {
  addCommonFlags,
  addDryRunFlag,
  addRecordFlag,
  type CommonFlags,
  kernelOptions,
} from './kernel-options.ts';
import { owePlan, oweWork } from './lost-output.ts';
import { afterCommand, openKernel } from './open-kernel.ts';
import { noteLine, printJson } from './output.ts';
import { startProgress } from './progress.ts';
import { showDryRun } from './show-diffs.ts';
import { terminalColumns } from './style.ts';

const examples = `
Examples:
  cuervo ask "where is the retry limit set, and who reads it?"
  cuervo ask "list the test files in src"
  cuervo ask "remember that releases happen on Thursdays"
  cuervo ask --model ./model.gguf "how are plugins loaded?"
  cuervo ask --model claude-sonnet-4-5 "how are plugins loaded?"   (ANTHROPIC_API_KEY)
  cuervo ask --model ollama/qwen3:4b --max-time 5m "fix the failing test"
  cuervo ask -c "go on"                                (the newest session, with all it knows)
  cuervo ask -c "and who calls it?"
  cuervo ask --as history "sessions.py"
  git diff | cuervo ask "which limits does this change?" -          (text behind the question)
  cuervo ask - < question.txt                                      (question from standard input)

Without a model the answer is the best passages of the workspace, with path and lines.
`;

const whatItDoes = `This is cuervo, an agent for the command line. Ask it about the files of this folder:
  cuervo ask "what is this project?"          its README and layout
  cuervo ask "where is NAME defined?"         a definition, and who uses it
  cuervo ask "what changed last week?"        commits
  cuervo ask "show the last 5 lines of FILE"  lines of a file
  cuervo ask "remember that …"                kept in mind
A model can also change files and run programs: cuervo model
One tool by itself: cuervo run TOOL; the tools: cuervo tools
All commands: cuervo --help; all kinds of questions: docs/ask.md
`;

export type AskFlags = CommonFlags &
  ModelFlags & {
    continue?: boolean;
    as?: string;
    why?: boolean;
    strict?: boolean;
    /** of `session resume` */
    session?: string;
    /** of `do` */
    skill?: string;
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
    .option('--as <kind>', 'read the question as this kind, e.g. definition or history')
    .option('--strict', 'exit 4 where a part of the question is left out')
    .option('--why', 'say of each passage why it is there')
    .addHelpText('after', examples);
  addRecordFlag(addDryRunFlag(addCommonFlags(command))).action(
    async (words: string[], flags: AskFlags) => {
      const asked = await questionFrom(words, flags);
      const isHelp = !flags.json && asksForHelp(asked.question);
      if (isHelp && !(await isForModel(asked.question, flags))) process.stdout.write(whatItDoes);
      else await ask(asked, flags);
    },
  );
}

/** A greeting, where a model is in use. */
async function isForModel(question: string, flags: AskFlags): Promise<boolean> {
  if (!isSmallTalk(question)) return false;
  using progress = startProgress(false);
  const options = { ...kernelOptions(flags, progress), ...modelOptions(flags) };
  await using kernel = await openKernel(options);
  return (await kernel.modelName()) !== 'none';
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
export function modelOptions(
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

export async function ask(
  { question, given, isTyped = false }: Asked,
  flags: AskFlags,
): Promise<void> {
  oweWork();
  using interrupt = listenForInterrupt();
  using progress = startProgress(!flags.quiet && !flags.json);
  const options = { ...kernelOptions(flags, progress), ...modelOptions(flags) };
  await using kernel = await openKernel(options);
  const columns = terminalColumns();
  const events = kernel.ask(question, {
    signal: interrupt.signal,
    continueSession: flags.continue ?? false,
    ...(flags.session === undefined ? {} : { session: flags.session }),
    ...(flags.as === undefined ? {} : { as: flags.as }),
    ...(flags.skill === undefined ? {} : { skill: flags.skill }),
    isExplained: flags.why ?? false,
    isStrict: flags.strict ?? false,
    isTyped,
    ...(columns === undefined || flags.json ? {} : { columns }),
    ...(given === undefined ? {} : { given }),
  });
  const view = createAnswerView(question, progress, flags);
  let run: string | undefined;
  for await (const event of events) {
    if (event.type === 'plan') owePlan(event);
    if (flags.json) printJson(event);
    else await view.show(event);
    if (event.type === 'run-finished') process.exitCode = event.exitCode;
    run = event.run ?? run;
  }
  progress.clear();
  if (flags.dryRun) await showDryRun(kernel, run, flags);
  await afterCommand(kernel, { signal: interrupt.signal, quiet: flags.quiet });
  const { indexInBackground } = await import('./index-in-background.ts');
  await indexInBackground(kernel, { quiet: flags.quiet });
}

/** Far above the limit of a question: the error for a question just above it names its length. */
const maxReadCharacters = 32 * maxQuestionLength;

/** @property isTyped the question stood on the command line */
export type Asked = { question: string; given?: string; isTyped?: boolean };

/** A `-` alone is the question on standard input; else what stands there is the text it is about. */
async function questionFrom(
  words: readonly string[],
  { quiet = false }: { quiet?: boolean },
): Promise<Asked> {
  const isTyped = true;
  const isNamed = words.at(-1) === '-';
  const question = (isNamed ? words.slice(0, -1) : words).join(' ');
  if (question.trim() !== '' || !isNamed) {
    const tooLong = () =>
      new KernelError('invalid-argument', `standard input has more than ${maxGivenBytes} bytes`, {
        hint: 'Put it into a file of the workspace and ask about the file.',
      });
    if (isNamed)
      return {
        ...{ question, isTyped },
        given: (await readAll(process.stdin, maxGivenBytes, tooLong)).toString(),
      };
    const piped = await readPiped(maxGivenBytes, tooLong);
    if (piped === 'silent' && !quiet)
      noteLine('note: standard input is open and silent; a - behind the question waits for it');
    return typeof piped === 'string'
      ? { question, isTyped }
      : { question, isTyped, given: piped.text };
  }
  const tooLong = () => questionTooLong(`more than ${maxReadCharacters} characters`);
  // No character of UTF-8 takes more than three bytes, as JavaScript counts characters.
  const text = (await readAll(process.stdin, 3 * maxReadCharacters, tooLong)).toString();
  const isCut = text.length > maxQuestionLength && text.trim().includes('\n');
  if (isCut)
    noteLine(`note: the middle of the ${text.length} characters on standard input is left out`);
  return { question: isCut ? truncateMiddle(text, maxQuestionLength) : text };
}

/** A pipe that says nothing for this long is one that a parent keeps, and no text. */
const patienceMs = 200;

/**
 * The text on standard input where nobody said that there is one: a regular file, or what a pipe or
 * socket begins with in time, to its end. Terminals and devices are not read.
 *
 * @param tooLong makes what is thrown when there is more than `maxBytes`
 * @returns `silent` where an open pipe says nothing
 */
async function readPiped(
  maxBytes: number,
  tooLong: () => Error,
): Promise<{ text: string } | 'none' | 'silent'> {
  const kind = kindOfInput();
  if (kind === 'none') return 'none';
  const { stdin } = process;
  if (kind === 'pipe' && !(await begins(stdin))) {
    // It would keep the process.
    stdin.destroy();
    return 'silent';
  }
  const text = (await readAll(stdin, maxBytes, tooLong)).toString();
  return text.trim() === '' ? 'none' : { text };
}

/** @returns true also at its end */
async function begins(stdin: NodeJS.ReadStream): Promise<boolean> {
  try {
    await once(stdin, 'readable', { signal: AbortSignal.timeout(patienceMs) });
    return true;
  } catch {
    // The time may be over before a busy process has looked.
    await nextTurn();
    return stdin.readableLength > 0 || stdin.readableEnded;
  }
}

function kindOfInput(): 'file' | 'pipe' | 'none' {
  try {
    const input = fstatSync(0);
    if (input.isFile()) return 'file';
    return input.isFIFO() || input.isSocket() ? 'pipe' : 'none';
  } catch {
    // It is closed.
    return 'none';
  }
}
