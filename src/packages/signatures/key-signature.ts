import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { KernelError } from '../../contracts/error.ts';

/** The signed text begins with its purpose, so that no other signature counts for a plugin. */
const message = (sha256: string): Buffer => Buffer.from(`cuervo-plugin-signature-v1\n${sha256}\n`);

/** DER before the 32 bytes of an Ed25519 key: RFC 8410. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

const keyForm = /^ed25519:([A-Za-z0-9_-]{43})$/;

/** @param sha256 of the `.wasm`, hex */
export function verifyKeySignature(
  { key, signature }: { key: string; signature: string },
  sha256: string,
): boolean {
  const raw = Buffer.from(keyForm.exec(key)?.[1] ?? '', 'base64url');
  if (raw.byteLength !== 32) return false;
  const publicKey = createPublicKey({
    key: Buffer.concat([spkiPrefix, raw]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, message(sha256), publicKey, Buffer.from(signature, 'base64url'));
}

/** @returns PEM, for a file that only its owner reads */
export function makeSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

/**
 * The file that lies beside a plugin as `NAME.wasm.sig`.
 *
 * @param pem an Ed25519 key, as `openssl genpkey -algorithm ed25519` makes one, too
 * @throws {KernelError} `invalid-argument` for another kind of key
 */
export function signDigest(pem: string, sha256: string): { key: string; text: string } {
  const privateKey = readKey(pem);
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const key = `ed25519:${der.subarray(spkiPrefix.byteLength).toString('base64url')}`;
  const signature = sign(null, message(sha256), privateKey).toString('base64url');
  const file = { kind: 'cuervo-plugin-signature', version: 1, key, signature };
  return { key, text: `${JSON.stringify(file)}\n` };
}

function readKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below.
  }
  throw new KernelError('invalid-argument', 'the key is not an Ed25519 key in PEM', {
    hint: 'Leave out --key to have one made, or: openssl genpkey -algorithm ed25519 -out KEY.pem',
  });
}
