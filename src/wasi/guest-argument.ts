/**
 * A component writes the types of its imports itself, so an argument can be any value that the glue
 * can make: each is checked before use. A wrong one traps the guest.
 */

/** A `u64`, cut to `max`: what is asked for above it is not given. */
export function lengthOf(value: unknown, max: number): number {
  const exact = u64Of(value);
  return exact > BigInt(max) ? max : Number(exact);
}

export function u64Of(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n && value < 1n << 64n) return value;
  throw new TypeError('an argument is not a u64');
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError('an argument is not a string');
}

export function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError('an argument is not a list of bytes');
}

export function flagOf(flags: unknown, name: string): boolean {
  if (typeof flags !== 'object' || flags === null)
    throw new TypeError('an argument is not a flags');
  return (flags as Record<string, unknown>)[name] === true;
}
