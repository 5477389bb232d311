import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { countBytes } from './count-bytes.ts';

type Encode = (
  text: unknown,
  realloc: (pointer: number, oldBytes: number, align: number, bytes: number) => number,
  memory: { buffer: ArrayBuffer },
) => { ptr: number; len: number };

/** As the transpiler writes it. */
const glueOf = ({ last = 'return res;', beside = '' } = {}): string => `
export function instantiate() {
  const TEXT_ENCODER_UTF8 = new TextEncoder();
  ${beside}
  function _utf8AllocateAndEncode(s, realloc, memory) {
    if (typeof s !== 'string') {
      throw new TypeError('expected a string, received [' + typeof s + ']');
    }
    if (s.length === 0) { return { ptr: 1, len: 0 }; }
    // Compute the exact allocation size up front. Some older preview1
    // adapters only support an initial allocation, not a subsequent shrink.
    let len = 0;
    let codepoints = 0;
    for (let i = 0; i < s.length; i++) {
      const ch = s.charCodeAt(i);
      codepoints++;
      if (ch < 0x80) { len += 1; }
      else if (ch < 0x800) { len += 2; }
      else if (ch >= 0xd800 && ch <= 0xdbff &&
      i + 1 < s.length &&
      (s.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
        len += 4;
        i++;
      } else { len += 3; }
    }
    const ptr = realloc(0, 0, 1, len);
    const { read, written } = TEXT_ENCODER_UTF8.encodeInto(
    s,
    new Uint8Array(memory.buffer, ptr, len),
    );
    if (read !== s.length || written !== len) {
      throw new Error('failed to encode whole string');
    }
    const res = { ptr, len, codepoints };
    ${last}
  }
  return _utf8AllocateAndEncode;
}`;

const run = (glue: string): Encode => {
  const script = glue.replace('export ', '');
  return new Script(`(() => { ${script}; return instantiate(); })()`).runInThisContext() as Encode;
};

describe('countBytes()', () => {
  it.each([
    '',
    'a',
    'é',
    '\u{1f600}',
    '\ud800',
    'a\udc00b',
    '\ud83d',
    'aé€\u{1f600}\udc00'.repeat(300),
  ])('writes the same bytes as the loop did', (text) => {
    const written = [glueOf(), countBytes(glueOf())].map((glue) => {
      const memory = { buffer: new ArrayBuffer(65_536) };
      const asked: number[] = [];
      const { ptr, len } = run(glue)(
        text,
        (_pointer, _old, _align, bytes) => {
          asked.push(bytes);
          return 16;
        },
        memory,
      );
      return { ptr, len, asked, bytes: Buffer.from(memory.buffer, 16, len).toString('hex') };
    });
    expect(written[1]).toEqual(written[0]);
    expect(countBytes(glueOf())).not.toContain('charCodeAt');
  });

  it('refuses what is not text', () => {
    const memory = { buffer: new ArrayBuffer(16) };
    expect(() => run(countBytes(glueOf()))(1, () => 0, memory)).toThrow(/expected a string/);
  });

  it('leaves another form, and code points that are read', () => {
    const other = glueOf({ last: 'return { ...res };' });
    expect(countBytes(other)).toBe(other);
    const read = glueOf({ beside: 'const count = ({ codepoints }) => codepoints;' });
    expect(countBytes(read)).toBe(read);
  });
});
