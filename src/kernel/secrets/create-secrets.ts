import { createKeychain } from '../../secrets/keychain.ts';
import { openSecrets, type SecretsFile } from '../../secrets/secrets.ts';
import { createSecretKeys } from '../../secrets/secrets-key.ts';
import type { KernelCore } from '../core.ts';
import { createSecretCommands, type SecretCommands } from './secrets-commands.ts';

/** Secrets of requests, sealed by a keychain or a passphrase. */
export type KernelSecrets = { file: SecretsFile; commands: SecretCommands };

export function createSecrets({ config, options, openHome, journaled }: KernelCore): KernelSecrets {
  const keys = createSecretKeys({
    keychain: createKeychain(),
    passphrase: config.secretsPassphrase,
    ask: options.askPassphrase,
  });
  const file = openSecrets(config.home, keys);
  return { file, commands: createSecretCommands({ secrets: file, openHome, journaled }) };
}
