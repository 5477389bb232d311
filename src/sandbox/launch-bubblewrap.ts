import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { toBytes } from '../lib/files/raw-fs.ts';
import { engineFlags, lockDownFile, permissionFlags } from './engine-flags.ts';
import { maskedPaths, procMounts } from './masked-paths.ts';
import {
  firstInherited,
  type Launch,
  type ProcessPlace,
  programFiles,
  wantsLockDown,
} from './plugin-sandbox.ts';

/** O_TMPFILE without the O_DIRECTORY that it is used with; the same on every Linux. */
const withoutName = 0o20000000;
/** In memory, so that no byte of it reaches a disk. */
const folder = '/dev/shm';

/** Two descriptors of a file without a name, which goes when both are closed. */
export type NamelessFile = {
  writing: number;
  /** reads from the beginning, and cannot write */
  reading: number;
};

/** Undefined where the system has no such files. */
export function openNameless(): NamelessFile | undefined {
  if (process.platform !== 'linux') return undefined;
  let writing: number | undefined;
  try {
    // Without the right to write it cannot be opened again for writing through /proc.
    writing = openSync(folder, constants.O_DIRECTORY | withoutName | constants.O_RDWR, 0o400);
    return { writing, reading: openSync(`/proc/self/fd/${writing}`, constants.O_RDONLY) };
  } catch {
    if (writing !== undefined) closeSync(writing);
    return undefined;
  }
}

/** @throws of the system, as when it is full */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength; )
    at += writeSync(descriptor, bytes, at, bytes.byteLength - at);
}

/**
 * Puts bytes into a file and returns its descriptor, to be inherited and then closed. With a pipe
 * the child would wait for its end as long as the kernel is busy.
 *
 * @returns the bytes where such a file is not possible; then a pipe carries them
 */
export function holdBytes<Bytes extends Uint8Array>(bytes: Bytes): number | Bytes {
  const file = openNameless();
  if (file === undefined) return bytes;
  try {
    writeAll(file.writing, bytes);
    return file.reading;
  } catch {
    closeSync(file.reading);
    return bytes;
  } finally {
    closeSync(file.writing);
  }
}

/** Settings of Linux that forbid user namespaces, each with the value that permits them. */
const settings: readonly { name: string; forbids: string; permits: string }[] = [
  { name: 'user.max_user_namespaces', forbids: '0', permits: '15000' },
  { name: 'kernel.unprivileged_userns_clone', forbids: '0', permits: '1' },
  { name: 'kernel.apparmor_restrict_unprivileged_userns', forbids: '1', permits: '0' },
];

/**
 * The advice where bubblewrap may not make a user namespace: the settings that forbid it, or, where
 * none does, that the container around cuervo has to permit it.
 *
 * @param read the value of a setting, undefined where this kernel has no such setting
 */
export function permitNamespaces(read: (name: string) => string | undefined = sysctl): string {
  const forbidding = settings.filter(({ name, forbids }) => read(name) === forbids);
  if (forbidding.length > 0) {
    return `sudo sysctl -w ${forbidding.map(({ name, permits }) => `${name}=${permits}`).join(' ')}`;
  }
  return 'permit user namespaces in the container or sandbox that cuervo runs in; this says why not: bwrap --unshare-all --ro-bind / / true';
}

function sysctl(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll('.', '/')}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Facts that are found once per system and hold for every process. */
export type Bubblewrap = {
  /** absolute path of `bwrap` */
  program: string;
  /** absolute paths of what Node cannot start without */
  libraries: readonly string[];
  /** see `seccompFilter()` */
  filter: Buffer | undefined;
};

/** Node, as the process sees it. */
export const node = '/node';

/**
 * A process that sees nothing of the machine but Node, its libraries, the bundle and the
 * granted roots, all of it read-only, in namespaces of its own. The roots are bound, and
 * opened by the process itself: from a descriptor that is opened outside, `openat` with `..`
 * leads out of a namespace.
 *
 * @throws {KernelError} for a root that cannot be opened
 */
export function launchBubblewrap(wrap: Bubblewrap, place: ProcessPlace): Launch {
  const { stem, endings } = programFiles(place.bundle);
  const program = endings.map((ending) => `/program${ending}`);
  const lock = wantsLockDown(place.bundle) ? ['/lock-down.cjs'] : [];
  const inherited: (number | Buffer)[] = [];
  const inherit = (what: number | Buffer): string => {
    inherited.push(typeof what === 'number' ? what : holdBytes(what));
    return String(firstInherited + inherited.length - 1);
  };
  const roots: Record<string, string> = {};
  const mounts: string[] = [];
  for (const [name, folder] of Object.entries(place.roots)) {
    const inside = `/roots/${Object.keys(roots).length}`;
    roots[name] = inside;
    mounts.push('--ro-bind', folder, inside);
    for (const { path, kind } of maskedPaths(name, folder, place.withheld)) {
      const covered = `${inside}/${path}`;
      if (kind === 'folder') mounts.push('--tmpfs', covered, '--remount-ro', covered);
      else mounts.push('--ro-bind-data', inherit(openSync(devNull, constants.O_RDONLY)), covered);
    }
  }
  const options = [
    ...confinement(wrap, inherit),
    ...mounts,
    ...endings.flatMap((ending) => ['--ro-bind', stem + ending, `/program${ending}`]),
    ...lock.flatMap((path) => ['--ro-bind', lockDownFile(), path]),
    ...['--remount-ro', '/', '--chdir', '/'],
  ];
  const args = [
    // The host's mounts; in arguments all processes of the sandbox could read them.
    ...['--args', inherit(toBytes(`${options.join('\0')}\0`)), '--', node],
    ...engineFlags,
    ...permissionFlags([...program, ...lock], Object.keys(roots).length),
    ...Object.values(roots).map((path) => `--allow-fs-read=${path}`),
    ...lock.flatMap((path) => ['--require', path]),
    ...program.slice(0, 1),
  ];
  return { tier: 'os', program: wrap.program, args, inherited, roots, way: 'descriptor' };
}

/**
 * Arguments that run Node in the sandbox and nothing else: when this works, plugin processes do.
 */
export function probeArguments(wrap: Bubblewrap): string[] {
  // The probe inherits nothing, so it is without the filter.
  const bare = { ...wrap, filter: undefined };
  const args = confinement(bare, () => '');
  return [...args, '--remount-ro', '/', '--chdir', '/', '--', node, '--version'];
}

/** Settings of every sandbox for Node. */
export function confinement(wrap: Bubblewrap, inherit: (what: Buffer) => string): string[] {
  return [
    '--unshare-all',
    // With it all processes in the namespace end when bwrap is killed, and when the kernel is:
    // the first of them is bwrap's own, and what runs inside cannot keep it from that.
    '--die-with-parent',
    '--clearenv',
    ...['--cap-drop', 'ALL'],
    // Root reads its files whatever their mode is, here as outside, and others' as anybody does: the
    // capability counts in the namespace alone.
    ...(process.getuid?.() === 0 ? ['--cap-add', 'CAP_DAC_READ_SEARCH'] : []),
    ...['--hostname', 'plugin'],
    ...procMounts(),
    ...wrap.libraries.flatMap((library) => ['--ro-bind', library, library]),
    ...['--ro-bind', process.execPath, node],
    ...(wrap.filter === undefined ? [] : ['--seccomp', inherit(wrap.filter)]),
  ];
}
