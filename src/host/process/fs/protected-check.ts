import { isProtectedPath } from '../../../contracts/protected-names.ts';

export type ProtectedCheck = (relativePath: string) => boolean;

/** The default list; a kernel that lifts single entries hands in its own check. */
export const defaultProtectedCheck: ProtectedCheck = isProtectedPath;

/**
 * The one place where protected names are asked about, for single paths and for every file
 * of a walk.
 *
 * @param relativePath resolved, relative to its root
 */
export function isWithheld(check: ProtectedCheck, relativePath: string): boolean {
  return check(relativePath);
}
