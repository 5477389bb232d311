import { KernelError } from '../contracts/error.ts';
import type { Secret } from '../contracts/secrets.ts';
import { parseSecret } from './parse-secrets.ts';
import type { SecretsFile } from './secrets.ts';

/** One line of `secret list --json`: all of it but the value. */
export type ListedSecret = Pick<Secret, 'name' | 'origins'>;

export type SecretCommands = {
  /**
   * Keeps a secret, instead of one of the same name.
   *
   * @throws {KernelError} `invalid-argument`, which never shows the value
   */
  set(secret: Secret): Promise<ListedSecret>;
  list(): ListedSecret[];
  /** @throws {KernelError} `not-found` */
  remove(name: string): Promise<void>;
};

export function createSecretCommands(ports: {
  secrets: SecretsFile;
  openHome(): void;
  /** Journals a change from before it is made until it is done. */
  journaled<Value>(command: string, what: string, change: () => Value): Promise<Value>;
}): SecretCommands {
  const { secrets, openHome, journaled } = ports;
  return {
    set: async (given) => {
      const { name, value, origins } = parseSecret(given);
      openHome();
      const what = `${name} --for ${origins.join(' ')}`;
      await journaled('secret set', what, () => secrets.set({ name, value, origins }));
      return { name, origins };
    },
    list: () => secrets.entries().map(({ name, origins }) => ({ name, origins })),
    remove: async (name) => {
      if (secrets.find(name) === undefined) {
        throw new KernelError(
          'not-found',
          `there is no secret of the name ${JSON.stringify(name)}`,
          {
            hint: 'See which there are with: cuervo secret list',
          },
        );
      }
      await journaled('secret remove', name, () => secrets.remove(name));
    },
  };
}
