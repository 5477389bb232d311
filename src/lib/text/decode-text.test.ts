import { describe, expect, it } from 'vitest';
import { decodeText, decodeUnlessBinary, looksBinary } from './decode-text.ts';

const little = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const big = (text: string) => little(text).swap16();

describe('decodeText()', () => {
  it.each([
    ['UTF-8', Buffer.from('é 日 😀\n')],
    ['UTF-8 with a mark', Buffer.from('\ufeffé 日 😀\n')],
    ['UTF-16, little end first', little('é 日 😀\n')],
    ['UTF-16, big end first', big('é 日 😀\n')],
    ['half of a unit behind it', Buffer.concat([big('é 日 😀\n'), Buffer.from('x')])],
  ])('reads %s', (_, bytes) => {
    const before = Buffer.from(bytes);
    const more = Buffer.concat([bytes, Buffer.from('what an earlier file left')]);
    expect(decodeText(more, bytes.length)).toBe('é 日 😀\n');
    expect(bytes).toEqual(before);
  });

  it('reads marks alone, and half of one', () => {
    for (const empty of [little(''), big(''), Buffer.from('\ufeff'), Buffer.alloc(0)])
      expect(decodeText(empty, empty.length)).toBe('');
    expect(decodeText(Buffer.from([0xff]), 1)).toBe('\ufffd');
    expect(decodeText(Buffer.from([0xef, 0xbb]), 2)).toBe('\ufffd');
  });
});

describe('decodeUnlessBinary()', () => {
  it('gives texts and nothing else', () => {
    expect(decodeUnlessBinary(little('heron'))).toBe('heron');
    expect(decodeUnlessBinary(Buffer.from('caf\xe9', 'latin1'))).toBe('caf\ufffd');
    for (const binary of [little('he\0on'), Buffer.from('he\0on')])
      expect(decodeUnlessBinary(binary)).toBeUndefined();
  });
});

describe('looksBinary()', () => {
  it('knows bytes with a zero at their beginning from text', () => {
    expect(looksBinary(Buffer.from('heron\0heron'))).toBe(true);
    expect(looksBinary(Buffer.from('der Häher\n'))).toBe(false);
    expect(looksBinary(new Uint8Array())).toBe(false);
  });
});
