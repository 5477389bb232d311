import { describe, expect, it } from 'vitest';
import { maxInputBytes, refuseLargeInput } from './tool.ts';

const refuse = (input: string) => () => refuseLargeInput('a.run', input);

describe('refuseLargeInput', () => {
  it.each([
    ['letters', 'x'],
    ['quotes, which JSON within JSON would write as more', '"'],
    ['characters of three bytes', '\u20ac'],
  ])('counts %s as the bytes that a frame holds of them', (_, one) => {
    const fitting = one.repeat(Math.floor(maxInputBytes / Buffer.byteLength(one)));
    expect(refuse(fitting)).not.toThrow();
    const bytes = Buffer.byteLength(fitting + one);
    expect(refuse(fitting + one)).toThrow(`a.run: an input of ${bytes} bytes, limit 7340032`);
  });
});
