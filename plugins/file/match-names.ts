/** Whether a pattern is a glob rather than a part of a name. */
export function isGlob(pattern: string): boolean {
  return /[*?[\]{}]/.test(pattern);
}

/** Tests, examples and the like: a name seldom means them where a source has it, too. */
export const aside =
  /(?:^|\/)(?:tests?|fixtures?|examples?|samples?|playground|docs?|benchmarks?)\//i;

/** Whether a pattern asks for a name that begins with a dot: `.gitignore`, `.github/*.yml`. */
export function namesHidden(pattern: string): boolean {
  return /(?:^|[/:{,])\.[^./]/.test(pattern.trim());
}

/**
 * Paths that a part of a name means, best first: in the file's name, else anywhere in the path, else
 * its letters in order. Of equally good paths a source comes before tests and examples, then the one
 * with the fewest folders: of two `README.md` the upper one is meant. Upper case in `part` asks for
 * that case.
 *
 * @param part without glob characters; a path may begin with `./` or `work:`
 */
export function matchNames(paths: readonly string[], part: string): string[] {
  const wanted = part
    .trim()
    .replace(/^(?:work:|(?:\.\/)+)(?=.)/, '')
    .normalize();
  const fold = wanted === wanted.toLowerCase();
  // A name from macOS may hold its accents as characters of their own.
  const folded = (path: string) => (fold ? path.toLowerCase() : path).normalize();
  const inName = paths.filter((path) => folded(nameOf(path)).includes(wanted));
  const byRank = (found: readonly string[]): string[] =>
    found
      .map((path) => ({
        path,
        rank: rank(folded(path), wanted) + (aside.test(path) ? 0.5 : 0),
        depth: path.split('/').length,
      }))
      .sort((left, right) => left.rank - right.rank || left.depth - right.depth)
      .map(({ path }) => path);
  if (inName.length > 0) return byRank(inName);
  const inPath = paths.filter((path) => folded(path).includes(wanted));
  if (inPath.length > 0) return byRank(inPath);
  const words = wanted.split(/[\s_./-]+/).filter(Boolean);
  const all =
    words.length > 1
      ? paths.filter((path) => words.every((word) => folded(path).includes(word)))
      : [];
  return all.length > 0
    ? byWords(all, words, folded)
    : paths.filter((path) => isSubsequence(folded(nameOf(path)), wanted));
}

/** `serv.go` means `server.go` before `clientserver_test.go`: names that begin so, shorter ones first, of those the one above. */
function byWords(
  found: readonly string[],
  words: readonly string[],
  folded: (path: string) => string,
): string[] {
  const first = words[0] as string;
  return found
    .map((path) => {
      const name = folded(nameOf(path));
      const inName = words.every((word) => name.includes(word)) ? 0 : 2;
      return {
        path,
        rank: inName + (name.startsWith(first) ? 0 : 1),
        length: name.length,
        depth: path.split('/').length,
      };
    })
    .sort(
      (left, right) =>
        left.rank - right.rank || left.length - right.length || left.depth - right.depth,
    )
    .map(({ path }) => path);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * 0 for the path itself; then its end, or the name without its ending; then names that begin so;
 * then others.
 */
function rank(path: string, wanted: string): number {
  const name = nameOf(path);
  if (path === wanted) return 0;
  if (path.endsWith(`/${wanted}`) || name.replace(/\.[^.]+$/, '') === wanted) return 1;
  return name.startsWith(wanted) ? 2 : 3;
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
