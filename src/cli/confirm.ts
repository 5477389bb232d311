import { createInterface } from 'node:readline/promises';
import { KernelError } from '../contracts/error.ts';

/**
 * Asks a person on standard error; any answer but `y` or `yes` is no.
 *
 * @param otherwise the outcome without a yes, e.g. `nothing was undone`
 * @throws {KernelError} `canceled` without a yes; `invalid-argument` without a terminal
 */
export async function confirm(question: string, otherwise: string): Promise<void> {
  if (!(await isAgreed(question))) throw new KernelError('canceled', otherwise);
}

async function isAgreed(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) {
    throw new KernelError('invalid-argument', 'cuervo has to ask first, and there is no terminal', {
      hint: 'Answer on the command line: --yes',
    });
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/n] `)).trim());
  } catch {
    return false;
  } finally {
    lines.close();
  }
}
