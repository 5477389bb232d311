/** How the bytes of a text are written; `unknown` is one byte a character, in some set of them. */
export type TextEncoding = 'utf-16be' | 'utf-16le' | 'unknown';

/** Arguments of one call; engines bound their number. */
const maxRun = 4096;

/**
 * Bytes that are not UTF-8 as a search shows them: UTF-16 by its byte order mark, which is left
 * out, or with U+FFFD for what is not UTF-8.
 *
 * @param bytes a file from its beginning; half of a character at the end of UTF-16 is left out
 * @returns undefined for bytes of no text, which hold a zero
 */
export function decodeText(
  bytes: Uint8Array,
): { text: string; encoding: TextEncoding } | undefined {
  const mark = bytes.length < 2 ? 0 : ((bytes[0] as number) << 8) | (bytes[1] as number);
  if (mark === 0xfffe) return { text: fromUnits(bytes, 0), encoding: 'utf-16le' };
  if (mark === 0xfeff) return { text: fromUnits(bytes, 1), encoding: 'utf-16be' };
  if (bytes.includes(0)) return undefined;
  return { text: new TextDecoder().decode(bytes), encoding: 'unknown' };
}

/** @param low which byte of two is the lower one */
function fromUnits(bytes: Uint8Array, low: 0 | 1): string {
  let text = '';
  for (let start = 2; start + 1 < bytes.length; start += maxRun * 2) {
    const units: number[] = [];
    const end = Math.min(bytes.length - 1, start + maxRun * 2);
    for (let at = start; at < end; at += 2) {
      units.push((bytes[at + low] as number) | ((bytes[at + 1 - low] as number) << 8));
    }
    text += String.fromCharCode(...units);
  }
  return text;
}
