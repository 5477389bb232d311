import { foldPath, isProtectedPath, isProtectedUnless } from '../../contracts/protected-names.ts';
import { compilePattern } from '../../lib/path-pattern.ts';

/** Takes a path relative to its root, and the root's name. */
export type ProtectedCheck = (relativePath: string, root: string) => boolean;

/** The default list, where nothing is added and nothing lifted. */
export const defaultProtectedCheck: ProtectedCheck = isProtectedPath;

/**
 * Root name -> what is withheld below it beside the default list. An entry is a path, with all that
 * lies below it; `:add PATTERN` withholds what a pattern covers, and `:lift PATTERN` takes a name
 * out of the default list.
 */
export type ProtectedEntries = Readonly<Record<string, readonly string[]>>;

/**
 * The one place where protected names are asked about, for single paths and for every file
 * of a walk.
 *
 * @param relativePath resolved, relative to its root
 */
export function isWithheld(check: ProtectedCheck, relativePath: string, root: string): boolean {
  return check(relativePath, root);
}

/** The default list less what was lifted, the given paths and the given patterns. */
export function protectAlso(entries: ProtectedEntries): ProtectedCheck {
  const checks = new Map(Object.entries(entries).map(([root, all]) => [root, compile(all)]));
  return (relativePath, root) => checks.get(root)?.(relativePath) ?? isProtectedPath(relativePath);
}

function compile(entries: readonly string[]): (relativePath: string) => boolean {
  const tagged = (tag: string) =>
    entries
      .filter((entry) => entry.startsWith(tag))
      .map((entry) => compilePattern(entry.slice(tag.length), foldPath));
  const added = tagged(':add ');
  const lifted = tagged(':lift ');
  // Where a file system takes two spellings for one name, both are withheld.
  const fold = (path: string): string => `${path.normalize('NFC').toLowerCase()}/`;
  const paths = entries.filter((entry) => !entry.startsWith(':')).map(fold);
  const isLifted = (path: string): boolean => lifted.some((pattern) => pattern.names(path));
  return (path) => {
    const folded = paths.length === 0 ? '' : fold(path);
    return (
      isProtectedUnless(path, isLifted) ||
      paths.some((prefix) => folded.startsWith(prefix)) ||
      added.some((pattern) => pattern.covers(path))
    );
  };
}
