/** With more typing errors than this, a name means something else. */
const maxSlips = 3;
/** The share of its characters that has to be right, in names that are short. */
const leastAlike = 0.4;

/**
 * A suggestion for an unknown name: the nearest names, in the words and by the measure that the
 * command line uses for commands.
 *
 * @returns ` (Did you mean NAME?)`, or nothing where none is near
 */
export function didYouMean(typed: string, names: Iterable<string>): string {
  let fewest = maxSlips;
  let nearest: string[] = [];
  for (const name of new Set(names)) {
    const slips = countSlips(typed.toLowerCase(), name.toLowerCase());
    const length = Math.max(typed.length, name.length);
    if (slips > fewest || length - slips <= leastAlike * length) continue;
    if (slips < fewest) nearest = [];
    fewest = slips;
    nearest.push(name);
  }
  const [one, ...more] = nearest.sort();
  if (one === undefined) return '';
  return ` (Did you mean ${more.length === 0 ? one : `one of ${nearest.join(', ')}`}?)`;
}

/**
 * How many characters were left out, put in, taken for others or swapped with their neighbours.
 *
 * @returns for names whose lengths differ by more than `maxSlips`, only that
 */
export function countSlips(one: string, other: string): number {
  const difference = Math.abs(one.length - other.length);
  if (difference > maxSlips) return difference;
  // The last two rows of the table of all beginnings of both.
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      const isSwapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      next[to] = Math.min(
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
        (row[to - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[to - 2] ?? at) + 1 : at + to,
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}

/** Letters that look alike in most fonts, as plugin names allow them. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  [/0/g, 'o'],
  [/[1i]/g, 'l'],
  [/5/g, 's'],
  [/2/g, 'z'],
  [/8/g, 'b'],
  [/-/g, ''],
];

/**
 * Finds a known name that a new name could be confused with: it differs by one character, by two
 * swapped ones, or by letters that look alike.
 */
export function similarName(name: string, others: readonly string[]): string | undefined {
  const skeleton = skeletonOf(name);
  return others.find(
    (other) => other !== name && (skeletonOf(other) === skeleton || isOneEditAway(name, other)),
  );
}

function skeletonOf(name: string): string {
  return alike.reduce((text, [letters, letter]) => text.replace(letters, letter), name);
}

/** One character more, less or other, or two neighbours swapped. Names of two letters all differ by one. */
function isOneEditAway(one: string, other: string): boolean {
  return Math.min(one.length, other.length) >= 3 && countSlips(one, other) === 1;
}
