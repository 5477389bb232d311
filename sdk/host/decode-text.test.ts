import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('decodeText()', () => {
  const long = 'é💡 one\r\n'.repeat(2000);

  it.each([
    ['utf-16le', utf16(long)],
    ['utf-16be', utf16(long).swap16()],
  ])('reads %s by its mark, of any length', (encoding, bytes) => {
    expect(decodeText(bytes)).toEqual({ text: long, encoding });
  });

  it('leaves half of a character at the end out', () => {
    const bytes = Buffer.concat([utf16('one'), Buffer.from([0x61])]);
    expect(decodeText(bytes)?.text).toBe('one');
    expect(decodeText(utf16(''))?.text).toBe('');
  });

  it('shows what is not UTF-8 as such, and no binary', () => {
    const latin = Buffer.from('caf\xe9 is café\n', 'latin1');
    expect(decodeText(latin)).toEqual({ text: 'caf\ufffd is caf\ufffd\n', encoding: 'unknown' });
    expect(decodeText(Buffer.from('a\0b\xff', 'latin1'))).toBeUndefined();
  });
});
