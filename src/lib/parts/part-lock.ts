import { KernelError } from '../../contracts/error.ts';
import { sha256 } from '../sha256.ts';
import { didYouMean } from '../text/did-you-mean.ts';
import lock from './part-lock.json' with { type: 'json' };
import { type PartName, partNames, parts, type System, systemText } from './parts.ts';

export type LockedPackage = {
  /** as the registry names it */
  name: string;
  version: string;
  /** below the folder of the part: `node_modules/esbuild` */
  place: string;
  /** `sha512-…`, of the tarball */
  integrity: string;
  /** of the tarball */
  bytes: number;
  /** of its files */
  unpackedBytes: number;
  os?: string[];
  cpu?: string[];
  libc?: string[];
};

/** A part as it is for one system. */
export type PartLock = {
  part: PartName;
  /** name of its folder below `CUERVO_HOME/packages`: `node@` and 16 hex digits */
  folder: string;
  packages: readonly LockedPackage[];
  downloadBytes: number;
  unpackedBytes: number;
};

export type PartLocks = Readonly<Record<string, readonly LockedPackage[]>>;

/** Native code that these parts bring has no build for musl. */
const withoutMusl: Partial<Record<PartName, string>> = {
  sentence: 'there is no build of the ONNX runtime for musl',
  gpu: 'there is no build of llama.cpp for musl',
  node: 'there is no build of Node for musl on the npm registry',
};

/** @throws {KernelError} `invalid-argument` for any other word */
export function checkPartName(name: string): PartName {
  const found = partNames.find((each) => each === name);
  if (found !== undefined) return found;
  throw new KernelError(
    'invalid-argument',
    `there is no part "${name}"${didYouMean(name, partNames)}`,
    {
      hint: `The parts are ${partNames.join(', ')}; see: cuervo add --list`,
    },
  );
}

/**
 * The packages of a part on a system, or the reason for none.
 *
 * @param locks of all systems; those that ship unless a test has others
 */
export function findPartLock(
  part: PartName,
  system: System,
  locks: PartLocks = lock.parts as PartLocks,
): PartLock | { refused: string } {
  const refused = system.libc === 'musl' ? withoutMusl[part] : undefined;
  if (refused !== undefined) return { refused };
  if (part === 'musl' && system.libc !== 'musl')
    return { refused: `this system (${systemText(system)}) needs no build for musl` };
  const packages = (locks[part] ?? []).filter((each) => isFor(each, system));
  const { natives, lacks = [] } = parts[part];
  const found = packages.filter(({ os }) => os !== undefined).length;
  if (found < natives || packages.length === 0 || lacks.includes(systemText(system)))
    return { refused: `there is no build for this system (${systemText(system)})` };
  const digest = sha256(JSON.stringify(packages.map(({ place, integrity }) => [place, integrity])));
  const sum = (of: (each: LockedPackage) => number): number =>
    packages.reduce((total, each) => total + of(each), 0);
  return {
    part,
    folder: `${part}@${digest.slice(0, 16)}`,
    packages,
    downloadBytes: sum(({ bytes }) => bytes),
    unpackedBytes: sum(({ unpackedBytes }) => unpackedBytes),
  };
}

/** @throws {KernelError} `unavailable` where there is none for this system */
export function partLock(part: PartName, system: System, locks?: PartLocks): PartLock {
  const found = findPartLock(part, system, locks);
  if (!('refused' in found)) return found;
  throw new KernelError('unavailable', `${part} cannot be added: ${found.refused}`, {
    hint: 'See what can be added here: cuervo add --list',
  });
}

/** As npm reads `os`, `cpu` and `libc` of a package. */
function isFor(
  each: Pick<LockedPackage, 'os' | 'cpu' | 'libc'>,
  { os, cpu, libc }: System,
): boolean {
  const fits = (list: readonly string[] | undefined, value: string | undefined): boolean =>
    list === undefined || value === undefined || list.includes(value);
  return fits(each.os, os) && fits(each.cpu, cpu) && fits(each.libc, libc);
}
