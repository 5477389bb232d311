import { foldPath } from './protected-names.ts';

/** Folders of a repository that hold bytes of files: whole, packed, or as a patch. */
export const storeFolders: readonly string[] = [
  ...['objects', 'lfs', 'modules', 'annex', 'lost-found'],
  ...['rr-cache', 'rebase-apply', 'rebase-merge'],
];

/**
 * Files of a `.git` that name commits, branches and files, and hold no file content. All others
 * may: a commit message with a diff, patches, output of `fsck --lost-found`, keys.
 */
const telling = [
  ...['head', '[a-z_]+_head', 'refs', 'packed-refs', 'logs', 'index', String.raw`sharedindex\.\w+`],
  ...['info', 'description', 'branches', 'shallow', 'commondir', 'gitdir', 'bisect_[a-z_]+'],
  ...['hooks', 'worktrees', String.raw`config(?:\.worktree)?`],
].join('|');

/** Folders in which other version control programs keep their files. */
const otherStores = [
  ...[String.raw`\.svn/(?:pristine|text-base)`, String.raw`\.(?:hg|sl)/(?:store|patches|shelved)`],
  ...[
    String.raw`\.hg/strip-backup`,
    String.raw`\.bzr/(?:repository|checkout)`,
    String.raw`\.jj/repo`,
  ],
  ...['_darcs/(?:pristine.hashed|patches)', String.raw`\.pijul/pristine`, 'cvs/base'],
].join('|');

const inStore = new RegExp(
  String.raw`(?:^|/)(?:\.git/(?:worktrees/[^/]+/)?(?!(?:${telling})(?:/|$))[^/]|(?:${otherStores})(?:/|$))`,
);

/** A single object, a pack or an object of LFS, which may lie anywhere as an alternate. */
const isObject =
  /(?:^|\/)(?:[0-9a-f]{2}\/(?:[0-9a-f]{38}|(?:[0-9a-f]{2}\/)?[0-9a-f]{62,64})|pack-[0-9a-f]{40,64}\.[a-z]+)$/;

/** A `.git` that a program made, as `withholdPlanted` calls it. */
const renamed = /\.withheld(?:-\d+)?(?=\/|$)/g;

/**
 * True for files in which git keeps content. The source file of bytes in there is unknown.
 *
 * @param relativePath segments joined by `/`, relative to a root
 */
export function isStoredContent(relativePath: string): boolean {
  const path = /[^ -~]|~|[. ](?:\/|$)|:/.test(relativePath)
    ? foldPath(relativePath)
    : relativePath.toLowerCase();
  return inStore.test(path.replace(renamed, '')) || isObject.test(path);
}
