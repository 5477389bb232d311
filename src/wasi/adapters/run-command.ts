import { type HostErrorCase, isObject, type ToolErrorCase } from '../../contracts/tool.ts';
import { parseExactJson } from '../../lib/text/parse-json.ts';
import type { WasiImports, WasiOutcome } from '../create-wasi-imports.ts';
import { ExitError } from '../resource.ts';
import type { CallResult } from './call-function.ts';
import { InputMismatch } from './guest-values.ts';
import { afterStreams, isGuestError, settled, ToolFailure } from './settled.ts';

const cases: Readonly<Record<HostErrorCase, ToolErrorCase>> = {
  denied: 'denied',
  'not-found': 'not-found',
  invalid: 'invalid-input',
  limit: 'limit',
  timeout: 'timeout',
  conflict: 'conflict',
  io: 'failed',
};

/** A call whose guest believes that it wrote what is not on the disk did not succeed. */
export function unsavedError(lost: WasiOutcome['lost']): ToolFailure | undefined {
  const [first] = lost;
  if (first === undefined) return undefined;
  return new ToolFailure(cases[first.tag], `not saved: ${lost.map(({ val }) => val).join('; ')}`);
}

/** Characters of one call's output in the log: what is above its limit is dropped without a word. */
const maxCharacters = 16_384;
/** Bytes that the log's limit counts for a line beside its text. */
const lineCost = 16;

/** Takes what a guest wrote, for people. */
export type OutputLog = (level: 'info' | 'warn', text: string) => void;

/**
 * The output of a guest before its call failed, line by line: the error has no room for all of it.
 */
export function logOutput(log: OutputLog, level: 'info' | 'warn', bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString('utf8').trimEnd();
  if (text === '') return;
  const lines = text.split(/\r?\n/);
  let left = maxCharacters;
  for (const [index, line] of lines.entries()) {
    left -= line.length + lineCost;
    if (left < 0) {
      log(level, `… ${lines.length - index} more lines are left out`);
      return;
    }
    log(level, line);
  }
}

/** Characters of an output that explain a trap, and how many of them are its first. */
const maxLastWords = 200;
const maxFirstWords = 80;

/**
 * Calls `wasi:cli/run`. That a program ends with a code other than 0 is a result, not an error:
 * whoever called knows what the code means, and its output says why. After a denial, or where
 * something it wrote was not saved, it is an error, and its output goes to the log. A path that
 * was refused for where it leads or what it is called is not a reason when the program went on and
 * read: it only looked whether there is something, as linters do for their settings.
 *
 * @param input `{args?: string[], stdin?: any}`; a stdin that is not a string is sent as JSON
 * @param options.maxBytes of the result; standard output is cut to fit
 * @returns `content` is `{stdout, stderr, exitCode, truncated?}` as JSON
 */
export function runCommand(
  run: () => unknown,
  input: unknown,
  options: { wasi: WasiImports; program: string; maxBytes: number; log: OutputLog },
): CallResult {
  const { wasi, program, log } = options;
  const { args, stdin } = parseCommandInput(input);
  const session = { wasi, log, args: [program, ...args], stdin: Buffer.from(stdin) };
  return runToEnd(run, session, (outcome, exitCode) => {
    const { probed } = outcome;
    const also = exitCode === 0 || probed === undefined ? '' : `; it looked for more: ${probed}`;
    return {
      content: resultText(outcome, exitCode, options.maxBytes),
      summary: `exit ${exitCode}, ${outcome.stdout.length} bytes of output${also}`,
    };
  });
}

/**
 * One session of WASI around a program.
 *
 * @throws what the program trapped with, and why one that ended by itself has no result
 */
function runToEnd(
  run: () => unknown,
  options: { wasi: WasiImports; log: OutputLog; args: string[]; stdin: Uint8Array },
  ended: (outcome: WasiOutcome, exitCode: number) => { content: string; summary: string },
): CallResult {
  const { wasi, log, args, stdin } = options;
  wasi.begin({ args, stdin });
  const end = (returned: number, fault?: { thrown: unknown }) => {
    // An exit arrives as a fault, too; a trap is what no exit explains.
    const isEnd = fault === undefined || fault.thrown instanceof ExitError;
    const outcome = isEnd ? wasi.finish() : wasi.discard();
    const { exitCode = returned } = outcome;
    const failure = isEnd ? failureOf(outcome, exitCode) : withLastWords(fault.thrown, outcome);
    if (failure === undefined) return ended(outcome, exitCode);
    logOutput(log, 'info', outcome.stdout);
    logOutput(log, 'warn', outcome.stderr);
    throw failure;
  };
  return settled(run, {
    value: () => afterStreams(wasi, () => end(0)),
    // Glue throws the `error` of `run` with a payload of its own, of nothing.
    error: (thrown) =>
      afterStreams(wasi, () => (isGuestError(thrown) ? end(1) : end(0, { thrown }))),
  });
}

/** Why a program that ended by itself has no result. */
function failureOf(outcome: WasiOutcome, exitCode: number): unknown {
  const unsaved = unsavedError(outcome.lost);
  if (exitCode === 0 || (unsaved !== undefined && unsaved.payload.tag !== 'limit')) return unsaved;
  const { probed, denied, ...rest } = outcome;
  const reasons = probed === undefined ? outcome : rest;
  return refusalOf(reasons, `the program ended with exit code ${exitCode}`) ?? unsaved;
}

/**
 * A guest that ended by itself, with a failure, after it was denied something or reached a limit: the
 * grant, or the limit, is what is to be looked at.
 */
function refusalOf(outcome: LastWords, how: string): ToolFailure | undefined {
  const { denied, limited } = outcome;
  const reason = denied ?? limited;
  if (reason === undefined) return undefined;
  const words = lastWords(outcome);
  return new ToolFailure(
    denied === undefined ? 'limit' : 'denied',
    `${reason}; ${how}${words === '' ? '' : ` and wrote: ${words}`}`,
  );
}

type LastWords = Pick<WasiOutcome, 'stdout' | 'stderr' | 'denied' | 'limited'>;

/** Both ends: toolchains put the message before the stack or after it. */
function lastWords({ stdout, stderr }: Pick<LastWords, 'stdout' | 'stderr'>): string {
  const said = (bytes: Uint8Array): string =>
    Buffer.from(bytes).toString('utf8').trim().replace(/\s+/g, ' ');
  const words = said(stderr) || said(stdout);
  if (words.length <= maxLastWords) return words;
  const first = words.slice(0, maxFirstWords);
  return `${first} … ${words.slice(maxFirstWords + 3 - maxLastWords)}`.toWellFormed();
}

/** The error that a function gave, or what it was denied, or which limit it reached, before. */
export function withReason(thrown: ToolFailure, outcome: LastWords): ToolFailure {
  return refusalOf(outcome, `it failed with: ${thrown.payload.val}`) ?? thrown;
}

/** The message of the preview 1 adapter when its state was written over. */
const adapterFailure = /assertion failed at adapter line \d+/;
const adapterReason =
  'the module of WASI preview 1 uses all memory and leaves none for its adapter: build it as a component';

/**
 * A trap says `unreachable`; what the guest was denied before, or wrote, may say why. It stays a
 * trap: only the guest knows whether it had got over the denial.
 */
export function withLastWords(thrown: unknown, outcome: LastWords): unknown {
  if (!(thrown instanceof Error) || thrown instanceof ToolFailure) return thrown;
  const { denied, limited } = outcome;
  const words = lastWords(outcome);
  const told = [
    thrown.message,
    ...(denied === undefined ? [] : [`before that it was denied: ${denied}`]),
    ...(limited === undefined ? [] : [`before that it reached a limit: ${limited}`]),
    ...(words === '' ? [] : [`it wrote: ${words}`]),
    ...(adapterFailure.test(words) ? [adapterReason] : []),
  ];
  if (told.length === 1) return thrown;
  const error = new Error(told.join('; '), { cause: thrown });
  error.name = thrown.name;
  return error;
}

function parseCommandInput(input: unknown): { args: string[]; stdin: string } {
  const { args = [], stdin = '', ...rest } = input as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw new InputMismatch(
      `the input has "${unknown.slice(0, 100)}", but it takes only args, stdin`,
    );
  }
  if (!Array.isArray(args) || !args.every((each) => typeof each === 'string')) {
    throw new InputMismatch('args is not a list of strings');
  }
  return { args, stdin: typeof stdin === 'string' ? stdin : JSON.stringify(stdin) };
}

function resultText(outcome: WasiOutcome, exitCode: number, maxBytes: number): string {
  let stdout = Buffer.from(outcome.stdout).toString('utf8');
  const stderr = Buffer.from(outcome.stderr).toString('utf8');
  let truncated = outcome.overflow === undefined ? {} : { truncated: true };
  for (;;) {
    const text = JSON.stringify({ stdout, stderr, exitCode, ...truncated });
    // A hundred bytes are left to the summary. Escaping makes a text longer, so cut and look again.
    if (stdout === '' || Buffer.byteLength(text) <= maxBytes - 100) return text;
    stdout = stdout.slice(0, Math.floor(stdout.length * 0.8)).toWellFormed();
    truncated = { truncated: true };
  }
}

/** Exit codes as the command line has them; any other is a failure, too. */
const caseOf: Readonly<Record<number, ToolErrorCase>> = {
  2: 'invalid-input',
  3: 'denied',
  4: 'not-found',
  5: 'limit',
  7: 'unavailable',
  8: 'conflict',
};

const maxSummary = 120;

/**
 * Calls a program as one of the tools that its manifest names: the tool is its first argument, the
 * input JSON on standard input. With exit code 0 it answered JSON on standard output, either
 * `{"content": …, "summary": "…"}` or the content alone. Any other code is an error, and what it
 * wrote to standard error is the reason; what it wrote there otherwise goes to the log.
 */
export function runProgramTool(
  run: () => unknown,
  { tool, input }: { tool: string; input: string },
  options: { wasi: WasiImports; program: string; log: OutputLog },
): CallResult {
  const { wasi, log, program } = options;
  const session = { wasi, log, args: [program, tool], stdin: Buffer.from(input) };
  return runToEnd(run, session, (outcome, exitCode) => {
    if (outcome.overflow !== undefined) throw new ToolFailure('limit', outcome.overflow);
    if (exitCode !== 0) {
      const words = lastWords(outcome) || `the program ended with exit code ${exitCode}`;
      throw new ToolFailure(caseOf[exitCode] ?? 'failed', words);
    }
    logOutput(log, 'info', outcome.stderr);
    return readAnswer(Buffer.from(outcome.stdout).toString('utf8').trim());
  });
}

function readAnswer(text: string): { content: string; summary: string } {
  if (text === '') {
    throw new ToolFailure(
      'failed',
      'it ended with exit code 0 and wrote no answer: it has to write JSON to standard output',
    );
  }
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    const begin = text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
    throw new ToolFailure(
      'failed',
      `it answered with something that is not JSON: ${JSON.stringify(begin)}`,
    );
  }
  const { content, summary, ...others }: Record<string, unknown> = isObject(value) ? value : {};
  if (content !== undefined && typeof summary === 'string' && Object.keys(others).length === 0) {
    return { content: contentText(content), summary };
  }
  const shown = typeof value === 'string' ? value : text;
  return { content: shown, summary: summaryOf(shown) };
}

/** Digits of large numbers stay: the text is written again from what was read exactly. */
function contentText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function summaryOf(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= maxSummary ? line : `${line.slice(0, maxSummary - 1).toWellFormed()}…`;
}
