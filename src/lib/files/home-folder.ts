import * as os from 'node:os';

/**
 * The home folder of the user, '' where there is none. An empty `HOME` counts as one that is not
 * set: Node would give the empty text, which is the current folder wherever something is joined to
 * it.
 *
 * @param system what knows of users
 */
export function homeFolder(
  system: { homedir(): string; userInfo(): { homedir: string } } = os,
): string {
  try {
    return system.homedir() || system.userInfo().homedir;
  } catch {
    // Node throws for a user whom the system does not know, as many in a container are.
    return '';
  }
}
