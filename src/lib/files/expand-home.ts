import { join } from 'node:path';
import { homeFolder } from './home-folder.ts';

/**
 * A path of a setting, in which no shell has made the home folder of a leading `~/`; as it is for a
 * user without one, as it would become a path below the current folder.
 */
export function expandHome(path: string): string {
  const home = path.startsWith('~/') ? homeFolder() : '';
  return home === '' ? path : join(home, path.slice(2));
}
