import type { AsyncEntry } from '@napi-rs/keyring';
import { KernelError, reasonOf } from '../contracts/error.ts';

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
