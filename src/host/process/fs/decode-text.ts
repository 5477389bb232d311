/**
 * The text of a file as a search sees it, without its byte order mark. UTF-8 unless a mark
 * says UTF-16; what is neither becomes U+FFFD.
 *
 * @param bytes the file in its first `length` bytes
 */
export function decodeText(bytes: Buffer, length: number): string {
  const first = length < 2 ? 0 : (bytes[0]! << 8) | bytes[1]!;
  if (first === 0xefbb && length > 2 && bytes[2] === 0xbf) return bytes.toString('utf8', 3, length);
  if (first === 0xfffe) return bytes.toString('utf16le', 2, length);
  if (first === 0xfeff) return decodeBigEndian(bytes.subarray(2, length));
  return bytes.toString('utf8', 0, length);
}

function decodeBigEndian(bytes: Buffer): string {
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return even.swap16().toString('utf16le');
}
