import { checkHome } from '../config/check-home.ts';
import { KernelError } from '../contracts/error.ts';
import { makeFolder } from '../lib/files/folders.ts';

/**
 * Makes `CUERVO_HOME`, readable to its owner alone.
 *
 * @throws {KernelError} `unavailable` when it cannot be written, `invalid-argument` when others can
 */
export function openHome(home: string): void {
  try {
    makeFolder(home);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new KernelError('unavailable', `the folder ${home} cannot be made: ${code}`, {
      cause: thrown,
      hint: 'Choose a folder you can write to: CUERVO_HOME=DIR cuervo …',
    });
  }
  // Somebody else may have been faster than this process where everybody writes.
  checkHome(home);
}
