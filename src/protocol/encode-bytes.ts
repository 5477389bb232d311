/** Bytes inside JSON frames: an object with this one key, and base64 in it. */
const bytesKey = '$bytes';

/** The same value with every `Uint8Array` in a form that JSON keeps. */
export function encodeBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [bytesKey]: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(encodeBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encodeBytes(item)]));
}

/** The input of `encodeBytes`. */
export function decodeBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeBytes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === bytesKey && typeof first[1] === 'string') {
    return new Uint8Array(Buffer.from(first[1], 'base64'));
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, decodeBytes(item)]));
}
