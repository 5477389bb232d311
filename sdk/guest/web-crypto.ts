import { guestHost } from './guest-host.ts';

const noRandom = 'random numbers are there in run, with the capability random in "wants"';
/** Bytes that the host gives at most at a time. */
const maxBytes = 65_536;

type Bytes = ArrayBufferView<ArrayBufferLike>;

function randomBytes(length: number): Uint8Array {
  const { randomBytes: draw } = guestHost;
  if (draw === undefined) throw new TypeError(noRandom);
  return draw(length);
}

function getRandomValues<Array extends Bytes>(array: Array): Array {
  const into = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  if (into.length > maxBytes) {
    throw new DOMException(`${into.length} bytes, at most ${maxBytes}`, 'QuotaExceededError');
  }
  into.set(randomBytes(into.length));
  return array;
}

function randomUUID(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Random numbers alone: what hashes and signs is left to libraries. */
export const webCrypto = { getRandomValues, randomUUID };
