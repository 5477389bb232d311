import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { OwnProgramFacts } from '../../contracts/consent.ts';
import type { ProtectedCheck } from '../../contracts/content-gate.ts';
import { isBelow } from '../../lib/files/paths.ts';
import { isExecutable } from '../../lib/files/read-file.ts';
import { keepsTimes } from '../../lib/files/times.ts';
import {
  type FoundProgram,
  findProgram,
  isInstalled,
  isProgramName,
  type PathFolder,
  ProgramRefused,
} from '../exec/find-program.ts';
import { installReads, isShimFolder, userFolders, workspaceFolders } from './program-folders.ts';
import type { WorkspacePlace } from './wanted-versions.ts';

/** The facts about a program that a decision needs. */
export function programFacts({ own, real, around = [], replaceable }: FoundProgram): {
  replaceable?: true;
  own?: OwnProgramFacts;
} {
  if (own === undefined) return replaceable ? { replaceable } : {};
  const { from, sha256, standsIn, below } = own;
  const reads = shownReads(around.flatMap((each) => each.reads));
  return { own: { from, sha256, standsIn, file: below?.path ?? real, reads } };
}

/** The folder above stands for what of an installation is shown. */
export function shownReads(paths: readonly string[]): string[] {
  const prefixes = paths.map((path) =>
    path.replace(
      /\/(?:bin|lib|lib32|lib64|libexec|include|share|pkg|src|go\.env|VERSION|pyvenv\.cfg)$/,
      '',
    ),
  );
  return [...new Set(prefixes)];
}

/**
 * Where the user's own shell would find another program of this name before that of the system.
 * Runs nothing, and reports no fault of the `PATH`.
 *
 * @param system path of the system's program
 * @returns absolute path; undefined where the `PATH` leads to the same file, or to it first
 */
export function ownBefore(
  name: string,
  system: string,
  path: readonly string[],
  search: ProgramSearch,
): string | undefined {
  const at = path.indexOf(dirname(system));
  const before = at === -1 ? path : path.slice(0, at);
  const real = realpathSync(system);
  try {
    for (const { folder } of userFolders(before, { ...search, warn: () => {} })) {
      const found = realProgram(join(folder, name), `program "${name}" of your PATH`);
      if (found !== undefined) return found === real ? undefined : found;
    }
  } catch (thrown) {
    // A link in a circle: nothing that anybody could run.
    if (!(thrown instanceof ProgramRefused)) throw thrown;
  }
  return undefined;
}

export type ProgramSearch = WorkspacePlace & {
  /** a name that a shipped rule lets through: it is looked for where the system installs */
  isReader(name: string): boolean;
  /** a protected file is not a program, and its digest stays private */
  isProtected: ProtectedCheck;
  /** `PATH` of the user; undefined where it is not searched */
  userPath: readonly string[] | undefined;
  /** folders that hold no programs: `CUERVO_HOME` */
  withheld: readonly string[];
  warn(text: string): void;
};

/**
 * The program of a name. A reader is the system's, whatever lies elsewhere. Any other is looked for
 * in the workspace, in the user's `PATH` where that was allowed, and in the system. A path like
 * `./gradlew` is a file of the workspace.
 *
 * @throws {ProgramRefused} `invalid` for what is neither a name nor such a path, `not-found`, `denied`
 */
export function lookUpProgram(name: string, search: ProgramSearch): FoundProgram {
  const withheld = [...Object.values(search.folders), ...search.withheld];
  if (name.includes('/')) return workspaceFile(name, search);
  if (!isProgramName(name) || search.isReader(name)) return findProgram(name, withheld);
  const around = [...workspaceFolders(name, search), ...userFolders(search.userPath ?? [], search)];
  for (const folder of around) {
    const found = inFolder(name, folder, search);
    if (found !== undefined) return { ...found, around: withReads(around, found.reads) };
  }
  try {
    return { ...findProgram(name, withheld), around };
  } catch (thrown) {
    throw search.userPath === undefined ? thrown : missingOnPath(thrown, name, search.userPath);
  }
}

/** Says of a missing program that `PATH` was searched too, and which shim has nothing to start. */
function missingOnPath(thrown: unknown, name: string, userPath: readonly string[]): unknown {
  if (!(thrown instanceof ProgramRefused) || thrown.tag !== 'not-found') return thrown;
  const shims = userPath
    .filter((entry) => isShimFolder(entry) || existsSync(join(entry, 'rustup')))
    .find((entry) => isAbsolute(entry) && existsSync(join(entry, name)));
  if (shims === undefined) {
    return new ProgramRefused('not-found', `${thrown.message}, nor in a folder of your PATH`);
  }
  const text = `program "${name}" is a shim in ${shims}, and no installed version that is chosen here has it`;
  return new ProgramRefused(
    'not-found',
    text,
    'Install or choose one with the manager of the shim.',
  );
}

function inFolder(
  name: string,
  folder: PathFolder,
  search: ProgramSearch,
): (FoundProgram & { reads: readonly string[] }) | undefined {
  const path = join(folder.folder, name);
  const { below, from } = folder;
  const shown = `program "${name}" of ${below?.path ?? 'your PATH'}`;
  const real = realProgram(path, shown);
  if (real === undefined) return undefined;
  if (search.withheld.some((each) => isBelow(real, each))) {
    throw new ProgramRefused('denied', `${shown} is in a folder from which no program runs`);
  }
  if (from === 'user' && isShim(real, name)) return undefined;
  const roots = Object.values(search.folders);
  const isInRoot = roots.some((each) => isBelow(real, each));
  // A plugin must not be able to write the user's program that is started.
  if (from === 'user' && isInRoot) return undefined;
  const isKnown = isInRoot || isInstalled(real) || isAmong(real, folder.reads);
  if (from === 'workspace' && !isKnown) {
    const text = `${shown} is a link out of the workspace, and is not run`;
    throw new ProgramRefused('denied', text, `It leads to ${JSON.stringify(real)}.`);
  }
  if (isInRoot) refuseProtected(real, shown, search);
  const reads = isKnown ? [] : (installReads(join(real, '..')) ?? [real]);
  const own = {
    from,
    sha256: programDigest(real),
    ...(below === undefined ? {} : { below: { root: below.root, path: `${below.path}/${name}` } }),
    standsIn: from === 'workspace' && isInRoot && isOfSystem(name),
  };
  return { path, real, replaceable: true, own, reads };
}

function workspaceFile(name: string, search: ProgramSearch): FoundProgram {
  const colon = search.cwd.indexOf(':');
  const root = search.cwd.slice(0, colon);
  const top = search.folders[root];
  const shown = JSON.stringify(name.slice(0, 200).toWellFormed());
  if (name.startsWith('/') || !/^[\w./+-]{1,512}$/.test(name) || top === undefined) {
    const text = `program ${shown} is neither a name, as "git", nor a file of the workspace, as "./gradlew"`;
    throw new ProgramRefused('invalid', text);
  }
  const path = join(top, search.cwd.slice(colon + 1), name);
  const real = isBelow(path, top) ? realProgram(path, `program ${shown}`) : undefined;
  if (real === undefined) {
    throw new ProgramRefused(
      'not-found',
      `program ${shown} is not an executable file of the workspace`,
    );
  }
  if (!isBelow(real, top)) {
    throw new ProgramRefused('denied', `program ${shown} is a link out of the workspace`);
  }
  refuseProtected(path, `program ${shown}`, search);
  refuseProtected(real, `program ${shown}`, search);
  const below = { root, path: relative(top, path) };
  const around = [...workspaceFolders(name, search), ...userFolders(search.userPath ?? [], search)];
  const own = { from: 'workspace' as const, sha256: programDigest(real), below, standsIn: false };
  return { path, real, replaceable: true, own, around };
}

/** @throws {ProgramRefused} `denied` for a protected file of a root */
function refuseProtected(path: string, shown: string, search: ProgramSearch): void {
  for (const [root, folder] of Object.entries(search.folders)) {
    if (!isBelow(path, folder) || !search.isProtected(relative(folder, path), root)) continue;
    throw new ProgramRefused('denied', `${shown} is protected`);
  }
}

/** The folder of a program shows what the program loads, too. */
function withReads(around: readonly PathFolder[], reads: readonly string[]): PathFolder[] {
  const [first, ...others] = around;
  return first === undefined ? [] : [{ ...first, reads: [...first.reads, ...reads] }, ...others];
}

/**
 * A shim that was not replaced by what it stands for: its manager has no such program, or the real
 * one leads back to it.
 */
function isShim(real: string, name: string): boolean {
  const folder = dirname(real);
  if (isShimFolder(folder)) {
    throw new ProgramRefused('denied', `program "${name}" is a shim that leads back to itself`);
  }
  const rustup = statSync(join(folder, 'rustup'), { throwIfNoEntry: false });
  return name !== 'rustup' && rustup !== undefined && rustup.ino === statSync(real).ino;
}

function isAmong(path: string, folders: readonly string[]): boolean {
  return folders.some((each) => isBelow(path, each));
}

function isOfSystem(name: string): boolean {
  try {
    findProgram(name, []);
    return true;
  } catch (thrown) {
    if (thrown instanceof ProgramRefused) return false;
    throw thrown;
  }
}

/** Hashing a larger program takes too long. */
const maxProgramBytes = 256 * 1024 * 1024;

/**
 * Where an executable file really lies.
 *
 * @param shown how the program is called in a message
 * @returns undefined where there is no such file, or none that may be run
 * @throws {ProgramRefused} `denied` for links in a circle and for one that leads nowhere
 */
function realProgram(path: string, shown: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isFile() && isExecutable(real) ? real : undefined;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ELOOP')
      throw new ProgramRefused('denied', `${shown} is a link that leads in a circle`);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined;
    throw thrown;
  }
}

const digests = new Map<string, { of: string; sha256: string }>();

/**
 * SHA-256 of a program, hex. A file of a local disk that was read before and did not change since is
 * not read again: its time of change cannot be set back by a program.
 */
export function programDigest(real: string): string {
  const stats = statSync(real);
  if (stats.size > maxProgramBytes) {
    const text = `program "${basename(real)}" has ${stats.size} bytes, limit ${maxProgramBytes}`;
    throw new ProgramRefused('denied', text);
  }
  const of = identity(stats);
  const known = digests.get(real);
  if (known?.of === of && keepsTimes(real, stats)) return known.sha256;
  const sha256 = createHash('sha256').update(readFileSync(real)).digest('hex');
  digests.set(real, { of, sha256 });
  return sha256;
}

function identity({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}
