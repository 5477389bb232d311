import { KernelError } from '../contracts/error.ts';

/**
 * Checks that an id was named: every id begins with the empty text, which is what a variable that is
 * not set becomes in a shell.
 *
 * @param what whose id it is, e.g. `run`
 * @param list the command that shows ids
 * @throws {KernelError} `invalid-argument`
 */
export function checkIdStart(start: string, what: string, list: string): void {
  if (start.trim() !== '') return;
  throw new KernelError('invalid-argument', `the id of the ${what} is empty`, {
    hint: `See ids with: ${list}`,
  });
}
