import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncateMiddle } from './truncate-middle.ts';

const unicode = fc.string({ unit: 'grapheme', maxLength: 600 });

describe('truncateMiddle()', () => {
  it('leaves a text that fits as it is', () => {
    expect(truncateMiddle('ähnlich', 8)).toEqual({ text: 'ähnlich', omittedBytes: 0 });
    expect(truncateMiddle('', 0)).toEqual({ text: '', omittedBytes: 0 });
  });

  it('keeps 60 % of the head, 30 % of the tail and states the omitted bytes (T-34)', () => {
    const text = `${'a'.repeat(5_000)}${'b'.repeat(5_000)}`;
    const cut = truncateMiddle(text, 1_000);
    expect(cut.text).toBe(`${'a'.repeat(600)}\n[… 9100 bytes omitted …]\n${'b'.repeat(300)}`);
    expect(cut.omittedBytes).toBe(9_100);
  });

  it('splits no character', () => {
    const cut = truncateMiddle('🐦'.repeat(200), 102);
    expect(cut.text).not.toContain('\ufffd');
    expect(cut.text).toMatch(/^🐦+\n\[… \d+ bytes omitted …\]\n🐦+$/u);
  });

  it('gives the first bytes alone where the marker has no room', () => {
    expect(truncateMiddle('abcdefghij'.repeat(10), 5)).toEqual({ text: 'abcde', omittedBytes: 95 });
    expect(truncateMiddle('🐦🐦', 3)).toEqual({ text: '', omittedBytes: 8 });
  });

  it('never exceeds the limit, and what is kept plus what is omitted is the whole', () => {
    fc.assert(
      fc.property(unicode, fc.nat(700), (text, maxBytes) => {
        const cut = truncateMiddle(text, maxBytes);
        expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(
          Math.max(maxBytes, cut.omittedBytes === 0 ? Buffer.byteLength(text) : 0),
        );
        expect(cut.text.includes('\ufffd')).toBe(
          text.includes('\ufffd') && cut.text.includes('\ufffd'),
        );
        const marker = /\n\[… (\d+) bytes omitted …\]\n/.exec(cut.text);
        const kept =
          Buffer.byteLength(cut.text) - (marker === null ? 0 : Buffer.byteLength(marker[0]));
        expect(kept + cut.omittedBytes).toBe(Buffer.byteLength(text));
        if (marker !== null) expect(Number(marker[1])).toBe(cut.omittedBytes);
      }),
    );
  });
});
