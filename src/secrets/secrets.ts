import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import type { Secret, Secrets } from '../contracts/secrets.ts';
import { changeAlone } from '../lib/files/lock-file.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import {
  formatSecretsFile,
  type KeyEntry,
  parseSecretsFile,
  type SealedSecret,
  type SecretsText,
} from './parse-secrets.ts';
import { type SecretKeys, seal, unseal } from './secrets-key.ts';
/** All of a secret but its value. */
export type NamedSecret = Pick<Secret, 'name' | 'origins'>;

/** `secrets.toml`, read at every use: a secret that was removed is not sent any more. */
export type SecretsFile = Secrets & {
  list(): NamedSecret[];
  /** Instead of one of the same name. @throws {KernelError} when there is no key to seal it with */
  set(secret: Secret, signal: AbortSignal): Promise<void>;
  /** @returns whether it was there */
  remove(name: string): Promise<boolean>;
};

export function secretsPath(home: string): string {
  return join(home, 'secrets.toml');
}

/** The part of the file that needs no key: names and origins. */
export function readSecrets(home: string): SecretsText {
  return parseSecretsFile(readTextIfPresent(secretsPath(home)) ?? '');
}

/** @param home must be there before anything is changed */
export function openSecrets(home: string, keys: SecretKeys): SecretsFile {
  const path = secretsPath(home);
  const read = (): SecretsText => readSecrets(home);
  const write = (text: SecretsText): void =>
    writeFileWhole(path, formatSecretsFile(text), { mode: 0o600 });
  const inTurn = <Value>(work: () => Value): Value => changeAlone(path, work);
  /** @returns the key that the file has by now in place of `entry`; nothing was written then */
  const keep = (secret: Secret, entry: KeyEntry, key: Uint8Array): KeyEntry | undefined =>
    inTurn(() => {
      const now = read();
      if (now.key !== undefined && now.key.id !== entry.id) return now.key;
      const { name, origins } = secret;
      const others = now.secrets.filter((each) => each.name !== name);
      const sealed = { name, origins: [...origins], sealed: '' };
      sealed.sealed = seal(key, secret.value, aboutOf(sealed));
      write({ key: entry, secrets: [...others, sealed] });
      return undefined;
    });
  return {
    list: () =>
      read()
        .secrets.map(({ name, origins }) => ({ name, origins }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    has: (name) => read().secrets.some((secret) => secret.name === name),
    unlock: async (signal) => {
      const { key } = read();
      if (key !== undefined) await keys.open(key, signal);
    },
    find: (name) => {
      const { key: entry, secrets } = read();
      const sealed = secrets.find((secret) => secret.name === name);
      const key = entry === undefined ? undefined : keys.opened(entry);
      if (sealed === undefined) return undefined;
      if (key === undefined) throw new KernelError('unavailable', 'the secrets are sealed');
      const value = unseal(key, sealed.sealed, aboutOf(sealed));
      if (value !== undefined) return { name, value, origins: sealed.origins };
      throw new KernelError('unavailable', `the secret ${name} does not open: it was changed`, {
        hint: `Set it again with: cuervo secret set ${name} --for ${sealed.origins.join(' --for ')}`,
      });
    },
    set: async (secret, signal) => {
      // Keys outside of the turn: a person may take their time.
      const known = read().key;
      const entry = known ?? (await keys.make(signal));
      const other = keep(secret, entry, await keys.open(entry, signal));
      if (other === undefined) return;
      // When two processes keep the first secret at once, the key of the one that wrote counts for both.
      if (known === undefined) await keys.forget(entry);
      if (keep(secret, other, await keys.open(other, signal)) !== undefined) throw otherKey();
    },
    remove: async (name) => {
      const removed = inTurn((): { last?: KeyEntry } | undefined => {
        const { key, secrets } = read();
        const left = secrets.filter((secret) => secret.name !== name);
        if (key === undefined || left.length === secrets.length) return undefined;
        write({ key, secrets: left });
        return left.length === 0 ? { last: key } : {};
      });
      if (removed?.last !== undefined) await keys.forget(removed.last);
      return removed !== undefined;
    },
  };
}

/** A value opens under its own name and for its own origins alone. */
function aboutOf({ name, origins }: Pick<SealedSecret, 'name' | 'origins'>): string {
  return JSON.stringify([name, origins]);
}

function otherKey(): KernelError {
  return new KernelError(
    'conflict',
    'another process replaced secrets.toml at the same time and used another key',
    {
      hint: 'Set this one again.',
    },
  );
}
