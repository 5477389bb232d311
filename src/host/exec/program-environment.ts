import { programFolders } from './find-program.ts';

/**
 * All that a program finds in its environment; nothing of the user's.
 *
 * @param home an empty folder
 * @param scratch where it may write what it throws away
 */
export function programEnvironment(home: string, scratch: string): Record<string, string> {
  return {
    PATH: programFolders.join(':'),
    HOME: home,
    TMPDIR: scratch,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
  };
}
