/**
 * Tokens of a text without its tokenizer: rather too many than too few, because a budget that is
 * believed must hold. ASCII by a measured or given rate, everything else one token a UTF-8 byte,
 * which is what byte-level vocabularies fall back to.
 *
 * @param asciiPerToken ASCII characters a token, > 0
 */
export function estimateTokens(text: string, asciiPerToken: number): number {
  let ascii = 0;
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) < 0x80) ascii += 1;
  return Math.ceil(ascii / asciiPerToken) + (Buffer.byteLength(text) - ascii);
}
