import { describe, expect, it } from 'vitest';
import { GuestTextDecoder } from './text-decoder.ts';
import { GuestTextEncoder } from './text-encoder.ts';

const texts = ['', 'plain', 'äöü €', '😀 a\u0301', 'a\ud800b', '\ufeffmark', 'x'.repeat(10_000)];

describe('GuestTextEncoder', () => {
  it.each(texts)('encodes as Node does: %j', (text) => {
    expect([...new GuestTextEncoder().encode(text)]).toEqual([...new TextEncoder().encode(text)]);
  });

  it('writes whole characters into the room there is', () => {
    const [own, nodes] = [new Uint8Array(5), new Uint8Array(5)];
    const result = new GuestTextEncoder().encodeInto('a€😀', own);
    expect(result).toEqual(new TextEncoder().encodeInto('a€😀', nodes));
    expect([...own]).toEqual([...nodes]);
  });
});

describe('GuestTextDecoder', () => {
  const parts = [[0xe2], [0x82, 0xac, 0xf0, 0x9f], [0x98], [0x80, 0xc3]];

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'latin1'])('decodes as Node does: %s', (label) => {
    const bytes = Uint8Array.from({ length: 3000 }, (_, at) => (at * 37) & 0xff);
    expect(new GuestTextDecoder(label).decode(bytes)).toBe(new TextDecoder(label).decode(bytes));
  });

  it('joins a character that comes in parts', () => {
    const [own, nodes] = [new GuestTextDecoder(), new TextDecoder()];
    for (const part of parts) {
      const bytes = Uint8Array.from(part);
      expect(own.decode(bytes, { stream: true })).toBe(nodes.decode(bytes, { stream: true }));
    }
    expect(own.decode()).toBe(nodes.decode());
  });

  it('drops a byte order mark unless it is told to keep it, and refuses what is broken', () => {
    const marked = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);
    expect(new GuestTextDecoder().decode(marked)).toBe('a');
    expect(new GuestTextDecoder('utf-8', { ignoreBOM: true }).decode(marked)).toBe('\ufeffa');
    const fatal = new GuestTextDecoder('utf-8', { fatal: true });
    expect(() => fatal.decode(Uint8Array.of(0xff))).toThrow('not UTF-8');
    expect(() => new GuestTextDecoder('shift_jis')).toThrow('"shift_jis" is not supported');
  });
});
