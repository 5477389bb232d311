import { describe, expect, it } from 'vitest';
import { createPrefilter } from './match-lines.ts';

/** As a reader leaves it: the text at the start of one buffer, and behind it what was there. */
function fill(buffer: Buffer, text: string): number {
  return buffer.write(text, 0, 'utf8');
}

function passes(needles: readonly string[], texts: readonly string[]): boolean[] {
  const buffer = Buffer.alloc(256 * 1024);
  const filter = createPrefilter(needles.map((needle) => Buffer.from(needle)));
  return texts.map((text) => {
    buffer.fill(0);
    return filter(buffer, fill(buffer, text));
  });
}

describe('createPrefilter()', () => {
  it.each([
    'moonrakerHandshake',
    'eee',
    'Q',
    'xQ',
    'readLedger_',
    'naïve café',
    '日本語のテキスト',
    'a'.repeat(300),
  ])('passes a text with the needle in any place, and none with a part of it: %s', (needle) => {
    const filler = '-'.repeat(700);
    const parts = [needle.slice(1), needle.slice(0, -1)].filter((part) => part !== '');
    const without = ['', filler, ...parts.filter((part) => !part.includes(needle))];
    const within = [needle, filler + needle, needle + filler, `${filler}${needle}${filler}`];
    expect(passes([needle], without)).toEqual(without.map(() => false));
    expect(passes([needle], within)).toEqual(within.map(() => true));
  });

  it('passes a text with any of several needles', () => {
    const texts = ['one alpha', 'one gamma', 'one delta', 'ALPHA'];
    expect(passes(['alpha', 'gamma'], texts)).toEqual([true, true, false, false]);
  });

  it('does not look into UTF-16, nor for nothing', () => {
    const filter = createPrefilter([Buffer.from('alpha')]);
    expect(filter(Buffer.from([0xff, 0xfe, 0x61, 0]), 4)).toBe(true);
    expect(filter(Buffer.from('none'), 4)).toBe(false);
    expect(passes([], ['', 'anything'])).toEqual([true, true]);
  });

  it('finds the needle in a longer text than the views that it keeps, and in another buffer', () => {
    const filter = createPrefilter([Buffer.from('needle')]);
    for (const size of [100, 70_000, 100, 300_000, 512, 511, 513]) {
      const buffer = Buffer.alloc(size + 1, '-');
      expect(filter(buffer, size)).toBe(false);
      buffer.write('needle', size - 6);
      expect(filter(buffer, size)).toBe(true);
    }
  });

  it('lets everything pass once the needle has turned out to be in most files', () => {
    const often = Array.from({ length: 100 }, () => 'the needle');
    expect(passes(['needle'], [...often, 'none']).at(-1)).toBe(true);
    const seldom = Array.from({ length: 100 }, () => 'none');
    expect(passes(['needle'], [...seldom, 'none']).at(-1)).toBe(false);
  });
});
