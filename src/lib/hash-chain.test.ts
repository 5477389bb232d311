import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createLeafOf, firstLink, linkOf } from './hash-chain.ts';

describe('createLeafOf()', () => {
  it('is HMAC-SHA-256, for contents of any length', () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef');
    const leafOf = createLeafOf(key);
    for (const content of ['', 'a', 'ü'.repeat(3000), 'x'.repeat(70_000), 'a'])
      expect(leafOf(content)).toEqual(createHmac('sha256', key).update(content).digest('hex'));
  });

  it('refuses a key of another length', () => {
    expect(() => createLeafOf(Buffer.alloc(31))).toThrow(/31 bytes/);
  });
});

describe('linkOf()', () => {
  it('changes with each of its parts', () => {
    const leaf = '01'.repeat(32);
    const links = [
      linkOf(firstLink, leaf, 'a'),
      linkOf(leaf, leaf, 'a'),
      linkOf(firstLink, firstLink, 'a'),
      linkOf(firstLink, leaf, 'b'),
    ];
    expect(new Set(links).size).toBe(4);
  });
});
