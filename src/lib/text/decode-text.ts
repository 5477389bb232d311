/**
 * The text of a file as a search sees it, without its byte order mark. UTF-8 unless a mark
 * says UTF-16; what is neither becomes U+FFFD.
 *
 * @param bytes the file in its first `length` bytes
 */
export function decodeText(bytes: Buffer, length: number): string {
  if (isUtf16(bytes, length)) {
    const isLittle = bytes[0] === 0xff;
    return isLittle
      ? bytes.toString('utf16le', 2, length)
      : decodeBigEndian(bytes.subarray(2, length));
  }
  const isMarked = length > 2 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', isMarked ? 3 : 0, length);
}

/** Whether a byte order mark of UTF-16 stands in front. */
export function isUtf16(bytes: Uint8Array, length: number): boolean {
  if (length < 2) return false;
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** @returns undefined for what is binary */
export function decodeUnlessBinary(bytes: Buffer): string | undefined {
  const isWide = isUtf16(bytes, bytes.length);
  if (!isWide && looksBinary(bytes)) return undefined;
  const text = decodeText(bytes, bytes.length);
  return isWide && text.includes('\0') ? undefined : text;
}

function decodeBigEndian(bytes: Buffer): string {
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return even.swap16().toString('utf16le');
}

/** The first bytes of a file, which are searched for zeros; text has none. */
const headBytes = 8_192;

/** Whether bytes are not text, by a zero among the first of them, as git tells. */
export function looksBinary(content: Uint8Array): boolean {
  return content.subarray(0, headBytes).includes(0);
}

/**
 * The lines of a text, numbered as by git and ripgrep: one ends at `\n` or `\r\n`, and any other
 * `\r` is text. An end behind the last line begins no further one. `plugins/file/cut-lines.ts`
 * has the same for the tools.
 */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * The lines of a stream of text, without their ends.
 *
 * @param maxCharacters longest line; a longer one is cut after one more, so that its reader refuses
 *   it, and nothing after it is read
 */
export async function* readLines(
  input: AsyncIterable<string>,
  maxCharacters: number,
): AsyncGenerator<string, void, undefined> {
  let pending = '';
  for await (const chunk of input) {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) yield line;
    if (pending.length > maxCharacters) {
      yield pending.slice(0, maxCharacters + 1);
      return;
    }
  }
  if (pending !== '') yield pending;
}
