import { KernelError, reasonOf } from '../contracts/error.ts';

const maxReasonCharacters = 160;

/**
 * What LanceDB threw, as one sentence that names the folder. Its messages carry causes of causes
 * and source lines of its own; the first words are what a person can use.
 */
export function toMemoryError(thrown: unknown, directory: string): KernelError {
  if (thrown instanceof KernelError) return thrown;
  const message = reasonOf(thrown);
  if (/No space left|StorageFull|code: 28\b|File too large|code: 27\b/i.test(message)) {
    return new KernelError(
      'resource-exhausted',
      `the memory in ${directory} cannot grow: the disk is full`,
      {
        cause: thrown,
        hint: 'free some space; what was remembered is safe in cuervo.db and moves over later',
      },
    );
  }
  if (/Permission denied|PermissionDenied|EACCES|Read-only file system|EROFS/i.test(message)) {
    return new KernelError(
      'unavailable',
      `the memory in ${directory} is not accessible to this user`,
      {
        cause: thrown,
        hint: 'make the folder readable and writable, or set CUERVO_HOME to a folder that is',
      },
    );
  }
  if (/timeout after|timed out/i.test(message)) {
    return new KernelError('unavailable', `the memory in ${directory} did not answer in time`, {
      cause: thrown,
      hint: 'Try again when the machine is less busy; nothing is damaged.',
    });
  }
  const reason = message
    .split(/\n|, \/|\s+Caused by/)[0]!
    .trim()
    .slice(0, maxReasonCharacters);
  return new KernelError('unavailable', `the memory in ${directory} cannot be used: ${reason}`, {
    cause: thrown,
    hint: 'rebuild the tables from cuervo.db: cuervo memory rebuild',
  });
}
