/** UTF-8 takes at most three bytes for a unit of a string. */
export const maxBytesOfUnit = 3;

/**
 * How many bytes two texts take together as UTF-8; undefined where that is at most `limit`, which
 * for short ones is seen without counting.
 */
export function bytesAbove(limit: number, one: string, other: string): number | undefined {
  if ((one.length + other.length) * maxBytesOfUnit <= limit) return undefined;
  const bytes = Buffer.byteLength(one) + Buffer.byteLength(other);
  return bytes > limit ? bytes : undefined;
}
