import { KernelError } from '../../contracts/error.ts';

/** The system's errors on a path, as the end of a sentence. */
const words: Readonly<Record<string, string>> = {
  ELOOP: 'leads back to itself through links',
  ENAMETOOLONG: 'has a name that is longer than the system takes',
  EACCES: 'cannot be read by you',
  EPERM: 'cannot be read by you',
};

/**
 * Looks at a path that a person typed: what the system refuses there is about what was typed, and
 * not about where cuervo keeps its files.
 *
 * @throws {KernelError} `invalid-argument` for a path that cannot be followed or may not be read;
 *   other errors pass
 */
export function withTypedPath<Value>(path: string, look: (path: string) => Value): Value {
  try {
    return look(path);
  } catch (thrown) {
    const what = words[(thrown as NodeJS.ErrnoException).code ?? ''];
    if (what === undefined) throw thrown;
    throw new KernelError('invalid-argument', `${path} ${what}`, {
      cause: thrown,
      hint: 'Name another path, or correct it.',
    });
  }
}
