import * as os from 'node:os';

/**
 * The user's home folder, '' when there is none. An empty `HOME` counts as unset: Node would return
 * the empty text, which joined to a path means the current folder.
 *
 * @param system facts about users
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
