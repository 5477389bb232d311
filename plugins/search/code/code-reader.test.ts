import { describe, expect, it } from 'vitest';
import { codeReader } from './code-reader.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('codeReader()', () => {
  it('says how many files of other encodings it left out, and reads on', () => {
    const text = { text: 'def one():\n    pass\n', truncated: false };
    const reader = codeReader({
      readText: (path) => {
        if (path !== 'plain.py') throw failure('invalid');
        return { ...text, hash: '' };
      },
      readAnyText: (path) => (path === 'plain.py' ? text : { ...text, encoding: 'unknown' }),
    });
    const found = Array.from({ length: 152 }, (_, at) => reader.readFound(`${at}.py`));
    expect(found.filter((file) => file !== undefined)).toHaveLength(150);
    expect(reader.readFound('plain.py')).toBeDefined();
    expect(reader.cuts()).toEqual(['2 files that are not UTF-8']);
  });

  it('throws for a file that was asked for, and skips one that was found', () => {
    const gone = () => {
      throw failure('not-found');
    };
    const reader = codeReader({ readText: gone, readAnyText: gone });
    expect(() => reader.read('a.py')).toThrow('not-found');
    expect(reader.readFound('a.py')).toBeUndefined();
    expect(reader.cuts()).toEqual([]);
  });
});
