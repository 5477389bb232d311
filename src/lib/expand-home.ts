import { join } from 'node:path';
import { homeFolder } from './home-folder.ts';

/** A path of a setting, in which no shell has made the home folder of a leading `~/`. */
export function expandHome(path: string): string {
  return path.startsWith('~/') ? join(homeFolder(), path.slice(2)) : path;
}
