/** Sizes of AES-256-GCM, in bytes: NIST SP 800-38D recommends 96 bits of nonce and takes 128 of tag. */
const nonceBytes = 12;
const tagBytes = 16;

export const sealKeyBytes = 32;

/**
 * Text that only the holder of the key reads, and that opens for the same `about` alone.
 *
 * @param about what the text belongs to; stands beside it and cannot be changed unseen
 * @returns base64 of nonce, tag and ciphertext
 */
export function seal(key: Uint8Array, text: string, about: string): string {
  const { createCipheriv, randomBytes } = process.getBuiltinModule('node:crypto');
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** The text that `seal` took; undefined for another key, another `about`, or changed bytes. */
export function unseal(key: Uint8Array, sealed: string, about: string): string | undefined {
  const { createDecipheriv } = process.getBuiltinModule('node:crypto');
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const nonce = bytes.subarray(0, nonceBytes);
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(about))
      .setAuthTag(tag);
    const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
