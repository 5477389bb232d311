import { programFolders } from './find-program.ts';

/**
 * All that a program finds in its environment; nothing of the user's.
 *
 * @param home an empty folder
 * @param scratch where it may write what it throws away
 * @param before folders in which it finds programs before those of the system
 */
export function programEnvironment(
  home: string,
  scratch: string,
  before: readonly string[] = [],
): Record<string, string> {
  return {
    PATH: [...before, ...programFolders].join(':'),
    HOME: home,
    TMPDIR: scratch,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
  };
}
