import type { PathState, RootFiles, RootPath } from '../contracts/file-changes.ts';

/**
 * The state under a path when links may replace folders: below such a link there is nothing,
 * wherever it leads.
 *
 * @param folders paths at which a folder was, or is to be
 */
export function statesPastLinks(
  folders: readonly RootPath[],
  files: Pick<RootFiles, 'stateOf'>,
): (at: RootPath) => PathState {
  const links = folders
    .filter((at) => files.stateOf(at).kind === 'link')
    .map((at) => `${keyOf(at)}/`);
  return (at) =>
    links.some((link) => keyOf(at).startsWith(link)) ? { kind: 'absent' } : files.stateOf(at);
}

function keyOf({ root, path }: RootPath): string {
  return `${root}:${path}`;
}
