import { decodeText, isUtf16 } from '../lib/text/decode-text.ts';
import { fsLimits } from './fs-limits.ts';

/** The part of some bytes in which words are counted: UTF-8, with one zero behind its end. */
export type TalliedText = { bytes: Buffer; start: number; end: number };

/**
 * The text of a file for counting words: without its byte order mark, UTF-16 as UTF-8.
 *
 * @param bytes the file in its first `length` bytes, and one zero after them
 * @returns undefined for a file that is empty, binary or over 2 MiB
 */
export function talliedText(bytes: Buffer, length: number): TalliedText | undefined {
  if (length <= 0 || length > fsLimits.tallyFileBytes) return undefined;
  if (isUtf16(bytes, length)) return textOfUtf16(bytes, length);
  if (bytes.subarray(0, length).includes(0)) return undefined;
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { bytes, start: isMarked ? 3 : 0, end: length };
}

function textOfUtf16(wide: Buffer, length: number): TalliedText | undefined {
  const bytes = Buffer.from(`${decodeText(wide, length)}\0`);
  const end = bytes.indexOf(0);
  return end === 0 || end < bytes.length - 1 ? undefined : { bytes, start: 0, end };
}

/** Over 500 bytes a line: minified, or data. */
export function hasLongLines(length: number, lines: number): boolean {
  return length / lines > fsLimits.tallyMeanLineBytes;
}
