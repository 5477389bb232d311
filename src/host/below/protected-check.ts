import { isProtectedPath } from '../../contracts/protected-names.ts';

/** Takes a path relative to its root, and the root's name. */
export type ProtectedCheck = (relativePath: string, root: string) => boolean;

/** The default list; a kernel that lifts single entries hands in its own check. */
export const defaultProtectedCheck: ProtectedCheck = isProtectedPath;

/**
 * The one place where protected names are asked about, for single paths and for every file
 * of a walk.
 *
 * @param relativePath resolved, relative to its root
 */
export function isWithheld(check: ProtectedCheck, relativePath: string, root: string): boolean {
  return check(relativePath, root);
}

/**
 * The default list, and the given paths with all that lies below them.
 *
 * @param paths root name -> paths relative to it, e.g. of `CUERVO_HOME` inside the workspace
 */
export function protectAlso(paths: Readonly<Record<string, readonly string[]>>): ProtectedCheck {
  // Where a file system takes two spellings for one name, both are withheld.
  const fold = (path: string): string => `${path.normalize('NFC').toLowerCase()}/`;
  const folded = new Map(Object.entries(paths).map(([root, all]) => [root, all.map(fold)]));
  return (relativePath, root) => {
    if (defaultProtectedCheck(relativePath, root)) return true;
    const also = folded.get(root);
    if (also === undefined || also.length === 0) return false;
    const path = fold(relativePath);
    return also.some((prefix) => path.startsWith(prefix));
  };
}
