import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncateMiddle } from './truncate-middle.ts';

const unicode = fc.string({ unit: 'grapheme', maxLength: 600 });

describe('truncateMiddle()', () => {
  it('leaves a text that fits as it is', () => {
    expect(truncateMiddle('ähnlich', 8)).toBe('ähnlich');
    expect(truncateMiddle('', 0)).toBe('');
  });

  it('keeps 60 % of the head, 30 % of the tail and states the omitted bytes (T-34)', () => {
    const text = `${'a'.repeat(5_000)}${'b'.repeat(5_000)}`;
    const cut = truncateMiddle(text, 1_000);
    expect(cut).toBe(`${'a'.repeat(600)}\n[… 9100 bytes omitted …]\n${'b'.repeat(300)}`);
  });

  it('splits no character', () => {
    const cut = truncateMiddle('🐦'.repeat(200), 102);
    expect(cut).not.toContain('\ufffd');
    expect(cut).toMatch(/^🐦+\n\[… \d+ bytes omitted …\]\n🐦+$/u);
  });

  it('gives the first bytes alone where the marker has no room', () => {
    expect(truncateMiddle('abcdefghij'.repeat(10), 5)).toBe('abcde');
    expect(truncateMiddle('🐦🐦', 3)).toBe('');
  });

  it('never exceeds the limit, and what is kept plus what is omitted is the whole', () => {
    fc.assert(
      fc.property(unicode, fc.nat(700), (text, maxBytes) => {
        const cut = truncateMiddle(text, maxBytes);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes);
        const [head = '', omitted = '0', tail = ''] = cut.split(/\n\[… (\d+) bytes omitted …\]\n/);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        const kept = Buffer.byteLength(head + tail);
        if (cut !== head) expect(kept + Number(omitted)).toBe(Buffer.byteLength(text));
      }),
    );
  });
});
