import { join } from 'node:path';
import type { Secret, Secrets } from '../contracts/secrets.ts';
import { withLockFile } from '../host/with-lock-file.ts';
import { readTextIfPresent } from '../lib/read-text-if-present.ts';
import { writeFileWhole } from '../lib/write-file-whole.ts';
import { formatSecretsFile, parseSecretsFile } from './parse-secrets.ts';

/** `secrets.toml`, read at every use: a secret that was removed is not sent any more. */
export type SecretsFile = Secrets & {
  /** by name */
  entries(): Secret[];
  /** Instead of one of the same name. */
  set(secret: Secret): void;
  /** @returns whether it was there */
  remove(name: string): boolean;
};

export function secretsPath(home: string): string {
  return join(home, 'secrets.toml');
}

/** @param home must be there before anything is changed */
export function openSecrets(home: string): SecretsFile {
  const path = secretsPath(home);
  const entries = (): Secret[] =>
    parseSecretsFile(readTextIfPresent(path) ?? '').sort((a, b) => (a.name < b.name ? -1 : 1));
  const write = (secrets: readonly Secret[]): void =>
    writeFileWhole(path, formatSecretsFile(secrets), { mode: 0o600 });
  return {
    entries,
    find: (name) => entries().find((secret) => secret.name === name),
    set: (secret) =>
      withLockFile(`${path}.busy`, () => {
        write([...entries().filter(({ name }) => name !== secret.name), secret]);
      }),
    remove: (name) =>
      withLockFile(`${path}.busy`, () => {
        const now = entries();
        const left = now.filter((secret) => secret.name !== name);
        if (left.length === now.length) return false;
        write(left);
        return true;
      }),
  };
}
