import { openSecrets } from '../../../src/secrets/secrets.ts';
import { createKeychain, createSecretKeys } from '../../../src/secrets/secrets-key.ts';

/**
 * Uses the secrets of a home by the real keychain of the machine and nothing else.
 *
 * Arguments: home, then `set`, `find` or `remove`. Prints the value that was found, or what went wrong.
 */
const [home = '', what = ''] = process.argv.slice(2);
const { signal } = new AbortController();
const keys = createSecretKeys({
  keychain: createKeychain(),
  passphrase: undefined,
  ask: undefined,
});
const secrets = openSecrets(home, keys);
try {
  if (what === 'set') {
    const origins = ['https://api.example.org'];
    await secrets.set({ name: 'API_TOKEN', value: 'a-very-s3cret-value', origins }, signal);
  }
  if (what === 'remove') await secrets.remove('API_TOKEN');
  await secrets.unlock(signal);
  console.log(`found ${secrets.find('API_TOKEN')?.value}`);
} catch (thrown) {
  console.log(`failed: ${(thrown as Error).message}`);
}
