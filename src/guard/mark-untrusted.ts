import { KernelError } from '../contracts/error.ts';
import { escapePattern } from '../lib/text/escape.ts';
import { truncateMiddle } from '../lib/text/truncate-middle.ts';

const noncePattern = /^[A-Za-z0-9]{8,64}$/;
const maxSourceCharacters = 200;

/**
 * Where a line of data looks like a marker of any nonce; a small model might believe it. A variable
 * of that name in brackets looks like none.
 */
const markerLike = /\[(?=\s*(?:end\s+of\s+data\b|data\s+[^\s,\]]{1,64}\s+from\b))/gi;

/** Without the nonce in any letter case, and without anything that looks like a marker. */
function defuse(text: string, nonce: string): string {
  return text.replace(new RegExp(escapePattern(nonce), 'gi'), '[removed]').replace(markerLike, '(');
}

/**
 * Puts text that nobody vouches for between two markers that it cannot forge: both carry the
 * nonce, which is random and not known when the text was written, and occurrences of the nonce
 * and of look-alikes inside are defused.
 *
 * @param part.source where the text is from, for people and models: a path, a tool, a memory.
 *   Untrusted too: one line, at most 200 characters.
 * @param part.maxBytes limit of the data in UTF-8 bytes, the markers not counted; the middle of
 *   longer data is left out and the omission stated
 * @param part.nonce 8 to 64 letters and digits, new for each request
 * @throws {KernelError} `internal` for a nonce of another form
 */
export function markUntrusted(part: {
  source: string;
  text: string;
  maxBytes: number;
  nonce: string;
}): string {
  if (!noncePattern.test(part.nonce)) {
    throw new KernelError(
      'internal',
      'markUntrusted() needs a nonce of 8 to 64 letters and digits',
    );
  }
  const source = defuse(part.source, part.nonce)
    .replace(/[\s[\]]+/g, ' ')
    .trim()
    .slice(0, maxSourceCharacters);
  const data = truncateMiddle(defuse(part.text, part.nonce), part.maxBytes);
  return `[data ${part.nonce} from ${source}]\n${data}\n[end of data ${part.nonce}]`;
}
