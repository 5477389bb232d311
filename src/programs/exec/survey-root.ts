import { constants } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { isObeyedPath } from '../../contracts/protected-names.ts';
import {
  accessSync,
  chmodSync,
  entriesIn,
  lstatSync,
  realpathSync,
  showRaw,
  statSync,
} from '../../lib/files/raw-fs.ts';
import { isSettled, keepsTimes } from '../../lib/files/times.ts';
import { yieldToEvents } from '../../lib/turns.ts';
import { hasOtherSpellings } from '../../paths/parse-path.ts';
import { errorCode } from '../../paths/system-failure.ts';
import { alternatesOf } from '../git/repository-folder.ts';
import {
  below,
  type Found,
  type FoundInFolder,
  findInFolder,
  isRepository,
  type Turn,
} from './find-program.ts';

/** The parts of a root to keep from programs, by paths relative to it. */
export type RootSurvey = {
  /** files, and what is neither file, folder nor link, which would lead out as a socket does */
  files: string[];
  folders: string[];
  /** `.git`, folders and files */
  repositories: string[];
  /** what a program may read and never write, whoever granted it: `cuervo.toml` */
  fixed: string[];
  /** folders in which git keeps the content of files; git alone sees them */
  stores: string[];
  /** files in which it does so */
  storeFiles: string[];
  /** folders by whose place something in them is protected, or protects: moved, it would no more */
  held: string[];
  /** what later commands obey -> which file it is, for the comparison afterwards */
  obeyed: ReadonlyMap<string, string>;
};

/** Entries of one root; a mask for each protected name among them has to be found in time. */
const maxEntries = 2_000_000;

const otherSpellings =
  'the file system of the root takes names in any case, so a program could reach a protected name by another spelling; work in a copy on a local disk of Linux';
const closedRoot =
  'the root cannot be listed, and so its protected names cannot be kept from a program';

const gone =
  'went away while it was looked through for protected names, so it may lie elsewhere by now; call it again';

type Seen = FoundInFolder & {
  /** of the inode: unlike the time of its content, no program can set it back */
  ctimeMs: number;
  dev: number;
  ino: number;
  readAtMs: number;
  entries: number;
  /** a mask of what was found would cover one spelling of its name alone */
  otherSpellings: boolean;
};
type FoundAll = Omit<RootSurvey, 'obeyed' | 'held'> & {
  obeyed: Map<string, string>;
  held: Set<string>;
};
/** `mask` throws where something cannot be kept from a program; `compare` sees all that it can. */
type SurveyUse = 'mask' | 'compare';

/**
 * Looks for protected names in a root. A folder of a local disk whose time of change is the one
 * that was seen before is not read again, so that only the first look is dear.
 *
 * @param isWithheld protected names, and `CUERVO_HOME` where it lies in the root
 */
export function createSurveyor(
  isWithheld: (relativePath: string, root: string) => boolean,
): (root: string, folder: string, use?: SurveyUse, signal?: AbortSignal) => Promise<RootSurvey> {
  const seen = new Map<string, Seen>();

  return async (root, folder, use = 'mask', signal) => {
    const survey: FoundAll = {
      ...{ files: [], folders: [], repositories: [], fixed: [], stores: [], storeFiles: [] },
      obeyed: new Map(),
      held: new Set(),
    };
    const isNamed = (path: string): boolean => isWithheld(path, root);
    const pending = [''];
    let entries = 0;
    if (use === 'compare') reopen(folder);
    const turn = yieldToEvents(signal);
    for (;;) {
      // A slow disk takes its time for each folder.
      const waits = turn();
      if (waits !== undefined) await waits;
      const at = pending.pop();
      if (at === undefined) break;
      const known = await look(root, folder, at, turn);
      if (known === undefined) {
        if (use === 'mask') throw new ServiceError('conflict', `${root}:${showRaw(at)} ${gone}`);
        continue;
      }
      if (known === 'closed') {
        if (at === '') throw new ServiceError('denied', closedRoot);
        // Its owner can open it again, and reaches by name what is in it. A program that closes one
        // may have something in there to obey.
        survey.folders.push(at);
        survey.obeyed.set(at, identityOf(join(folder, at)));
        continue;
      }
      if (known.otherSpellings && use === 'mask') throw new ServiceError('denied', otherSpellings);
      entries += known.entries;
      if (entries > maxEntries && use === 'mask') {
        const text = `root ${root} holds more than ${maxEntries} files: too many to keep the protected ones from a program`;
        throw new ServiceError('limit', text);
      }
      for (const found of known.found) {
        const target = add(survey, found, folder);
        if (isNamed(found.path)) hold(survey.held, found.path, isNamed);
        // It says which files beside it are withheld, and would not after a move.
        if (found.kind === 'fixed') hold(survey.held, found.path, () => false);
        if (target !== undefined) hold(survey.held, target, isNamed);
      }
      for (const name of known.below) pending.push(below(at, name));
    }
    return { ...survey, held: [...survey.held].sort() };
  };

  async function look(
    root: string,
    folder: string,
    at: string,
    turn: Turn,
  ): Promise<Seen | 'closed' | undefined> {
    const path = join(folder, at);
    try {
      const stats = lstatSync(path);
      if (!stats.isDirectory()) return undefined;
      // Listed it may be, and what is in it not be looked at.
      accessSync(path, constants.R_OK | constants.X_OK);
      const { ctimeMs, dev, ino } = stats;
      const before = seen.get(path);
      const same = before?.ctimeMs === ctimeMs && before.dev === dev && before.ino === ino;
      if (same && isSettled(ctimeMs, before.readAtMs) && keepsTimes(path, stats)) return before;
      const readAtMs = Date.now();
      const listed = entriesIn(path);
      const inFolder = await findInFolder(listed, { root, at, isWithheld, turn });
      const names = listed.map(({ name }) => name);
      const read = {
        ...{ ctimeMs, dev, ino, readAtMs, entries: listed.length },
        ...inFolder,
        otherSpellings: inFolder.found.length > 0 && hasOtherSpellings(path, names),
      };
      seen.set(path, read);
      return read;
    } catch (thrown) {
      const code = errorCode(thrown);
      if (code === undefined) throw thrown;
      // Gone since it was listed. A folder that exists but cannot be read, or is too deep, is not skipped.
      return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'closed';
    }
  }
}

/** Adds the folders above a protected path that protect it by their names or by where they lie. */
function hold(held: Set<string>, path: string, isNamed: (path: string) => boolean): void {
  if (isInGit.test(path)) return;
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    if (held.has(at)) return;
    if (isNamed(`\u0001${path.slice(at.length)}`)) continue;
    held.add(at);
  }
}

/** @returns what a protected link leads to */
function add(survey: FoundAll, { path, kind, ofGit }: Found, folder: string): string | undefined {
  // A program may also make names that a person took off the protected list.
  if (kind === 'repository' || kind === 'pointer' || ofGit || isObeyedPath(path))
    survey.obeyed.set(path, identityOf(join(folder, path)));
  if (kind === 'fixed') survey.fixed.push(path);
  else if (kind === 'file') survey.files.push(path);
  else if (kind === 'folder') survey.folders.push(path);
  else if (kind === 'repository') {
    // The pointer of a repository to another stays readable; it is only looked for afterwards.
    if (isRepository.test(path)) survey.repositories.push(path);
  } else if (kind === 'store') survey.stores.push(path);
  else if (kind === 'store file') survey.storeFiles.push(path);
  else if (kind === 'store link') {
    const { stores: folders, storeFiles: files } = survey;
    addTarget({ files, folders }, join(folder, path), folder);
  } else if (kind === 'alternates') survey.stores.push(...alternatesOf(folder, path));
  return kind === 'link' ? addTarget(survey, join(folder, path), folder) : undefined;
}

/** The rights of the owner, which a program may have taken away from the root. */
function reopen(folder: string): void {
  const { mode } = lstatSync(folder);
  if ((mode & 0o700) !== 0o700) chmodSync(folder, (mode & 0o777) | 0o700);
}

const isInGit = /(?:^|\/)\.git(?:\/|$)/i;
/**
 * Which file a path is now; empty where there is none. With the time of its birth: a file that is
 * made again may get the number of the one before.
 */
export function identityOf(path: string): string {
  try {
    const { dev, ino, birthtimeNs } = lstatSync(path, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}`;
  } catch {
    return '';
  }
}

/** A protected name that is a link: what it leads to inside the root is masked where it lies. */
function addTarget(
  survey: { files: string[]; folders: string[] },
  link: string,
  folder: string,
): string | undefined {
  try {
    const target = relative(realpathSync(folder), realpathSync(link));
    if (target === '' || target.startsWith('..')) return undefined;
    const isFolder = statSync(link).isDirectory();
    (isFolder ? survey.folders : survey.files).push(target);
    return target;
  } catch {
    // It leads nowhere, so nothing can be read through it.
    return undefined;
  }
}
