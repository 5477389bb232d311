import type { Dirent } from 'node:fs';
import { foldPath, isObeyedPath, isProjectFile } from '../../contracts/protected-names.ts';
import { isStoredContent, storeFolders } from '../../contracts/stored-content.ts';
import type { yieldToEvents } from '../../lib/yield-to-events.ts';
import { isGitDirectory, obeyedOfGit, pointerOfGit } from '../../paths/git-directory.ts';

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
