import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { KernelError } from '../contracts/error.ts';
import type { AskPassphrase } from '../contracts/secrets.ts';
import { readAll } from '../lib/files/read-file.ts';
import { holdNotes } from './output.ts';

let last: Promise<unknown> = Promise.resolve();

/** One question at a time: the next one waits for the answer. */
export async function serializeQuestions<Value>(ask: () => Promise<Value>): Promise<Value> {
  const mine = last.then(ask, ask);
  last = mine;
  return await mine;
}

/**
 * Asks a person on standard error; any answer but `y` or `yes` is no.
 *
 * @param otherwise the outcome without a yes, e.g. `nothing was undone`
 * @throws {KernelError} `canceled` without a yes; `invalid-argument` without a terminal
 */
export async function confirm(question: string, otherwise: string): Promise<void> {
  requireTerminal(
    new KernelError('invalid-argument', 'cuervo has to ask first, and there is no terminal', {
      hint: 'Answer on the command line: --yes',
    }),
  );
  const { signal } = new AbortController();
  if (!(await isAgreed(question, signal).catch(() => false)))
    throw new KernelError('canceled', otherwise);
}

/** @throws {KernelError} `otherwise`, where nobody can be asked */
export function requireTerminal(otherwise: KernelError): void {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) throw otherwise;
}

/** Asks at a terminal. @returns true for `y` and `yes` alone */
export async function isAgreed(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/n] `, { signal })).trim());
  } finally {
    lines.close();
  }
}

/** More than any secret has. */
const maxBytes = 64 * 1024;

/**
 * Reads one line without showing it: typed at a terminal, or else all of standard input without the
 * line end.
 *
 * @throws {KernelError} `canceled` when the person gave up
 */
export async function readHidden(question: string, signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY) return await typeHidden(question, signal);
  const bytes = await readAll(process.stdin, maxBytes, () => {
    const message = `standard input holds more than ${maxBytes} bytes`;
    return new KernelError('invalid-argument', message, { hint: 'Give the secret alone.' });
  });
  return bytes.toString('utf8').replace(/\r?\n$/, '');
}

/** @throws {KernelError} `canceled` */
async function typeHidden(question: string, signal: AbortSignal): Promise<string> {
  // A terminal in raw mode echoes nothing; the output of readline is dropped.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: nowhere,
    terminal: true,
    historySize: 0,
  });
  // Only now: who sees the question may type at once.
  process.stderr.write(question);
  const gaveUp = new AbortController();
  for (const event of ['SIGINT', 'close'] as const) lines.once(event, () => gaveUp.abort());
  try {
    return await lines.question('', { signal: AbortSignal.any([signal, gaveUp.signal]) });
  } catch (thrown) {
    throw new KernelError('canceled', 'nothing was typed', { cause: thrown });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

const questions = {
  new: 'New passphrase for your secrets, 8 characters or more (not shown): ',
  known: 'Passphrase of your secrets (not shown): ',
};

/** @returns undefined without a terminal on both ends, where nobody can be asked */
export function createAskPassphrase(): AskPassphrase | undefined {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  return (what, { signal }) =>
    serializeQuestions(async () => {
      using _held = holdNotes();
      const typed = await typeHidden(questions[what], signal);
      if (what === 'known' || typed === (await typeHidden('Type it again: ', signal))) return typed;
      throw new KernelError('invalid-argument', 'the two passphrases differ', {
        hint: 'Nothing was saved; run the command again.',
      });
    });
}
