import { closeSync, constants, openSync } from 'node:fs';
import { KernelError } from '../../contracts/error.ts';
import { engineFlags, permissionFlags } from './engine-flags.ts';
import { firstInherited, type Launch, type ProcessPlace } from './tier.ts';

/**
 * A process without a sandbox of the operating system: its roots are descriptors that are
 * opened here and inherited.
 *
 * @throws {KernelError} `not-found`, `invalid-argument` for a root that cannot be opened
 */
export function launchPlain({ bundle, roots }: ProcessPlace): Launch {
  const descriptors: number[] = [];
  try {
    for (const path of Object.values(roots)) descriptors.push(openRoot(path));
  } catch (thrown) {
    for (const descriptor of descriptors) closeSync(descriptor);
    throw thrown;
  }
  const names = Object.keys(roots);
  return {
    tier: 'process',
    program: process.execPath,
    args: [...engineFlags, ...permissionFlags(bundle, names.length), bundle],
    inherited: descriptors,
    roots: Object.fromEntries(names.map((name, index) => [name, firstInherited + index])),
  };
}

/**
 * The caller closes it.
 *
 * @throws {KernelError} `not-found`, `invalid-argument`
 */
export function openRoot(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    const message = `the folder ${path} cannot be opened: ${code}`;
    throw new KernelError(code === 'ENOENT' ? 'not-found' : 'invalid-argument', message, {
      cause: thrown,
      hint: 'Name an existing folder with --workspace DIR.',
    });
  }
}
