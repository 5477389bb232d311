import { describe, expect, it } from 'vitest';
import { asBytes, asFlag, asNumber, asText, asTexts } from './argument.ts';

const what = 'fs.walk: "path"';
const wrong = (value: unknown): never => value as never;

describe('arguments of host calls', () => {
  it('are handed on as they are', () => {
    expect(asText('a 😀', what)).toBe('a 😀');
    expect(asTexts(new Set(['a', 'b']) as unknown as string[], what)).toEqual(['a', 'b']);
    expect(asNumber(0, what)).toBe(0);
    expect(asFlag(false, what)).toBe(false);
    const bytes = Uint8Array.of(1, 2);
    expect(asBytes(bytes, what)).toBe(bytes);
    expect(asBytes(wrong([1, 2]), what)).toEqual(bytes);
  });

  it('write U+FFFD for half of a surrogate pair', () => {
    expect(asText('a\ud83d', what)).toBe('a\ufffd');
    expect(asTexts(['\ude00'], what)).toEqual(['\ufffd']);
  });

  it.each([
    ['no text', () => asText(wrong(undefined), what), `${what} has to be a text, not nothing`],
    ['a text for a list', () => asTexts(wrong('a'), what), 'a list of texts, not a string'],
    ['null for a list', () => asTexts(wrong(null), what), 'a list of texts, not null'],
    ['a number in a list', () => asTexts(wrong(['a', 1]), what), 'each of them has to be a text'],
    ['a text for a number', () => asNumber(wrong('1'), what), 'a number, not a string'],
    ['a number for a flag', () => asFlag(wrong(1), what), 'true or false, not a number'],
    ['a text for bytes', () => asBytes(wrong('a'), what), 'a Uint8Array, not a string'],
    ['texts for bytes', () => asBytes(wrong(['a']), what), 'a Uint8Array, not an object'],
  ])('name what is wrong: %s', (_, call, message) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });
});
