import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KernelError } from '../contracts/error.ts';
import type { AskPassphrase } from '../contracts/secrets.ts';
import { parseSecret, parseSecretsFile } from './parse-secrets.ts';
import { openSecrets } from './secrets.ts';
import { createSecretKeys, type Keychain } from './secrets-key.ts';

const origins = ['https://api.example.org'];
const good = { name: 'API_TOKEN', value: 'v4lue "quoted" \\ #', origins };

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(KernelError);
    expect((thrown as KernelError).code).toBe('invalid-argument');
    return `${(thrown as KernelError).message} ${(thrown as KernelError).hint}`;
  }
  return expect.unreachable('it was taken');
}

const never = new AbortController().signal;
const noKeychain: Keychain = {
  keep: async () => false,
  read: async () => expect.unreachable('it was asked'),
  remove: async () => {},
};
const keysWith = (passphrase: string | undefined, ask?: AskPassphrase) =>
  createSecretKeys({ keychain: noKeychain, passphrase, ask });

describe('openSecrets()', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'cuervo-secrets-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));
  const file = (): string => join(home, 'secrets.toml');
  const text = (): string => readFileSync(file(), 'utf8');
  const open = (passphrase = 'correct horse') => openSecrets(home, keysWith(passphrase));

  it('keeps, replaces, finds and removes, sealed, in a file for its owner alone', async () => {
    const secrets = open();
    expect(secrets.find('API_TOKEN')).toBeUndefined();
    await secrets.set(good, never);
    await secrets.set({ ...good, name: 'AAA' }, never);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const later = open();
    await later.unlock(never);
    expect(later.find('API_TOKEN')).toEqual(good);
    await secrets.set({ ...good, value: 'another value' }, never);
    expect(secrets.list().map(({ name }) => name)).toEqual(['AAA', 'API_TOKEN']);
    expect(later.find('API_TOKEN')?.value).toBe('another value');
    expect(text()).not.toMatch(/v4lue|another|horse/);
    expect(await secrets.remove('API_TOKEN')).toBe(true);
    expect(await secrets.remove('API_TOKEN')).toBe(false);
    expect(secrets.find('API_TOKEN')).toBeUndefined();
  });

  it('keeps all that are the first at once, under one key', async () => {
    const names = ['A', 'B'];
    await Promise.all(names.map((name) => open().set({ ...good, name }, never)));
    const later = open();
    await later.unlock(never);
    expect(names.map((name) => later.find(name)?.value)).toEqual(names.map(() => good.value));
    rmSync(file());
    const other = [open().set(good, never), open('another horse').set(good, never)];
    const refused = (await Promise.allSettled(other)).filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'permission-denied' } }]);
  });

  it('takes what is open to others back when it writes', async () => {
    writeFileSync(file(), '', { mode: 0o644 });
    await open().set(good, never);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('opens with its own passphrase alone, and says nothing of a value', async () => {
    await open().set(good, never);
    await expect(open('another horse').unlock(never)).rejects.toMatchObject({
      code: 'permission-denied',
      message: 'the passphrase does not open the secrets',
    });
    const locked = openSecrets(home, keysWith(undefined));
    await expect(locked.unlock(never)).rejects.toMatchObject({ code: 'permission-denied' });
    expect(locked.has('API_TOKEN')).toBe(true);
    expect(() => locked.find('API_TOKEN')).toThrow('the secrets are sealed');
  });

  it('does not open a secret whose name or origins were changed in the file', async () => {
    const secrets = open();
    await secrets.set(good, never);
    writeFileSync(file(), text().replace(good.origins[0] ?? '', 'https://evil.example'));
    expect(secrets.list()[0]?.origins).toEqual(['https://evil.example']);
    expect(() => secrets.find('API_TOKEN')).toThrow('the secret API_TOKEN does not open');
    await secrets.set(good, never);
    expect(secrets.find('API_TOKEN')).toEqual(good);
  });

  it('asks a person once, again after a wrong answer, and not for ever', async () => {
    const asked: string[] = [];
    const answers = (...words: string[]): AskPassphrase => {
      return async (what) => {
        asked.push(what);
        return words.shift() ?? 'wrong';
      };
    };
    await openSecrets(home, keysWith(undefined, answers('correct horse'))).set(good, never);
    const secrets = openSecrets(home, keysWith(undefined, answers('wrong', 'correct horse')));
    await secrets.unlock(never);
    await secrets.unlock(never);
    expect(secrets.find('API_TOKEN')).toEqual(good);
    expect(asked).toEqual(['new', 'known', 'known']);
    const unknown = openSecrets(home, keysWith(undefined, answers()));
    await expect(unknown.unlock(never)).rejects.toMatchObject({ code: 'permission-denied' });
    expect(asked).toHaveLength(6);
  });

  it('keeps nothing under a short passphrase, or where nobody can be asked', async () => {
    await expect(open('seven77').set(good, never)).rejects.toMatchObject({
      message: expect.stringContaining('has 7 characters'),
      hint: expect.stringContaining('CUERVO_SECRETS_PASSPHRASE'),
    });
    const nobody = openSecrets(home, keysWith(undefined));
    await expect(nobody.set(good, never)).rejects.toMatchObject({ code: 'permission-denied' });
    expect(existsSync(file())).toBe(false);
  });
});

describe('parseSecret()', () => {
  it('takes a name, a value and origins', () => {
    expect(parseSecret(good)).toEqual(good);
  });

  it.each([
    [{ name: 'a b' }, 'the name of a secret is not a name'],
    [{ name: '' }, 'the name of a secret is not a name'],
    [{ name: '../x' }, 'the name of a secret is not a name'],
    [{ value: 'short' }, 'the value has fewer than 8 characters'],
    [{ value: 'x'.repeat(4097) }, 'the value has more than 4096 characters'],
    [{ value: 'two\r\nlines' }, 'the value holds more than printable ASCII'],
    [{ value: 'schlüssel' }, 'the value holds more than printable ASCII'],
    [{ value: ' led by a space' }, 'the value begins or ends with a space'],
    [{ origins: [] }, '--for names no origin'],
    [
      { origins: ['https://api.example.org/v1'] },
      '--for "https://api.example.org/v1" is not an origin: write the origin as https://api.example.org',
    ],
    [
      { origins: [...origins, 'http://api.example.org'] },
      '--for "http://api.example.org" is not an origin: plain http',
    ],
    [
      { origins: ['api.example.org'] },
      '--for "api.example.org" is not an origin: an origin is a scheme and a host, as in https://example.org',
    ],
    [
      { origins: ['http:https://api.example.org'] },
      'is not an origin: leave out the "http:" of the grant: https://api.example.org',
    ],
    [
      { origins: ['http:https://\u001b.org'] },
      'is not an origin: an origin is a scheme and a host',
    ],
  ])('refuses %j and never shows the value', (change, says) => {
    const given = { ...good, ...change };
    const text = refusal(() => parseSecret(given));
    expect(text).toContain(says);
    expect(text).not.toContain(given.value);
  });
});

describe('parseSecretsFile()', () => {
  const key = '[key]\nplace = "passphrase"\nid = "AAAAAAAAAAAAAAAAAAAAAA"\ncheck = "x"\n';
  const entry = (sealed: string, more = ''): string =>
    `[[secret]]\nname = "A"\nsealed = ${sealed}\norigins = ["https://a.org"]\n${more}`;

  it.each([
    [entry('"hidden'), 'line 3 is not TOML'],
    [entry('"hidden" x'), 'line 3 is not TOML'],
    [key + entry('["hidden"]'), 'secret.0.sealed is not a string'],
    [key + entry('"hidden"', 'to = "x"\n'), 'secret.0.to is not a field'],
    [key + entry('"hidden"', 'value = "hidden-value"\n'), 'secret.0.value is not a field'],
    [
      `${key}[[secret]]\nname = "A"\nsealed = "hidden"\n`,
      'secret.0.origins is not a field, or one is missing',
    ],
    [key + entry('"hidden"') + entry('"hidden"'), 'holds the secret A twice'],
    [entry('"hidden"'), 'names no key'],
    [key.replace('passphrase', 'pocket'), 'key.place is neither keychain nor passphrase'],
    [key.replace('AAAA', '../'), 'key.id is not an id'],
    ['[secret]\nA = "hidden"\n', 'is not a list of [[secret]]'],
    ['A = "hidden"\n', 'is not a field'],
  ])('refuses %j without a word of the value', (text, says) => {
    const told = refusal(() => parseSecretsFile(text));
    expect(told).toContain(says);
    expect(told).not.toContain('hidden');
  });

  it('reads an empty file as no secrets', () => {
    expect(parseSecretsFile('# nothing\n')).toEqual({ secrets: [] });
    expect(parseSecretsFile(key + entry('"hidden"')).secrets).toHaveLength(1);
  });
});
