import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBelow } from '../../lib/files/paths.ts';
import { isExecutable } from '../../lib/files/read-file.ts';
import type { PathFolder } from '../lookup/path-folder.ts';

/** Folders of programs, in the order of the search; also the PATH of every program. */
export const programFolders: readonly string[] =
  process.platform === 'darwin'
    ? ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']
    : [
        '/usr/local/bin',
        '/usr/bin',
        '/bin',
        '/usr/local/sbin',
        '/usr/sbin',
        '/sbin',
        '/run/current-system/sw/bin',
      ];

/** Folders that hold real programs: those of the system, and none of a user's own. */
const installFolders: readonly string[] = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt'],
  ...['/nix/store', '/gnu/store', '/run/current-system', '/System', '/Library/Developer'],
];

/** A grant's name of a program: without folders, never with a leading hyphen or dot. */
const programName = /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,127}$/;

export type FoundProgram = {
  /** absolute, as found; what a program that looks at its own name expects */
  path: string;
  /** the same, all links resolved */
  real: string;
  /** this user could replace it without the rights of an administrator */
  replaceable: boolean;
  /** of a program that is not the system's */
  own?: OwnProgram;
  /** folders beside those of the system in which it finds programs itself */
  around?: readonly PathFolder[];
};

export type OwnProgram = {
  from: PathFolder['from'];
  /** of the file, hex; it says nothing of what the file loads */
  sha256: string;
  /** where it lies below a granted root; absent outside of all */
  below?: { root: string; path: string };
  /** the workspace holds it under the name of a program of the system */
  standsIn: boolean;
};

/** Whether a text can be the name of a program, without folders. */
export function isProgramName(name: string): boolean {
  return programName.test(name);
}

/** Whether a path lies where a system installs. */
export function isInstalled(path: string): boolean {
  return installFolders.some((each) => isBelow(path, each));
}

export class ProgramRefused extends Error {
  override readonly name = 'ProgramRefused';
  readonly tag: 'invalid' | 'not-found' | 'denied';

  /** for a person: it may name paths, which are no business of a guest */
  readonly hint: string | undefined;

  constructor(tag: 'invalid' | 'not-found' | 'denied', message: string, hint?: string) {
    super(message);
    this.tag = tag;
    this.hint = hint;
  }
}

/**
 * The program of a name on the fixed PATH. A guest cannot give a path, and a file that a guest
 * could have written is never a program: a real file in one of `withheld`, or outside of the
 * system's folders, is refused, whatever leads to it.
 *
 * @param withheld folders that hold no programs: the granted roots, `CUERVO_HOME`
 * @throws {ProgramRefused} `invalid` for text that is not a name, `not-found`, `denied`
 */
export function findProgram(
  name: string,
  withheld: readonly string[],
  folders: readonly string[] = programFolders,
): FoundProgram {
  if (!programName.test(name)) {
    const text = `program ${JSON.stringify(name.slice(0, 200).toWellFormed())} is not a name: programs are named without folders, as in "git"`;
    throw new ProgramRefused('invalid', text);
  }
  for (const folder of folders) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile() || !isExecutable(path)) continue;
    const real = realpathSync(path);
    const installed = folders === programFolders ? installFolders : folders;
    if (withheld.some((each) => isBelow(real, each) || isBelow(path, each))) {
      const text = `program "${name}" is in a folder that a plugin may reach, so cuervo does not run it`;
      throw new ProgramRefused('denied', text);
    }
    if (!installed.some((each) => isBelow(real, each))) {
      const text = `program "${name}" leads outside of the folders that the system installs to`;
      throw new ProgramRefused('denied', text);
    }
    const chain = [real, dirname(real), folder].map((each) => statSync(each));
    return { path, real, replaceable: chain.some(isReplaceable) };
  }
  throw new ProgramRefused('not-found', `program "${name}" is not installed in ${shown(folders)}`);
}

function shown(folders: readonly string[]): string {
  return folders.filter((each) => !each.startsWith('/run/')).join(', ');
}

/** By owner and bits, which are the same for root, who may write everything. */
function isReplaceable(stats: Stats): boolean {
  const byOthers = (stats.mode & 0o002) !== 0 && (stats.mode & 0o1000) === 0;
  const byGroup = (stats.mode & 0o020) !== 0 && stats.gid !== 0;
  return stats.uid !== 0 || byOthers || byGroup;
}
