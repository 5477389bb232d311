/** Whether a pattern is a glob rather than a part of a name. */
export function isGlob(pattern: string): boolean {
  return /[*?[\]{}]/.test(pattern);
}

/**
 * Paths that a part of a name means, best first: in the file's name, else anywhere in the
 * path, else its letters in order. Upper case in `part` asks for that case.
 *
 * @param part without glob characters
 */
export function matchNames(paths: readonly string[], part: string): string[] {
  const wanted = part.trim();
  const fold = wanted === wanted.toLowerCase();
  const folded = (path: string) => (fold ? path.toLowerCase() : path);
  const inName = paths.filter((path) => folded(nameOf(path)).includes(wanted));
  if (inName.length > 0)
    return inName.sort((left, right) => rank(folded(left), wanted) - rank(folded(right), wanted));
  const inPath = paths.filter((path) => folded(path).includes(wanted));
  if (inPath.length > 0) return inPath;
  const words = wanted.split(/[\s_./-]+/).filter(Boolean);
  const all =
    words.length > 1
      ? paths.filter((path) => words.every((word) => folded(path).includes(word)))
      : [];
  return all.length > 0 ? all : paths.filter((path) => isSubsequence(folded(nameOf(path)), wanted));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** 0 for the name itself, with or without its ending; then names that begin so; then others. */
function rank(path: string, wanted: string): number {
  const name = nameOf(path);
  if (name === wanted || name.replace(/\.[^.]+$/, '') === wanted) return 0;
  return name.startsWith(wanted) ? 1 : 2;
}

function isSubsequence(text: string, letters: string): boolean {
  if (letters.length < 3) return false;
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
