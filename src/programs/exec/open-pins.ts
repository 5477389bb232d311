import { closeSync, fstatSync } from 'node:fs';
import { ServiceError } from '../../contracts/host-service.ts';
import { showRaw } from '../../lib/files/raw-fs.ts';
import {
  closeName,
  directoryFlags,
  openName,
  openRoot,
  placeFlags,
} from '../../paths/open-name.ts';

/** Open descriptors of what is to be mounted. */
export type Pins = Disposable & {
  /** in the order of their numbers in bubblewrap */
  descriptors: readonly number[];
  /** see `BwrapPlan` */
  pin(folder: string, path: string): number;
};

/**
 * Holds what a survey saw: by plain names from the root on, and past no link. A name may be
 * swapped for a link before bubblewrap looks it up, which would mount what it leads to.
 *
 * @param first number in bubblewrap of the first one
 */
export function openPins(first: number): Pins {
  const descriptors: number[] = [];
  return {
    descriptors,
    pin: (folder, path) => {
      descriptors.push(open(folder, path));
      return first + descriptors.length - 1;
    },
    [Symbol.dispose]: () => {
      for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
    },
  };
}

function open(folder: string, path: string): number {
  try {
    const names = path.split('/').filter(Boolean);
    let at = openRoot(folder);
    for (const [index, name] of names.entries()) {
      const above = at;
      try {
        at = openName(above, name, index < names.length - 1 ? directoryFlags : placeFlags);
      } finally {
        closeName(above);
      }
    }
    if (isPlain(at)) return at;
    closeName(at);
  } catch {
    // It is missing, or a link by now.
  }
  const what = path === '' ? 'the root' : JSON.stringify(showRaw(path));
  throw new ServiceError('io', `${what} was replaced while a program started; call it again`);
}

/** A link is opened as itself. */
function isPlain(descriptor: number): boolean {
  const stats = fstatSync(descriptor);
  return stats.isFile() || stats.isDirectory();
}
