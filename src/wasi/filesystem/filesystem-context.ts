import type { BigIntStats } from 'node:fs';
import type { GatedPorts } from '../gate-ports.ts';
import type { ResourceKind } from '../resource.ts';
import type { FileJournal } from './file-journal.ts';
import type { Handle, OpenFiles } from './open-files.ts';
import type { PendingFiles } from './pending-files.ts';
import type { Place, PlaceReach } from './reach-place.ts';

/** Tells files apart while a call runs. */
export type FileIdentities = {
  of(stats: BigIntStats): string;
  /** A file that a guest has open was written anew: the system has it as another one since. */
  follow(identity: string, stats: BigIntStats): void;
  reset(): void;
};

/**
 * Device and inode, as programs expect them: a file stays the same one while it is written. Here
 * each write is a new file under the old name, so its number is followed from one to the next;
 * the old number is free then, and what gets it is not taken for the file that had it.
 */
export function createFileIdentities(): FileIdentities {
  /** number of the system -> identity, where they differ */
  let others = new Map<string, string>();
  /** identity -> number that it has now, where they differ */
  let numbers = new Map<string, string>();
  let freed = 0;
  const numberOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

  return {
    of: (stats) => {
      const number = numberOf(stats);
      return others.get(number) ?? number;
    },
    follow: (identity, stats) => {
      const before = numbers.get(identity) ?? identity;
      freed += 1;
      others.set(before, `${before} ${freed}`);
      others.set(numberOf(stats), identity);
      numbers.set(identity, numberOf(stats));
    },
    reset: () => {
      others = new Map();
      numbers = new Map();
    },
  };
}

/** What the functions of the file system share. */
export type FilesystemContext = {
  ports: GatedPorts;
  reach: PlaceReach;
  journal: FileJournal;
  files: OpenFiles;
  pending: PendingFiles;
  identities: FileIdentities;
  /** Asked of the kernel once for each root in a call. Throws `HostFailure`. */
  requireWritable(place: Place): void;
};

/** A method of `descriptor`, given the state of the descriptor that it is called on. */
export type Run = (handle: Handle, ...args: unknown[]) => unknown;

/**
 * Makes the resource `descriptor` of one version of WASI.
 *
 * @param of methods that only this version has, or has in a form of its own
 * @param errorOf the `error-code` of a code
 */
export type DefineDescriptor = (
  of: (shared: Readonly<Record<string, Run>>) => Record<string, Run>,
  errorOf: (code: unknown) => unknown,
) => ResourceKind<Handle>;
