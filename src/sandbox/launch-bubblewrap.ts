import { constants, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { toBytes } from '../lib/files/raw-fs.ts';
import { lockDownFile } from './closed-flags.ts';
import { engineFlags, permissionFlags } from './engine-flags.ts';
import { maskedPaths } from './masked-paths.ts';
import { holdBytes } from './nameless-file.ts';
import { procMounts } from './proc-mounts.ts';
import { programFiles, wantsLockDown } from './program-files.ts';
import { firstInherited, type Launch, type ProcessPlace } from './tier.ts';

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
    ...['--hostname', 'plugin'],
    ...procMounts(),
    ...wrap.libraries.flatMap((library) => ['--ro-bind', library, library]),
    ...['--ro-bind', process.execPath, node],
    ...(wrap.filter === undefined ? [] : ['--seccomp', inherit(wrap.filter)]),
  ];
}
