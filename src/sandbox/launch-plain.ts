import { closeSync, constants, openSync, realpathSync } from 'node:fs';
import { KernelError } from '../contracts/error.ts';
import type { Way } from '../paths/open-name.ts';
import { engineFlags, lockDownFile, permissionFlags } from './engine-flags.ts';
import {
  firstInherited,
  type Launch,
  type ProcessPlace,
  programFiles,
  wantsLockDown,
} from './plugin-sandbox.ts';

/**
 * A process without a sandbox of the operating system. Where names are reached by descriptor, its
 * roots are opened here and inherited; elsewhere it is told their paths, and may read these.
 *
 * @throws {KernelError} `not-found`, `invalid-argument` for a root that cannot be opened
 */
export function launchPlain(place: ProcessPlace, way: Way): Launch {
  return way === 'descriptor' ? launchInheriting(place) : launchByPath(place);
}

function launchInheriting({ bundle, roots }: ProcessPlace): Launch {
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
    args: [
      ...engineFlags,
      ...permissionFlags(filesOf(bundle), names.length),
      ...lockDownFlags(bundle),
      bundle,
    ],
    inherited: descriptors,
    roots: Object.fromEntries(names.map((name, index) => [name, firstInherited + index])),
    way: 'descriptor',
  };
}

function launchByPath({ bundle, roots }: ProcessPlace): Launch {
  const real = Object.entries(roots).map(([name, folder]) => [name, realFolder(folder)] as const);
  return {
    tier: 'process',
    program: process.execPath,
    args: [
      ...engineFlags,
      ...permissionFlags(filesOf(bundle), 0),
      ...real.map(([, path]) => `--allow-fs-read=${path}`),
      ...lockDownFlags(bundle),
      bundle,
    ],
    inherited: [],
    roots: Object.fromEntries(real),
    way: 'path',
  };
}

function filesOf(bundle: string): string[] {
  const { stem, endings } = programFiles(bundle);
  const lock = wantsLockDown(bundle) ? [lockDownFile()] : [];
  return [...endings.map((ending) => stem + ending), ...lock];
}

function lockDownFlags(bundle: string): string[] {
  return wantsLockDown(bundle) ? ['--require', lockDownFile()] : [];
}

/** The path as the process, which may read nothing above it, can open it. */
function realFolder(folder: string): string {
  closeSync(openRoot(folder));
  const path = realpathSync(folder);
  if (!path.includes('*')) return path;
  const message = `the folder ${path} cannot be given to a plugin: Node takes "*" in a path that may be read for anything`;
  throw new KernelError('invalid-argument', message, {
    hint: 'Rename the folder, or name another one with --workspace DIR.',
  });
}

/**
 * The caller closes it.
 *
 * @throws {KernelError} `not-found`, `invalid-argument`
 */
function openRoot(path: string): number {
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
