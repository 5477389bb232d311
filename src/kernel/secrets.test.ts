import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KernelError } from '../contracts/error.ts';
import { parseSecret, parseSecretsFile } from './parse-secrets.ts';
import { openSecrets } from './secrets.ts';

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

describe('openSecrets()', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'cuervo-secrets-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));
  const file = (): string => join(home, 'secrets.toml');

  it('keeps, replaces, finds and removes, in a file for its owner alone', () => {
    const secrets = openSecrets(home);
    expect(secrets.find('API_TOKEN')).toBeUndefined();
    secrets.set(good);
    secrets.set({ ...good, name: 'AAA' });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(openSecrets(home).find('API_TOKEN')).toEqual(good);
    secrets.set({ ...good, value: 'another value' });
    expect(secrets.entries().map(({ name }) => name)).toEqual(['AAA', 'API_TOKEN']);
    expect(secrets.find('API_TOKEN')?.value).toBe('another value');
    expect(readFileSync(file(), 'utf8')).not.toContain('API_TOKEN"\nvalue = "v4lue');
    expect(secrets.remove('API_TOKEN')).toBe(true);
    expect(secrets.remove('API_TOKEN')).toBe(false);
    expect(secrets.find('API_TOKEN')).toBeUndefined();
  });

  it('takes what is open to others back when it writes', () => {
    writeFileSync(file(), '', { mode: 0o644 });
    openSecrets(home).set(good);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });
});

describe('parseSecret()', () => {
  it('takes a name, a value and origins', () => {
    expect(parseSecret(good)).toEqual(good);
  });

  it.each([
    [{ name: 'a b' }, 'the name of a secret is no name'],
    [{ name: '' }, 'the name of a secret is no name'],
    [{ name: '../x' }, 'the name of a secret is no name'],
    [{ value: 'short' }, 'the value has fewer than 8 characters'],
    [{ value: 'x'.repeat(4097) }, 'the value has more than 4096 characters'],
    [{ value: 'two\r\nlines' }, 'the value holds more than printable ASCII'],
    [{ value: 'schlüssel' }, 'the value holds more than printable ASCII'],
    [{ value: ' led by a space' }, 'the value begins or ends with a space'],
    [{ origins: [] }, '--for names no origin'],
    [{ origins: ['https://api.example.org/v1'] }, '--for is no origin: write the origin as'],
    [{ origins: ['http://api.example.org'] }, '--for is no origin: plain http'],
  ])('refuses %j and never shows the value', (change, says) => {
    const given = { ...good, ...change };
    const text = refusal(() => parseSecret(given));
    expect(text).toContain(says);
    expect(text).not.toContain(given.value);
  });
});

describe('parseSecretsFile()', () => {
  const entry = (value: string, more = ''): string =>
    `[[secret]]\nname = "A"\nvalue = ${value}\norigins = ["https://a.org"]\n${more}`;

  it.each([
    [entry('"hidden-value'), 'line 3 is not TOML'],
    [entry('"hidden-value" x'), 'line 3 is not TOML'],
    [entry('["hidden-value"]'), 'secret 0.value is no string'],
    [entry('"hidden"'), 'secret 0.value has fewer than 8'],
    [entry('"hidden-value"', 'to = "x"\n'), 'secret 0.to is no field'],
    [
      '[[secret]]\nname = "A"\nvalue = "hidden-value"\n',
      'secret 0.origins is no field, or one is missing',
    ],
    [entry('"hidden-value"') + entry('"hidden-value"'), 'holds the secret A twice'],
    ['[secret]\nA = "hidden-value"\n', 'is no list of [[secret]]'],
    ['A = "hidden-value"\n', 'is no field'],
  ])('refuses %j without a word of the value', (text, says) => {
    const told = refusal(() => parseSecretsFile(text));
    expect(told).toContain(says);
    expect(told).not.toContain('hidden');
  });

  it('reads an empty file as no secrets', () => {
    expect(parseSecretsFile('# nothing\n')).toEqual([]);
  });
});
