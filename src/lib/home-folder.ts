import { homedir, userInfo } from 'node:os';

/**
 * The home folder of the user. An empty `HOME` counts as one that is not set: Node would give the
 * empty text, which is the current folder wherever something is joined to it.
 */
export function homeFolder(): string {
  return homedir() || userInfo().homedir;
}
