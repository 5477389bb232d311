import { fstatSync, statfsSync } from 'node:fs';
import { atName } from '../paths/open-name.ts';
import type { SearchPlace } from './search-place.ts';
import type { ListedFolder } from './visit-tree.ts';
import { compareInWalk } from './walk-order.ts';

/** Which files of a tree one process looks into. Asked in the order of the walk. */
export type ScanSide = {
  /** false: nothing below the folder is on this side, and it need not be listed */
  looksInto(folder: ListedFolder): boolean;
  /** @param path of a file in the folder, relative to the root */
  takes(folder: ListedFolder, path: string): boolean;
};

/**
 * The sibling takes about half of the files behind a path, in the order of a walk; which has the
 * same roots and nothing else.
 */
export type ScanShare = {
  after: string;
  /** where the search starts, relative to the root: a link that led there may lead elsewhere by now */
  start: string;
  /** time that the call has left for walks, in ms; no end when absent */
  leftMs?: number | undefined;
};

/** `asking` also has all files up to the path. */
export type SideOfShare = 'asking' | 'helping';

/** A folder of more bytes is split by its files, not to be one side's alone: some 2,000 names. */
const splitFolderBytes = 64 * 1024;

export type SideOfScan = ScanSide & {
  /** paths of the folders that it split by their files, in the order of the walk */
  readonly split: readonly string[];
};

/**
 * One side of a share. A file's path alone decides its side, so that both sides agree even when
 * another program makes or removes files meanwhile. A folder's files have one side, because the
 * other side then need not list a folder without folders in it. The sides disagree only about a
 * folder that crosses `splitFolderBytes` between the walks.
 */
export function createSide(place: SearchPlace, share: ScanShare, side: SideOfShare): SideOfScan {
  const isLeaf = createLeafCheck(place.rootFd);
  const split = new Set<string>();
  let isPast = side === 'asking';

  const isBehind = (path: string): boolean => compareInWalk(path, share.after) > 0;
  const isMine = (path: string): boolean => isHelpers(path) === (side === 'helping');
  const isSplit = ({ bytes }: ListedFolder): boolean => bytes > splitFolderBytes;

  return {
    looksInto: (folder) => {
      if (!isPast && !isBehind(folder.path)) {
        return folder.path === '' || share.after.startsWith(`${folder.path}/`);
      }
      return isSplit(folder) || isMine(folder.path) || !isLeaf(folder);
    },
    takes: (folder, path) => {
      isPast ||= isBehind(path);
      if (!isPast) return false;
      if (!isSplit(folder)) return isMine(folder.path);
      split.add(folder.path);
      return isMine(path);
    },
    get split() {
      return [...split].sort(compareInWalk);
    },
  };
}

/** FNV-1a, of whose bits the lowest alone would say little. */
function isHelpers(path: string): boolean {
  let hash = 0x811c9dc5;
  for (let index = 0; index < path.length; index += 1) {
    hash = Math.imul(hash ^ path.charCodeAt(index), 0x01000193);
  }
  return ((hash ^ (hash >>> 15)) & 1) === 1;
}

/**
 * File systems whose folders have as many links as folders in them and two more, by the numbers of
 * statfs(2): ext2 to ext4, XFS, tmpfs. Others say 1, or count what they like.
 */
const countingSystems: readonly number[] = [0xef53, 0x58465342, 0x01021994];

/** @returns whether a folder says of itself that no folder is in it */
function createLeafCheck(rootFd: number): (folder: ListedFolder) => boolean {
  const { type } = atName(rootFd, '', (path) => statfsSync(path));
  const counting = countingSystems.includes(type) ? fstatSync(rootFd).dev : undefined;
  return ({ links, device }) => links === 2 && device === counting;
}
