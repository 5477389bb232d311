import { describe, expect, it } from 'vitest';
import { cutMiddle } from './cut-middle.ts';

describe('cutMiddle()', () => {
  it('leaves short text alone', () => {
    expect(cutMiddle('abc', 3)).toBe('abc');
  });

  it('keeps whole lines of both ends, and says what is left out', () => {
    const text = Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join('');
    const cut = cutMiddle(text, 100);
    expect(cut).toMatch(/^line 0\n[\s\S]*\n… \d+ characters, \d+ lines are left out …\n/);
    expect(cut.endsWith('line 99\n')).toBe(true);
    expect(cut.length).toBeLessThan(200);
  });

  it('cuts a text of one line', () => {
    expect(cutMiddle('x'.repeat(100), 10)).toBe(
      `xxxxx… 90 characters, 0 lines are left out …\nxxxxx`,
    );
  });
});
