import { isTooDeep } from './depth-of.ts';

/**
 * JSON whose whole numbers keep their digits: one that a number of JavaScript cannot hold becomes
 * a string of its digits, instead of another number. Tools with 64-bit integers take both.
 *
 * @throws {SyntaxError} for text that is not JSON, or is nested without an end
 */
export function parseExactJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError('the JSON is nested too deep');
  // Most texts have no number that long, and a reviver makes parsing several times slower.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, ((_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? source
      : value) as (key: string, value: unknown) => unknown);
}
