/** UTF-8 takes at most three bytes for a unit of a string. */
const maxBytesOfUnit = 3;

/**
 * How many bytes texts take together as UTF-8; undefined where that is at most `limit`, which for
 * short ones is seen without counting.
 */
export function bytesAbove(limit: number, ...texts: readonly string[]): number | undefined {
  let units = 0;
  for (const text of texts) units += text.length;
  if (units * maxBytesOfUnit <= limit) return undefined;
  let bytes = 0;
  for (const text of texts) bytes += Buffer.byteLength(text);
  return bytes > limit ? bytes : undefined;
}
