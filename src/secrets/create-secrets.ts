import type { Config } from '../contracts/config.ts';
import { KernelError } from '../contracts/error.ts';
import type { ListedSecret } from '../contracts/output/parse-plugin-output.ts';
import type { AskPassphrase, Secret } from '../contracts/secrets.ts';
import { parseSecret } from './parse-secrets.ts';
import { openSecrets, type SecretsFile } from './secrets.ts';
import { createKeychain, createSecretKeys } from './secrets-key.ts';

/** Secrets of requests, sealed by a keychain or a passphrase. */
export type KernelSecrets = { file: SecretsFile; commands: SecretCommands };

type SecretPorts = {
  openHome(): void;
  /** Journals a change from before it is made until it is done. */
  journaled<Value>(command: string, what: string, change: () => Promise<Value>): Promise<Value>;
};

export function createSecrets({
  config,
  options,
  ...ports
}: SecretPorts & {
  config: Pick<Config, 'home' | 'secretsPassphrase'>;
  options: { askPassphrase?: AskPassphrase };
}): KernelSecrets {
  const keys = createSecretKeys({
    keychain: createKeychain(),
    passphrase: config.secretsPassphrase,
    ask: options.askPassphrase,
  });
  const file = openSecrets(config.home, keys);
  return { file, commands: createSecretCommands(file, ports) };
}

export type SecretCommands = {
  /**
   * Keeps a secret, instead of one of the same name.
   *
   * @throws {KernelError} `invalid-argument`, which never shows the value; `permission-denied`
   *   when nothing is there to seal it with
   */
  set(secret: Secret, options?: { signal?: AbortSignal }): Promise<ListedSecret>;
  list(): ListedSecret[];
  /** @throws {KernelError} `not-found` */
  remove(name: string): Promise<void>;
};

function createSecretCommands(
  secrets: SecretsFile,
  { openHome, journaled }: SecretPorts,
): SecretCommands {
  return {
    set: async (given, { signal = new AbortController().signal } = {}) => {
      const { name, value, origins } = parseSecret(given);
      openHome();
      const what = `${name} --for ${origins.join(' ')}`;
      await journaled('secret set', what, () => secrets.set({ name, value, origins }, signal));
      return { name, origins };
    },
    list: () => secrets.list(),
    remove: async (name) => {
      if (!secrets.has(name)) {
        throw KernelError.unknownName(`there is no secret named ${JSON.stringify(name)}`, {
          name,
          names: secrets.list().map((secret) => secret.name),
          hint: 'See the secrets with: cuervo secret list',
        });
      }
      await journaled('secret remove', name, () => secrets.remove(name));
    },
  };
}
