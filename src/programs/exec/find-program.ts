import { type Dirent, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  foldPath,
  isObeyedPath,
  isProjectFile,
  isStoredContent,
  storeFolders,
} from '../../contracts/protected-names.ts';
import { isBelow } from '../../lib/files/paths.ts';
import { isExecutable } from '../../lib/files/read-file.ts';
import type { yieldToEvents } from '../../lib/turns.ts';
import { isGitDirectory, obeyedOfGit, pointerOfGit } from '../../paths/ignore-rules.ts';

/** A folder in which programs are looked for beside those of the system. */
export type PathFolder = {
  /** absolute and real */
  folder: string;
  from: 'workspace' | 'user';
  /** where it lies below a granted root; absent outside of all */
  below?: { root: string; path: string };
  /** absolute files and folders that its programs load, shown to them read-only */
  reads: readonly string[];
};

type FoundKind =
  | 'alternates'
  | 'file'
  | 'fixed'
  | 'folder'
  | 'link'
  | 'pointer'
  | 'repository'
  | 'store'
  | 'store file'
  | 'store link';
export type Found = {
  path: string;
  kind: FoundKind;
  /** of a folder that git would take for a repository */
  ofGit?: true;
};

export type FoundInFolder = {
  /** names of the subfolders that are gone into */
  below: string[];
  found: Found[];
};

export type Turn = ReturnType<typeof yieldToEvents>;

/** Cheap to ask of every name. */
const mayBeObject = /^(?:[0-9a-f]{38,64}$|pack-)/i;
const storeNames: ReadonlySet<string> = new Set(storeFolders);

/**
 * The entries of a root's folder that programs must not see.
 *
 * @param folder.at path of the folder, relative to the root
 */
export async function findInFolder(
  listed: readonly Dirent[],
  folder: {
    root: string;
    at: string;
    isWithheld: (relativePath: string, root: string) => boolean;
    turn: Turn;
  },
): Promise<FoundInFolder> {
  const { root, at, isWithheld, turn } = folder;
  const folders: string[] = [];
  const found: Found[] = [];
  // Some file systems ignore the case of these names, and git's own names may have any case.
  const names = new Set(listed.map(({ name }) => foldPath(name)));
  const ofGit = isGitDirectory((name) => names.has(name.toLowerCase()));
  const objects = listed.filter(
    (entry) =>
      entry.isFile() && mayBeObject.test(entry.name) && isStoredContent(below(at, entry.name)),
  );
  // Beside which nothing says what they are: objects of another repository.
  if (at === '') found.push(...objects.map(({ name }) => ({ path: name, kind: 'file' as const })));
  else if (objects.length > 0) found.push({ path: at, kind: 'store' });
  // Files of a store belong to it. In a `.git` any name may be content.
  const isStore = isStoredContent(at);
  const mayStore = !isStore && isStoredContent(below(at, 'x'));
  if (names.has('alternates') && /(?:^|\/)info$/i.test(at))
    found.push({ path: `${at}/alternates`, kind: 'alternates' });
  for (const entry of listed) {
    const waits = turn();
    if (waits !== undefined) await waits;
    const path = below(at, entry.name);
    const isFolder = entry.isDirectory();
    if (isWithheld(path, root)) {
      const kind = isFolder ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file';
      found.push({ path, kind });
      continue;
    }
    if (ofGit && obeyedOfGit.has(foldPath(entry.name))) {
      const kind = isFolder ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file';
      found.push({ path, kind, ofGit });
      continue;
    }
    if (ofGit && foldPath(entry.name) === pointerOfGit) found.push({ path, kind: 'pointer' });
    if (!isFolder && !entry.isFile() && !entry.isSymbolicLink()) {
      // Somebody outside listens, also at a name of git.
      found.push({ path, kind: 'file' });
    } else if (isPartOfGit(path)) {
      // A link is not mounted: what it leads to would come along from anywhere.
      found.push({ path, kind: entry.isSymbolicLink() ? 'pointer' : 'repository' });
    } else if (isProjectFile(entry.name)) {
      found.push({ path, kind: entry.isSymbolicLink() ? 'pointer' : 'fixed' });
    }
    if (
      (ofGit && isFolder && storeNames.has(entry.name.toLowerCase())) ||
      ((mayStore || (isFolder && !isStore)) && isStoredContent(path))
    ) {
      const isFile = entry.isFile();
      found.push({ path, kind: isFolder ? 'store' : isFile ? 'store file' : 'store link' });
    }
    if (isFolder) folders.push(entry.name);
  }
  return { below: folders, found };
}

export function below(at: string, name: string): string {
  return at === '' ? name : `${at}/${name}`;
}

export const isRepository = /(?:^|\/)\.git$/i;

/** Obeyed by git but not withheld, because git could not work without it. */
function isPartOfGit(path: string): boolean {
  return isObeyedPath(path) && (isRepository.test(path) || /(?:^|\/)commondir$/i.test(path));
}

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
