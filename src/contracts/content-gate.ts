import { compilePattern } from '../lib/text/glob.ts';
import {
  foldPath,
  isProtectedPath,
  isProtectedUnless,
  isStoredContent,
  leftFrom,
  runnerOf,
} from './protected-names.ts';

/**
 * Root name -> what is withheld below it beside the default list. An entry is a path, with all that
 * lies below it; `:add PATTERN` withholds what a pattern covers, and `:lift PATTERN` takes a name
 * out of the default list.
 */
export type ProtectedEntries = Readonly<Record<string, readonly string[]>>;

/** Takes a path relative to its root, and the root's name; true for a protected name. */
export type ProtectedCheck = (relativePath: string, root: string) => boolean;

/** The place of some bytes: in the tree, in a commit, in an index or in memory. */
export type ContentPlace = {
  root: string;
  /** resolved, relative to the root; undefined when it cannot be known, as for a hash alone */
  path: string | undefined;
};

/** The reader of bytes: the person of this machine, or a plugin with its readable roots. */
export type ContentReader = 'person' | { roots: readonly string[] };

export type ContentGate = {
  /** The one decision on content: whether bytes of a place may be shown to a reader. */
  shows(place: ContentPlace, reader: ContentReader): boolean;
  /** Whether a path has a protected name; the part of `shows` that masks and copies need. */
  isProtected: ProtectedCheck;
};

/**
 * The gate that every way to content asks. It knows the protected names of today, and the folders
 * in which git keeps the content of files.
 */
export function createContentGate(entries: ProtectedEntries): ContentGate {
  const checks = new Map(Object.entries(entries).map(([root, all]) => [root, compile(all)]));
  const isProtected: ProtectedCheck = (path, root) =>
    checks.get(root)?.(path) ?? isProtectedPath(path);
  return {
    shows: ({ root, path }, reader) =>
      path !== undefined &&
      (reader === 'person' || reader.roots.includes(root)) &&
      !isProtected(path, root) &&
      !isStoredContent(path),
    isProtected,
  };
}

function compile(entries: readonly string[]): (relativePath: string) => boolean {
  const tagged = (tag: string) =>
    entries
      .filter((entry) => entry.startsWith(tag))
      .map((entry) => compilePattern(entry.slice(tag.length), foldPath));
  const added = tagged(':add ');
  const lifted = tagged(':lift ');
  // Withholds both spellings where a file system takes them for one name.
  const fold = (path: string): string => `${path.normalize('NFC').toLowerCase()}/`;
  const paths = entries.filter((entry) => !entry.startsWith(':')).map(fold);
  const isLifted = (path: string): boolean => {
    const names = foldPath(path).split('/');
    return lifted.some((pattern) => pattern.names(names));
  };
  const isAdded = (path: string): boolean => {
    const folded = foldPath(path);
    return [folded, ...leftFrom(folded)].some((each) => {
      const names = each.split('/');
      return added.some((pattern) => pattern.covers(names));
    });
  };
  return (path) => {
    const folded = paths.length === 0 ? '' : fold(path);
    return (
      isProtectedUnless(path, isLifted) ||
      paths.some((prefix) => folded.startsWith(prefix)) ||
      (added.length > 0 && isAdded(path))
    );
  };
}

/** The runner of the file at a path, as `runnerOf`; undefined when nothing runs it by itself. */
export type RunnerCheck = (relativePath: string, root: string) => string | undefined;

/**
 * `runnerOf`, less what a person took out of the list.
 *
 * @param entries as `createContentGate` takes them; `:lift PATTERN` counts here, too
 * @param otherwise asked for a path that the list does not name
 */
export function createRunnerCheck(entries: ProtectedEntries, otherwise?: RunnerCheck): RunnerCheck {
  const lifted = new Map(
    Object.entries(entries).map(([root, all]) => [
      root,
      all
        .filter((entry) => entry.startsWith(':lift '))
        .map((entry) => compilePattern(entry.slice(':lift '.length), foldPath)),
    ]),
  );
  return (path, root) => {
    const runner = runnerOf(path) ?? otherwise?.(path, root);
    if (runner === undefined) return undefined;
    const names = foldPath(path).split('/');
    return lifted.get(root)?.some((pattern) => pattern.covers(names)) ? undefined : runner;
  };
}
