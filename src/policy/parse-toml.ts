import { parse, TomlError } from 'smol-toml';
import { KernelError } from '../contracts/error.ts';
import { quoteText } from '../lib/text/escape.ts';

/**
 * TOML that a person wrote, as plain values.
 *
 * @param refuse makes the error of what is wrong: `line 3 is not TOML: …`, safe to print
 * @throws {KernelError} what `refuse` makes; `invalid-argument` for what is not a fault of the text
 */
export function parseToml(text: string, refuse: (what: string) => KernelError): unknown {
  try {
    return parse(text);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw KernelError.from(thrown, 'invalid-argument');
    const [what] = thrown.message.split('\n');
    throw refuse(`line ${thrown.line} is not TOML: ${quoteText(`${what}`).slice(1, -1)}`);
  }
}
