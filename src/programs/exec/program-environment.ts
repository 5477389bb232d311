import { dirname } from 'node:path';
import { isUserBase } from '../lookup/install-prefix.ts';
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
  const userBase = before.find(isUserBase);
  return {
    // Python looks for what `pip install --user` brought below the home, which is another one here.
    ...(userBase === undefined ? {} : { PYTHONUSERBASE: dirname(userBase) }),
    PATH: [...before, ...programFolders].join(':'),
    HOME: home,
    TMPDIR: scratch,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
  };
}
