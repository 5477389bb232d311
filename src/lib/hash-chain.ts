import { hash } from 'node:crypto';

/** Bytes of a link, a leaf and the key. */
export const linkBytes = 32;

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
    hash('sha256', message.subarray(0, end), 'buffer').copy(outer, blockBytes);
    return hash('sha256', outer, 'buffer');
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
  return hash('sha256', linked.subarray(0, end), 'buffer');
}

/** What is hashed lies here, since a buffer for each event takes as long as its digest. */
let linked = Buffer.alloc(1024);

function pad(key: Uint8Array, byte: number): Buffer {
  if (key.length !== linkBytes) throw new RangeError(`a key of ${key.length} bytes`);
  const block = Buffer.alloc(blockBytes, byte);
  for (const [at, value] of key.entries()) block[at] = value ^ byte;
  return block;
}
