import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { isObeyedPath } from '../../contracts/protected-names.ts';

/** What in a root has to be kept from programs, by paths relative to it. */
export type RootSurvey = {
  /** files, and what is neither file, folder nor link, which would lead out as a socket does */
  files: string[];
  folders: string[];
  /** `.git`, folders and files */
  repositories: string[];
  /** what later commands obey -> which file it is, for the comparison afterwards */
  obeyed: ReadonlyMap<string, string>;
};

/** Entries of one root; a mask for each protected name among them has to be found in time. */
const maxEntries = 2_000_000;
/** Folders between two turns of the event loop. */
const foldersPerTurn = 500;
/** Clocks of file systems tick this coarsely; a younger folder may change without a trace. */
const tickMs = 50;

/** What Node shows of a name that is no UTF-8, and so cannot be named: its folder is masked. */
const unreadable = '\ufffd';
const unnamed =
  'the root holds a protected name that is no UTF-8 and cannot be kept from a program; rename it';

type Seen = {
  mtimeMs: number;
  ino: number;
  readAtMs: number;
  entries: number;
  /** names of the subfolders that are gone into */
  below: string[];
  found: Found[];
};
type Found = { path: string; kind: 'file' | 'folder' | 'link' | 'pointer' | 'repository' };

/**
 * Looks for protected names in a root. A folder whose time of change is the one that was seen
 * before is not read again, so that only the first look is dear.
 *
 * @param isWithheld protected names, and `CUERVO_HOME` where it lies in the root
 */
export function createSurveyor(
  isWithheld: (relativePath: string, root: string) => boolean,
): (root: string, folder: string) => Promise<RootSurvey> {
  const seen = new Map<string, Seen>();

  return async (root, folder) => {
    const survey = { files: [], folders: [], repositories: [], obeyed: new Map<string, string>() };
    const pending = [''];
    let entries = 0;
    for (let turn = 1; ; turn += 1) {
      const at = pending.pop();
      if (at === undefined) break;
      const known = look(root, folder, at);
      if (known === undefined) continue;
      entries += known.entries;
      if (entries > maxEntries) {
        const text = `root ${root} holds more than ${maxEntries} files: too many to keep the protected ones from a program`;
        throw new ServiceError('limit', text);
      }
      for (const found of known.found) add(survey, found, folder);
      for (const name of known.below) pending.push(at === '' ? name : `${at}/${name}`);
      if (turn % foldersPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return survey;
  };

  function look(root: string, folder: string, at: string): Seen | undefined {
    const path = join(folder, at);
    try {
      const stats = lstatSync(path);
      if (!stats.isDirectory()) return undefined;
      const { mtimeMs, ino } = stats;
      const before = seen.get(path);
      const same = before?.mtimeMs === mtimeMs && before.ino === ino;
      if (same && mtimeMs < before.readAtMs - tickMs) return before;
      const readAtMs = Date.now();
      const listed = readdirSync(path, { withFileTypes: true });
      const read = { mtimeMs, ino, readAtMs, entries: listed.length, ...sort(root, at, listed) };
      seen.set(path, read);
      return read;
    } catch (thrown) {
      if (thrown instanceof ServiceError) throw thrown;
      // Gone meanwhile, or not to be read by this user: then no program of theirs reads it.
      return undefined;
    }
  }

  function sort(
    root: string,
    at: string,
    listed: readonly Dirent[],
  ): Pick<Seen, 'below' | 'found'> {
    const below: string[] = [];
    const found: Found[] = [];
    for (const entry of listed) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (isWithheld(path, root)) {
        if (!entry.name.includes(unreadable))
          found.push({
            path,
            kind: isFolder ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file',
          });
        else if (at !== '') found.push({ path: at, kind: 'folder' });
        else throw new ServiceError('denied', unnamed);
        continue;
      }
      if (isPartOfGit(path)) {
        // A link is not mounted: what it leads to would come along from anywhere.
        found.push({ path, kind: entry.isSymbolicLink() ? 'pointer' : 'repository' });
      } else if (!isFolder && !entry.isFile() && !entry.isSymbolicLink()) {
        found.push({ path, kind: 'file' });
      }
      if (isFolder) below.push(entry.name);
    }
    return { below, found };
  }
}

function add(
  survey: {
    files: string[];
    folders: string[];
    repositories: string[];
    obeyed: Map<string, string>;
  },
  { path, kind }: Found,
  folder: string,
): void {
  // What a person took out of the list of protected names is a program's to make, too.
  if (kind === 'repository' || kind === 'pointer' || isObeyedPath(path))
    survey.obeyed.set(path, identityOf(join(folder, path)));
  if (kind === 'file') survey.files.push(path);
  else if (kind === 'folder') survey.folders.push(path);
  else if (kind === 'repository') {
    // The pointer of a repository to another stays readable; it is only looked for afterwards.
    if (isRepository.test(path)) survey.repositories.push(path);
  } else if (kind === 'link') addTarget(survey, join(folder, path), folder);
}

const isRepository = /(?:^|\/)\.git$/i;

/** What is obeyed and not withheld, because git could not work without it. */
function isPartOfGit(path: string): boolean {
  return isObeyedPath(path) && (isRepository.test(path) || /(?:^|\/)commondir$/i.test(path));
}

function identityOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}`;
}

/** A protected name that is a link: what it leads to inside the root is masked where it lies. */
function addTarget(
  survey: { files: string[]; folders: string[] },
  link: string,
  folder: string,
): void {
  try {
    const target = relative(realpathSync(folder), realpathSync(link));
    if (target === '' || target.startsWith('..')) return;
    const isFolder = statSync(link).isDirectory();
    (isFolder ? survey.folders : survey.files).push(target);
  } catch {
    // It leads nowhere, so there is nothing to read through it.
  }
}
