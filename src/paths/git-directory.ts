/**
 * Whether a folder with these names in it is one that git takes for a repository, whatever the
 * folder itself is called: git looks for one in every folder that it is started in and above, and
 * obeys its configuration and its hooks. Objects and refs are enough: a folder that others share by
 * their `commondir` needs no HEAD.
 *
 * @param has whether a name stands in the folder
 */
export function isGitDirectory(has: (name: string) => boolean): boolean {
  return (has('objects') && has('refs')) || (has('HEAD') && has(pointerOfGit));
}

/** Names in such a folder that git obeys. */
export const obeyedOfGit: ReadonlySet<string> = new Set(['config', 'config.worktree', 'hooks']);

/** The file of such a folder that points to a configuration elsewhere. */
export const pointerOfGit = 'commondir';
