import { Buffer } from '@jspm/core/nodelibs/buffer';
import { hmac } from '@noble/hashes/hmac.js';
import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { webCrypto } from '../web-crypto.ts';

const hashes = { md5, ripemd160, sha1, sha224, sha256, sha384, sha512 };

type Name = keyof typeof hashes;
type Encoding = 'hex' | 'base64' | 'base64url' | 'latin1' | 'binary';
type Running = { update(bytes: Uint8Array): unknown; digest(): Uint8Array };

class Hash {
  readonly #running: Running;

  constructor(running: Running) {
    this.#running = running;
  }

  update(data: string | Uint8Array, encoding?: string): this {
    const bytes: Uint8Array =
      typeof data === 'string' ? Buffer.from(data, encoding as 'utf8') : data;
    this.#running.update(Uint8Array.from(bytes));
    return this;
  }

  digest(encoding?: Encoding): unknown {
    const bytes = Buffer.from(this.#running.digest());
    if (encoding === undefined) return bytes;
    if (encoding !== 'base64url') return bytes.toString(encoding);
    return bytes.toString('base64').replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
  }
}

function hashOf(name: string): (typeof hashes)[Name] {
  const known = String(name).toLowerCase().replace('-', '') as Name;
  if (Object.hasOwn(hashes, known)) return hashes[known];
  throw new TypeError(
    `crypto: the hash ${name} does not exist in a plugin, but ${getHashes().join(', ')}`,
  );
}

const absent = (name: string) => (): never => {
  throw new TypeError(`crypto.${name} does not exist in a plugin: import a library for it`);
};

export const getHashes = (): string[] => Object.keys(hashes);
export const createHash = (name: string): Hash => new Hash(hashOf(name).create());
export const createHmac = (name: string, key: string | Uint8Array): Hash => {
  const bytes: Uint8Array = typeof key === 'string' ? Buffer.from(key) : key;
  return new Hash(hmac.create(hashOf(name), Uint8Array.from(bytes)));
};
export const hash = (
  name: string,
  data: string | Uint8Array,
  encoding: Encoding = 'hex',
): unknown => createHash(name).update(data).digest(encoding);

export const webcrypto = webCrypto;
export const { getRandomValues, randomUUID } = webCrypto;

/** The host gives no more at once. */
const maxBytes = 65_536;

export function randomFillSync<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  for (let at = 0; at < bytes.length; at += maxBytes) {
    getRandomValues(bytes.subarray(at, Math.min(bytes.length, at + maxBytes)));
  }
  return bytes;
}

type Done<Value> = (error: null, value: Value) => void;

export function randomBytes(length: number, done?: Done<Uint8Array>): Uint8Array | undefined {
  const bytes = randomFillSync(Buffer.alloc(length) as Uint8Array);
  if (done === undefined) return bytes;
  queueMicrotask(() => done(null, bytes));
  return undefined;
}

export function randomFill<Bytes extends Uint8Array>(bytes: Bytes, done: Done<Bytes>): void {
  randomFillSync(bytes);
  queueMicrotask(() => done(null, bytes));
}

export function randomInt(low: number, high?: number): number {
  const [from, to] = high === undefined ? [0, low] : [low, high];
  const [a = 0, b = 0] = getRandomValues(new Uint32Array(2));
  const share = (a * 0x20_0000 + (b >>> 11)) / 2 ** 53;
  return from + Math.floor(share * (to - from));
}

export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) throw new RangeError('the lengths differ');
  let difference = 0;
  for (let at = 0; at < one.length; at += 1)
    difference |= (one[at] as number) ^ (other[at] as number);
  return difference === 0;
}

export const createCipheriv = absent('createCipheriv');
export const createDecipheriv = absent('createDecipheriv');
export const createSign = absent('createSign');
export const createVerify = absent('createVerify');
export const createPrivateKey = absent('createPrivateKey');
export const createPublicKey = absent('createPublicKey');
export const createSecretKey = absent('createSecretKey');
export const generateKeyPairSync = absent('generateKeyPairSync');
export const pbkdf2 = absent('pbkdf2');
export const pbkdf2Sync = absent('pbkdf2Sync');
export const scrypt = absent('scrypt');
export const scryptSync = absent('scryptSync');
export const sign = absent('sign');
export const verify = absent('verify');
export const subtle = undefined;
export const constants = {};
export class KeyObject {}

export default {
  getHashes,
  createHash,
  createHmac,
  hash,
  webcrypto,
  getRandomValues,
  randomUUID,
  randomFillSync,
  randomBytes,
  randomFill,
  randomInt,
  timingSafeEqual,
  createCipheriv,
  createDecipheriv,
  createSign,
  createVerify,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  pbkdf2,
  pbkdf2Sync,
  scrypt,
  scryptSync,
  sign,
  verify,
  subtle,
  constants,
  KeyObject,
  pseudoRandomBytes: randomBytes,
  rng: randomBytes,
};
