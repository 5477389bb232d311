import { kindOf } from '../guest/kind-of.ts';

/*
 * Arguments of host calls, looked at before they cross: nothing checks an author's types when a
 * plugin is built, and the engine traps on a value of another type without saying which.
 */

/** @param what the argument, as in `fs.stat: "path"` */
export function asText(value: string, what: string): string {
  if (typeof value !== 'string') throw wrong(value, what, 'a text');
  // Half a surrogate pair, as slice() leaves of an emoji, has no form in UTF-8 and would trap, too.
  return value.toWellFormed();
}

export function asTexts(values: readonly string[], what: string): string[] {
  // A text can be iterated as well, by its characters.
  const isList = typeof values === 'object' && typeof values?.[Symbol.iterator] === 'function';
  if (!isList) throw wrong(values, what, 'a list of texts');
  return Array.from(values, (value) => asText(value, `${what}: each of them`));
}

export function asNumber(value: number, what: string): number {
  if (typeof value !== 'number') throw wrong(value, what, 'a number');
  return value;
}

export function asFlag(value: boolean, what: string): boolean {
  if (typeof value !== 'boolean') throw wrong(value, what, 'true or false');
  return value;
}

/** A list of numbers is taken as well as a `Uint8Array`. */
export function asBytes(value: Uint8Array, what: string): Uint8Array {
  if (value instanceof Uint8Array) return value;
  const given: unknown = value;
  if (Array.isArray(given) && given.every((one) => typeof one === 'number')) {
    return Uint8Array.from(given);
  }
  throw wrong(value, what, 'a Uint8Array');
}

function wrong(value: unknown, what: string, wanted: string): TypeError {
  return new TypeError(`${what} has to be ${wanted}, not ${kindOf(value)}`);
}
