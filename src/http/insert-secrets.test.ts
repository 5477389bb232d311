import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hideEcho } from './insert-secrets.ts';

const secretOf = (value: string) => ({ name: 'TOKEN', value, origins: ['https://example.org'] });
const hide = (bytes: Buffer, value: string): string =>
  hideEcho(bytes, [secretOf(value)], 1_000_000).toString('latin1');

const value = `s3cr3t+/&"'<value>%*`;

describe('hideEcho()', () => {
  it.each([
    ['as it is', value],
    ['URL-encoded', encodeURIComponent(value)],
    ['URL-encoded with small letters', encodeURIComponent(value).toLowerCase()],
    ['every byte URL-encoded', [...Buffer.from(value)].map((b) => `%${b.toString(16)}`).join('')],
    ['in JSON', JSON.stringify({ token: value })],
    ['in JSON with escaped slashes', value.replaceAll('/', '\\/')],
    [
      'in HTML',
      value
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;'),
    ],
    ['in hex', Buffer.from(value).toString('hex')],
    ['in HEX', Buffer.from(value).toString('hex').toUpperCase()],
  ])('hides it %s', (_, text) => {
    const hidden = hide(Buffer.from(`before ${text} after`), value);
    expect(hidden).toMatch(/^before .*\[secret TOKEN\].* after$/);
    expect(hidden).not.toContain('s3cr3t');
    expect(hidden.toLowerCase()).not.toContain(Buffer.from('s3cr3t').toString('hex'));
  });

  it('hides it in UTF-16', () => {
    for (const bytes of [Buffer.from(value, 'utf16le'), Buffer.from(value, 'utf16le').swap16()]) {
      expect(hide(bytes, value)).toBe('[secret TOKEN]');
    }
  });

  it('hides it in base64 and base64url of any longer text', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 5 }),
        fc.uint8Array({ maxLength: 5 }),
        fc.string({ unit: 'grapheme-ascii', minLength: 12, maxLength: 40 }),
        fc.constantFrom('base64' as const, 'base64url' as const),
        (before, after, secret, encoding) => {
          const encoded = Buffer.concat([before, Buffer.from(secret), after]).toString(encoding);
          const hidden = hide(Buffer.from(encoded), secret);
          const [left, right = ''] = hidden.split('[secret TOKEN]');
          expect(hidden).toContain('[secret TOKEN]');
          // What is left holds the neighbours and at most a few bits of the secret.
          const rest = (left?.length ?? 0) + right.replaceAll('=', '').length;
          expect(rest).toBeLessThanOrEqual(Math.ceil(((before.length + after.length) * 8) / 6) + 2);
        },
      ),
      { seed: 20_261_122, numRuns: 500 },
    );
  });

  it('hides what a base64 secret stands for', () => {
    const basic = Buffer.from('anna:correct horse').toString('base64');
    expect(hide(Buffer.from('hello anna:correct horse!'), basic)).toBe('hello [secret TOKEN]!');
  });

  it('hides several secrets, each as often as it stands there', () => {
    const sent = [
      { ...secretOf('first-value'), name: 'ONE' },
      { ...secretOf('second-value'), name: 'TWO' },
    ];
    const body = Buffer.from('first-value second-value first-value');
    expect(hideEcho(body, sent, 1000).toString()).toBe('[secret ONE] [secret TWO] [secret ONE]');
  });

  it('leaves other bytes as they are', () => {
    const bytes = Buffer.from([0, 255, 128, ...Buffer.from('s3cr3t but not all of it')]);
    expect(hideEcho(bytes, [secretOf(value)], 1000)).toBe(bytes);
  });

  it('does not grow above the limit', () => {
    const sent = [{ ...secretOf('12345678'), name: 'N'.repeat(64) }];
    const body = Buffer.from('12345678'.repeat(10));
    expect(() => hideEcho(body, sent, 80)).toThrow(/more than 80 bytes/);
    expect(hideEcho(body, sent, 800).byteLength).toBe(10 * (64 + 9));
  });
});
