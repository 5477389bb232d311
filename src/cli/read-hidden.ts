import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { KernelError } from '../contracts/error.ts';
import { readAll } from '../lib/files/read-file.ts';

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
export async function typeHidden(question: string, signal: AbortSignal): Promise<string> {
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
