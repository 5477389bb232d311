const headPercent = 60;
const tailPercent = 30;
const keptPercent = headPercent + tailPercent;

/** True for a byte that continues a UTF-8 sequence. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Largest cut ≤ `end` that splits no character. */
function cutBefore(bytes: Uint8Array, end: number): number {
  let cut = end;
  while (cut > 0 && isContinuation(bytes[cut])) cut -= 1;
  return cut;
}

/** Smallest cut ≥ `start` that splits no character. */
function cutAfter(bytes: Uint8Array, start: number): number {
  let cut = start;
  while (cut < bytes.length && isContinuation(bytes[cut])) cut += 1;
  return cut;
}

/** The line that stands where bytes were left out. */
function omissionMarker(omittedBytes: number): string {
  return `\n[… ${omittedBytes} bytes omitted …]\n`;
}

/**
 * Keeps the head (60 %) and the tail (30 %) of a text and says in between how many bytes are
 * missing. The beginning of an output says what it is and its end how it went, so the middle goes.
 *
 * @param text well-formed; a lone surrogate becomes U+FFFD when the text is cut
 * @param maxBytes limit of the whole result in UTF-8 bytes, the marker included
 * @returns the text unchanged when it fits; only its first bytes when not even the marker fits. No
 *   character is ever split.
 */
export function truncateMiddle(text: string, maxBytes: number): string {
  const limit = Math.max(0, Math.floor(maxBytes));
  // A UTF-16 unit takes at most 3 bytes: short texts need no encoding to be known to fit.
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= limit) return text;

  const markerBytes = Buffer.byteLength(omissionMarker(bytes.length));
  if (markerBytes >= limit) return bytes.toString('utf8', 0, cutBefore(bytes, limit));
  const kept = Math.min(limit - markerBytes, Math.floor((limit * keptPercent) / 100));
  const headEnd = cutBefore(bytes, Math.floor((kept * headPercent) / keptPercent));
  const tailStart = cutAfter(bytes, bytes.length - (kept - headEnd));
  const head = bytes.toString('utf8', 0, headEnd);
  const tail = bytes.toString('utf8', tailStart);
  return head + omissionMarker(tailStart - headEnd) + tail;
}
