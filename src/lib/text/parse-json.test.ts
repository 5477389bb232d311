import { describe, expect, it } from 'vitest';
import { parseExactJson } from './parse-json.ts';

describe('parseExactJson()', () => {
  it('keeps the digits of whole numbers that a number cannot hold', () => {
    expect(parseExactJson('{"a":[9007199254740993,-9007199254740993,9007199254740991]}')).toEqual({
      a: ['9007199254740993', '-9007199254740993', 9_007_199_254_740_991],
    });
  });

  it('leaves every other value as JSON has it', () => {
    const text =
      '{"a":1.5,"b":"9007199254740993","c":12345678901234567.5,"d":1e30,"__proto__":[null]}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it('throws for text that is not JSON', () => {
    expect(() => parseExactJson('{')).toThrow(SyntaxError);
    expect(() => parseExactJson('9007199254740993 x')).toThrow(SyntaxError);
  });
});
