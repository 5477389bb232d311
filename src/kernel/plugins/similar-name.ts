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
 * The name that another could be taken for: one that differs by one character, by two that changed
 * places, or by letters that look alike.
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

/** One character more, less or other, or two neighbours swapped. */
function isOneEditAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  // Names of two letters all differ by one.
  if (long.length - short.length > 1 || short.length < 3) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return (
    short[at] === long[at + 1] &&
    short[at + 1] === long[at] &&
    short.slice(at + 2) === long.slice(at + 2)
  );
}
