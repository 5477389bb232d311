/** The first bytes of a file, which are searched for zeros; text has none. */
const headBytes = 8_192;

/** Whether bytes are not text, by a zero among the first of them, as git tells. */
export function looksBinary(content: Uint8Array): boolean {
  return content.subarray(0, headBytes).includes(0);
}
