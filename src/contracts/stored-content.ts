import { foldPath } from './protected-names.ts';

/** Folders of a repository that hold bytes of files: whole, packed, or as a patch. */
export const storeFolders: readonly string[] = [
  ...['objects', 'lfs', 'modules', 'annex'],
  ...['rr-cache', 'rebase-apply', 'rebase-merge'],
];

const inStore = new RegExp(
  String.raw`(?:^|/)\.git/(?:worktrees/[^/]+/)?(?:${storeFolders.join('|')})(?:/|$)`,
);

/** A single object, a pack or an object of LFS, which may lie anywhere as an alternate. */
const isObject =
  /(?:^|\/)(?:[0-9a-f]{2}\/(?:[0-9a-f]{38}|(?:[0-9a-f]{2}\/)?[0-9a-f]{62,64})|pack-[0-9a-f]{40,64}\.[a-z]+)$/;

/**
 * True for what git keeps the content of files in. Nobody can tell which file bytes in there are of.
 *
 * @param relativePath segments joined by `/`, relative to a root
 */
export function isStoredContent(relativePath: string): boolean {
  const path = /[^ -~]|~|[. ](?:\/|$)|:/.test(relativePath)
    ? foldPath(relativePath)
    : relativePath.toLowerCase();
  return inStore.test(path) || isObject.test(path);
}
