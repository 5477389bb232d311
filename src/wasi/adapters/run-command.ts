import type { WasiImports, WasiOutcome } from '../create-wasi-imports.ts';
import { ExitError } from '../exit-error.ts';
import { unsavedError } from '../unsaved-error.ts';
import { logOutput, type OutputLog } from './log-output.ts';
import { InputMismatch } from './to-guest.ts';
import { isGuestError, ToolFailure } from './tool-failure.ts';

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
): { content: string; summary: string } {
  const { wasi, program, log } = options;
  const { args, stdin } = parseCommandInput(input);
  const { outcome, exitCode } = runToEnd(run, {
    wasi,
    log,
    args: [program, ...args],
    stdin: Buffer.from(stdin),
  });
  const { probed } = outcome;
  const also = exitCode === 0 || probed === undefined ? '' : `; it looked for more: ${probed}`;
  return {
    content: resultText(outcome, exitCode, options.maxBytes),
    summary: `exit ${exitCode}, ${outcome.stdout.length} bytes of output${also}`,
  };
}

/**
 * One session of WASI around a program.
 *
 * @throws what the program trapped with, and why one that ended by itself has no result
 */
export function runToEnd(
  run: () => unknown,
  options: { wasi: WasiImports; log: OutputLog; args: string[]; stdin: Uint8Array },
): { outcome: WasiOutcome; exitCode: number } {
  const { wasi, log, args, stdin } = options;
  wasi.begin({ args, stdin });
  let returned = 0;
  let fault: { thrown: unknown } | undefined;
  try {
    run();
  } catch (thrown) {
    // Glue throws the `error` of `run` with a payload of its own, of nothing.
    if (isGuestError(thrown)) returned = 1;
    else fault = { thrown };
  }
  // An exit arrives as a fault, too; a trap is what no exit explains.
  const isEnd = fault === undefined || fault.thrown instanceof ExitError;
  const outcome = isEnd ? wasi.finish() : wasi.discard();
  const { exitCode = returned } = outcome;
  const failure = isEnd ? failureOf(outcome, exitCode) : withLastWords(fault?.thrown, outcome);
  if (failure !== undefined) {
    logOutput(log, 'info', outcome.stdout);
    logOutput(log, 'warn', outcome.stderr);
    throw failure;
  }
  return { outcome, exitCode };
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
export function lastWords({ stdout, stderr }: Pick<LastWords, 'stdout' | 'stderr'>): string {
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
