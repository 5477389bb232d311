import { fsLimits } from './fs-limits.ts';

/**
 * Whether words are counted in what a file holds: not when it is empty, binary or over 2 MiB.
 *
 * @param length bytes of the buffer that are the file's
 */
export function isTalliedText(bytes: Buffer, length: number): boolean {
  if (length <= 0 || length > fsLimits.tallyFileBytes) return false;
  return !bytes.subarray(0, length).includes(0);
}

/** Over 500 bytes a line: minified, or data. */
export function hasLongLines(length: number, lines: number): boolean {
  return length / lines > fsLimits.tallyMeanLineBytes;
}

/** Where the text begins, behind a byte order mark. */
export function talliedFrom(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
