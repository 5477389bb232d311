import { countSlips } from '../../lib/text/did-you-mean.ts';

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
