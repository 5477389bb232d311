import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seal, sealKeyBytes, unseal } from './secrets-key.ts';

const key = randomBytes(sealKeyBytes);

describe('seal()', () => {
  it('gives back any text to the same key and the same place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, about) => {
        expect(unseal(key, seal(key, text, about), about)).toBe(text);
      }),
    );
  });

  it('shows nothing of the text and is another each time', () => {
    const sealed = seal(key, 'a-very-s3cret-value', 'A');
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('s3cret');
    expect(sealed).not.toBe(seal(key, 'a-very-s3cret-value', 'A'));
  });
});

describe('unseal()', () => {
  it('gives nothing to another key or another place', () => {
    const sealed = seal(key, 'text', 'for https://a.org');
    expect(unseal(randomBytes(sealKeyBytes), sealed, 'for https://a.org')).toBeUndefined();
    expect(unseal(key, sealed, 'for https://b.org')).toBeUndefined();
  });

  it('gives nothing for bytes with one changed bit, or too few bytes', () => {
    const sealed = Buffer.from(seal(key, 'text', 'A'), 'base64');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(unseal(key, changed.toString('base64'), 'A')).toBeUndefined();
    }
    expect(unseal(key, sealed.subarray(0, 27).toString('base64'), 'A')).toBeUndefined();
    expect(unseal(key, '', 'A')).toBeUndefined();
  });
});
