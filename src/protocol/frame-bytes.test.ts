import { describe, expect, it } from 'vitest';
import { bytesAbove, decodeBytes, encodeBytes } from './frame.ts';

it.each([
  [3, 'abc', '', undefined],
  [2, 'abc', '', 3],
  [9, 'ab', 'ä', undefined],
  [3, 'ab', 'ä', 4],
  [4, 'ab', 'ä', undefined],
  [0, '', '', undefined],
])('bytesAbove(%j, %j, %j) is %j', (limit, one, other, bytes) => {
  expect(bytesAbove(limit, one, other)).toBe(bytes);
});

describe('encodeBytes()', () => {
  it.each([
    [new Uint8Array([0, 255, 128])],
    [{ headers: [['a', 'b']], body: new Uint8Array(3) }],
    [['text', 3, null, true, [new Uint8Array([1])]]],
    [undefined],
  ])('gives back through JSON what it was given: %j', (value) => {
    const sent = JSON.stringify({ value: encodeBytes(value) });
    expect(decodeBytes((JSON.parse(sent) as { value?: unknown }).value)).toEqual(value);
  });

  it('leaves an object alone that only looks like bytes', () => {
    expect(decodeBytes({ $bytes: 3 })).toEqual({ $bytes: 3 });
    expect(decodeBytes({ $bytes: 'AA==', more: 1 })).toEqual({ $bytes: 'AA==', more: 1 });
  });
});
