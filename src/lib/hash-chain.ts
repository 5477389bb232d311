/** Bytes of a link, a leaf and the key. */
export const linkBytes = 32;

/** Node's cryptography is loaded when first needed: lists need none of it. */
const digest = (bytes: Uint8Array): Buffer =>
  process.getBuiltinModule('node:crypto').hash('sha256', bytes, 'buffer');

/** Before the first entry. */
export const firstLink: Buffer = Buffer.alloc(linkBytes);

const blockBytes = 64;

/**
 * What hides the contents of entries and proves that they were not changed: HMAC-SHA-256. Two
 * plain digests take a third of the time of `createHmac`.
 *
 * @param key `linkBytes` long
 */
export function createLeafOf(key: Uint8Array): (content: string) => Buffer {
  const inner = pad(key, 0x36);
  const outer = Buffer.concat([pad(key, 0x5c), firstLink]);
  let message = Buffer.concat([inner, Buffer.alloc(4096)]);
  return (content) => {
    const most = blockBytes + content.length * 3;
    if (message.length < most) message = Buffer.concat([inner, Buffer.alloc(most)]);
    const end = blockBytes + message.write(content, blockBytes, 'utf8');
    digest(message.subarray(0, end)).copy(outer, blockBytes);
    return digest(outer);
  };
}

/**
 * Ties an entry to all before it. It needs no key, so anybody can follow it.
 *
 * @param open what stays readable when the contents are gone
 */
export function linkOf(previous: Uint8Array, leaf: Uint8Array, open: string): Buffer {
  const most = 2 * linkBytes + open.length * 3;
  if (linked.length < most) linked = Buffer.alloc(most);
  linked.set(previous);
  linked.set(leaf, linkBytes);
  const end = 2 * linkBytes + linked.write(open, 2 * linkBytes, 'utf8');
  return digest(linked.subarray(0, end));
}

/** What is hashed lies here, since a buffer for each event takes as long as its digest. */
let linked = Buffer.alloc(1024);

function pad(key: Uint8Array, byte: number): Buffer {
  if (key.length !== linkBytes) throw new RangeError(`a key of ${key.length} bytes`);
  const block = Buffer.alloc(blockBytes, byte);
  for (const [at, value] of key.entries()) block[at] = value ^ byte;
  return block;
}
