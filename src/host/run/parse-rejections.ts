import * as v from 'valibot';

/** The SDK adds this after the answer of a call that left rejected promises. */
const begin = ' [rejected [';
const list = v.pipe(v.array(v.string()), v.maxLength(6));

/**
 * Splits the rejections that nobody waited for from what a tool says.
 *
 * @param text summary of an output or message of an error, as it came from the guest
 */
export function parseRejections(text: string): { said: string; rejected: string[] } {
  const at = text.endsWith(']]') ? text.lastIndexOf(begin) : -1;
  if (at < 0) return { said: text, rejected: [] };
  try {
    const found: unknown = JSON.parse(text.slice(at + begin.length - 1, -1));
    return { said: text.slice(0, at), rejected: v.parse(list, found, { abortEarly: true }) };
  } catch {
    // The tool's own words.
    return { said: text, rejected: [] };
  }
}
