import { exitCodes, type KernelError } from '../contracts/error.ts';
import type { Added } from '../contracts/output/parse-memory.ts';
import { errorBody } from '../kernel/run-events.ts';
import { wrapText } from '../lib/text/columns.ts';
import { escapeJson, escapeLine, escapeTerminal } from '../lib/text/escape.ts';
import { terminalColumns } from './style.ts';

export const takeLineAway = '\r\u001b[K';

/** Notes that may wait; logs of guests would otherwise grow without a limit. */
const maxHeld = 1000;

/** Answers and results: for a terminal with visible escapes, for a file or a program as they are. */
export function print(text: string): void {
  process.stdout.write(`${process.stdout.isTTY ? escapeTerminal(text) : text}\n`);
}

/**
 * Prints words in lines that fit the terminal; in a pipe they stay one line.
 *
 * @param first what stands before them; other lines are indented as far
 */
export function printWrapped(first: string, text: string): void {
  print(wrapped(first, text));
}

/** What `printWrapped` prints, for a list that is printed at once: each print takes a system call. */
export function wrapped(first: string, text: string): string {
  const columns = terminalColumns();
  return columns === undefined ? first + text : wrapText(first, text, columns).join('\n');
}

/** Notes that wait until a question is answered; undefined while none is asked. */
let held: string[] | undefined;

/** Whether the line that tells of progress stands on the terminal. */
let isProgressShown = false;

export function setProgressShown(shown: boolean): void {
  isProgressShown = shown;
}

/** Whether words of an answer stand on a line that has not ended. */
let isLineOpen = false;

/** On a terminal that shows both, a note stands on a line of its own. */
function endOpenLine(): string {
  if (!isLineOpen || !process.stdout.isTTY || !process.stderr.isTTY) return '';
  isLineOpen = false;
  return '\n';
}

/** Everything else: progress, warnings, what to do next. Nothing in it is obeyed by a terminal. */
export function note(text: string): void {
  if (held === undefined)
    process.stderr.write(
      `${isProgressShown ? takeLineAway : endOpenLine()}${escapeTerminal(text)}\n`,
    );
  else if (held.length < maxHeld) held.push(text);
}

let isQuietNow = false;

/** `-q`: no warnings and no progress. */
export function setQuiet(): void {
  isQuietNow = true;
}

export function isQuiet(): boolean {
  return isQuietNow;
}

/** A warning that names what strangers named, on one line. */
export function noteLine(text: string): void {
  if (!isQuietNow) note(oneLine(text));
}

/** While a question stands on the terminal nothing else is written there; it comes afterwards. */
export function holdNotes(): Disposable {
  held = [];
  // The line that tells of progress may stand there.
  process.stderr.write(takeLineAway);
  return {
    [Symbol.dispose]: () => {
      const waiting = held ?? [];
      held = undefined;
      for (const text of waiting) note(text);
    },
  };
}

/** Whether a question stands on the terminal. */
export function areNotesHeld(): boolean {
  return held !== undefined;
}

export function printJson(value: unknown): void {
  process.stdout.write(`${escapeJson(JSON.stringify(value))}\n`);
}

/** One thing: as JSON for a program, as a text for a person. */
export function printOne(
  thing: unknown,
  flags: { json?: boolean | undefined },
  text: string | (() => string),
): void {
  if (flags.json) printJson(thing);
  else print(typeof text === 'string' ? text : text());
}

/**
 * Each thing of a list, as `printOne`.
 *
 * @param nothing a note to a person where the list is empty
 */
export function printEach<Each>(
  things: readonly Each[],
  flags: { json?: boolean | undefined },
  textOf: (each: Each) => string,
  nothing?: string,
): void {
  for (const each of things) printOne(each, flags, () => textOf(each));
  if (things.length === 0 && !flags.json && nothing !== undefined) note(nothing);
}

/**
 * An account in parts: the name of each part beside its first line. A part without lines is left out.
 *
 * @param of.maxRows of a part; all are in `--json`
 */
export function partLines(
  parts: readonly (readonly [name: string, lines: readonly string[]])[],
  { width, maxRows }: { width: number; maxRows: number },
): string[] {
  return parts.flatMap(([name, all]) => {
    const more = all.length - maxRows;
    const shown = more > 0 ? [...all.slice(0, maxRows), `and ${more} more: --json`] : all;
    return shown.map((text, at) => `${(at === 0 ? name : '').padEnd(width)}  ${oneLine(text)}`);
  });
}

/** Tells an error the way a person or a script reads it, and sets the exit code. */
export function fail(error: KernelError, options: { json: boolean }): void {
  process.exitCode = exitCodes[error.code];
  tellError(errorBody(error), options);
}

/** Two lines on standard error: what is wrong, and what to type next. */
export function tellError(
  body: { code: string; message: string; hint: string },
  options: { json: boolean },
): void {
  if (options.json) {
    printJson({ type: 'error', ts: Date.now(), ...body });
    return;
  }
  note(`error: ${oneLine(body.message)}`);
  note(`hint: ${oneLine(body.hint)}`);
}

/** Text of strangers on one line, with nothing in it that a terminal would obey. */
export function oneLine(text: string): string {
  return escapeTerminal(text.replace(/\s*\n\s*/g, ' '));
}

/** Words on standard output as they are said, piece by piece. */
export type SpokenWords = {
  say(text: string): void;
  /** Ends the line that the words stand on, so that nothing is written behind or over them. */
  end(): void;
  /** whether the words stand on a line that has not ended */
  isOpen(): boolean;
};

export function createSpokenWords(): SpokenWords {
  return {
    say: (text) => {
      if (text === '') return;
      process.stdout.write(text);
      isLineOpen = !text.endsWith('\n');
    },
    end: () => {
      if (isLineOpen) process.stdout.write('\n');
      isLineOpen = false;
    },
    isOpen: () => isLineOpen,
  };
}

/** Names what could not be read: `left out 2 that cannot be read: a.txt, locked`. */
export function unreadableLine({
  unreadable,
  unreadablePaths,
}: Pick<Added, 'unreadable' | 'unreadablePaths'>): string {
  const more = unreadable - unreadablePaths.length;
  const names = unreadablePaths.map(escapeLine).join(', ');
  const rest = more > 0 ? ` and ${more} more` : '';
  return `skipped ${unreadable} that cannot be read (no permission, or a name that is not UTF-8 or holds a control character or a backslash): ${names}${rest}`;
}
