import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { AsyncEntry } from '@napi-rs/keyring';
import { KernelError, reasonOf } from '../contracts/error.ts';
import type { AskPassphrase } from '../contracts/secrets.ts';
import type { KeyEntry } from './parse-secrets.ts';

/** The keys that open the sealed values. */
export type SecretKeys = {
  /** A key of its own for a file that has none yet. @throws {KernelError} when nothing can hold it */
  make(signal: AbortSignal): Promise<KeyEntry>;
  /** Kept for the process once it is open. @throws {KernelError} when it stays closed */
  open(entry: KeyEntry, signal: AbortSignal): Promise<Uint8Array>;
  /** The result of `open`; undefined before. */
  opened(entry: KeyEntry): Uint8Array | undefined;
  forget(entry: KeyEntry): Promise<void>;
};

export type SecretKeyPorts = {
  keychain: Keychain;
  /** from the environment; goes before the keychain, because somebody set it */
  passphrase: string | undefined;
  /** absent when no person can be asked */
  ask: AskPassphrase | undefined;
};

/** All shorter passphrases can be tried in hours. */
const minPassphraseLength = 8;
/** Typed wrongly so often, it is not known. */
const maxTries = 3;
/** OWASP's first choice for scrypt: N 2^17, r 8, p 1, which takes 128 MiB. */
const cost: ScryptOptions = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
const checkText = 'cuervo';

export function createSecretKeys(ports: SecretKeyPorts): SecretKeys {
  const { keychain, passphrase, ask } = ports;
  // id -> key
  const open = new Map<string, Uint8Array>();

  const kept = (place: KeyEntry['place'], id: string, key: Uint8Array): KeyEntry => {
    open.set(id, key);
    return { place, id, check: seal(key, checkText, id) };
  };
  const typed = async (entry: KeyEntry, signal: AbortSignal): Promise<Uint8Array> => {
    if (passphrase === undefined && ask === undefined) throw nobodyToAsk();
    for (let tries = 0; tries < maxTries; tries += 1) {
      const words = passphrase ?? (await ask?.('known', { signal })) ?? '';
      const key = await derive(words, entry.id);
      if (fits(key, entry)) return key;
      if (passphrase !== undefined) break;
    }
    throw new KernelError('permission-denied', 'the passphrase does not open the secrets', {
      hint: 'If it is lost, remove secrets.toml and set the secrets again.',
    });
  };

  return {
    make: async (signal) => {
      const id = randomBytes(16).toString('base64url');
      const key = randomBytes(sealKeyBytes);
      if (passphrase === undefined && (await keychain.keep(id, key.toString('base64'), signal))) {
        return kept('keychain', id, key);
      }
      if (passphrase === undefined && ask === undefined) throw nobodyToAsk();
      const words = passphrase ?? (await ask?.('new', { signal })) ?? '';
      if (words.length < minPassphraseLength) {
        throw new KernelError(
          'invalid-argument',
          `the passphrase has ${words.length} characters, at least ${minPassphraseLength} are needed`,
          { hint: 'Give a longer one at the terminal, or in CUERVO_SECRETS_PASSPHRASE.' },
        );
      }
      return kept('passphrase', id, await derive(words, id));
    },
    open: async (entry, signal) => {
      const known = open.get(entry.id);
      if (known !== undefined) return known;
      const key =
        entry.place === 'keychain'
          ? Buffer.from(await keychain.read(entry.id, signal), 'base64')
          : await typed(entry, signal);
      if (!fits(key, entry)) {
        throw new KernelError('unavailable', 'the key in the keychain does not open the secrets', {
          hint: 'Remove secrets.toml and set the secrets again.',
        });
      }
      open.set(entry.id, key);
      return key;
    },
    opened: ({ id }) => open.get(id),
    forget: async ({ place, id }) => {
      open.delete(id);
      if (place === 'keychain') await keychain.remove(id);
    },
  };
}

function fits(key: Uint8Array, { id, check }: KeyEntry): boolean {
  return key.length === sealKeyBytes && unseal(key, check, id) === checkText;
}

/** Not on the thread that answers: it takes a third of a second. */
async function derive(passphrase: string, salt: string): Promise<Uint8Array> {
  const words = passphrase.normalize('NFKC');
  const run = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
  return await run(words, salt, sealKeyBytes, cost);
}

function nobodyToAsk(): KernelError {
  return new KernelError('permission-denied', 'the secrets are sealed with a passphrase', {
    hint: 'Give it at a terminal, or in CUERVO_SECRETS_PASSPHRASE.',
  });
}

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

/** The service under which a keychain lists what is ours. */
const service = 'cuervo';

/**
 * The keeper of secrets: Secret Service on Linux, Keychain on macOS, Credential Manager on Windows.
 */
export type Keychain = {
  /** @returns whether it was taken; not where there is no keychain, or it stays locked */
  keep(id: string, text: string, signal: AbortSignal): Promise<boolean>;
  /** @throws {KernelError} `unavailable` when it cannot be asked or holds nothing of the id */
  read(id: string, signal: AbortSignal): Promise<string>;
  remove(id: string): Promise<void>;
};

export function createKeychain(): Keychain {
  return {
    keep: async (id, text, signal) => {
      try {
        await (await entryOf(id)).setPassword(text, signal);
        return true;
      } catch {
        signal.throwIfAborted();
        return false;
      }
    },
    read: async (id, signal) => {
      const found = await ask(id, signal);
      if (found === null) throw locked('the keychain holds no key of the secrets');
      return found;
    },
    remove: async (id) => {
      // A key that opens nothing any more does no harm where it lies.
      await entryOf(id)
        .then((entry) => entry.deleteCredential())
        .catch(() => false);
    },
  };
}

async function ask(id: string, signal: AbortSignal): Promise<string | null> {
  try {
    return await (await entryOf(id)).getPassword(signal);
  } catch (thrown) {
    signal.throwIfAborted();
    throw locked(`the keychain cannot be read: ${reasonOf(thrown)}`, thrown);
  }
}

/** Pinned: the library's own fallback is a keyring of the kernel, which the next start empties. */
async function entryOf(id: string): Promise<AsyncEntry> {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  return new AsyncEntry(service, id, { linux: { store: 'secret-service' } });
}

function locked(message: string, cause?: unknown): KernelError {
  return new KernelError('unavailable', message, {
    cause,
    hint: 'Run it in the session that unlocks the keychain; or remove the secrets and set them again.',
  });
}
