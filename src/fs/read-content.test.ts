import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureOf, openTempTree } from '../../tests/support/temp-tree.ts';

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

/** A file of that size without blocks on the disk. */
function makeSparse(path: string, size: number, head = ''): void {
  const fd = openSync(path, 'w');
  writeSync(fd, head);
  ftruncateSync(fd, size);
  closeSync(fd);
}

describe('readText()', () => {
  it('gives the bytes as they are: line ends and byte order mark', () => {
    const text = '\ufeffone\r\ntwo\nthrée 💡';
    using tree = openTempTree({ 'a.txt': text, empty: '' });
    const file = tree.fs.readText('a.txt', 1000);
    expect(file).toEqual({ text, hash: sha256(text), truncated: false });
    expect(tree.fs.readText('empty', 10)).toEqual({ text: '', hash: sha256(''), truncated: false });
  });

  it('cuts between characters and hashes the whole file', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.nat(60), (text, maxBytes) => {
        using tree = openTempTree({ a: text.replaceAll('\0', '0') });
        const whole = text.replaceAll('\0', '0');
        const file = tree.fs.readText('a', maxBytes);
        const bytes = Buffer.byteLength(file.text);
        expect(whole.startsWith(file.text)).toBe(true);
        expect(file.hash).toBe(sha256(whole));
        expect(file.truncated).toBe(Buffer.byteLength(whole) > maxBytes);
        expect(bytes).toBeLessThanOrEqual(maxBytes);
        if (file.truncated) expect(bytes).toBeGreaterThan(maxBytes - 4);
        else expect(file.text).toBe(whole);
      }),
      { numRuns: 60 },
    );
  });

  it('reads and hashes files of several pieces', () => {
    const text = 'é'.repeat(2_000_000);
    using tree = openTempTree({ big: text });
    const file = tree.fs.readText('big', 4_000_000);
    expect(file.text === text).toBe(true);
    expect(tree.fs.readText('big', 3_000_001)).toMatchObject({
      hash: sha256(text),
      truncated: true,
    });
  });

  it('caps what a guest asks for at 8 MiB', () => {
    using tree = openTempTree({ big: 'x'.repeat(9 * 1024 * 1024) });
    const file = tree.fs.readText('big', 2 ** 32 - 1);
    expect(file.text).toHaveLength(8 * 1024 * 1024);
    expect(file.truncated).toBe(true);
  });

  it.each([
    ['a stray byte', Buffer.from([0x61, 0xff, 0x62])],
    ['half a character at the end', Buffer.from([0x61, 0xc3])],
    ['an encoded surrogate', Buffer.from([0xed, 0xa0, 0x80])],
    ['a NUL', Buffer.from('a\0b')],
    ['UTF-16', Buffer.from('\ufefftext', 'utf16le')],
  ])('refuses %s', (_, content) => {
    using tree = openTempTree({ 'a.bin': content });
    const failure = failureOf(() => tree.fs.readText('a.bin', 1000));
    expect(failure.tag).toBe('invalid');
    expect(failure.val).toContain('path "a.bin" is not a UTF-8 text');
  });

  it('refuses files over 50 MiB, naming size and limit', () => {
    using tree = openTempTree();
    makeSparse(join(tree.path, 'huge'), 2 ** 40);
    const failure = failureOf(() => tree.fs.readText('huge', 10));
    expect(failure).toEqual({
      tag: 'limit',
      val: 'path "huge" has 1099511627776 bytes, limit 52428800',
    });
  });

  it('refuses numbers that are none', () => {
    using tree = openTempTree({ a: 'a' });
    for (const maxBytes of [-1, 0.5, Number.NaN]) {
      expect(failureOf(() => tree.fs.readText('a', maxBytes)).tag).toBe('invalid');
    }
  });
});

describe('readBytes()', () => {
  it('gives a part, less at the end, nothing behind it', () => {
    using tree = openTempTree({ a: Buffer.from([0, 1, 2, 3, 255]) });
    expect([...tree.fs.readBytes('a', 1, 2)]).toEqual([1, 2]);
    expect([...tree.fs.readBytes('a', 3, 100)]).toEqual([3, 255]);
    expect(tree.fs.readBytes('a', 5, 1)).toHaveLength(0);
    expect(tree.fs.readBytes('a', 2 ** 53 - 1, 1)).toHaveLength(0);
    expect(tree.fs.readBytes('a', 0, 0)).toHaveLength(0);
  });

  it('caps the length at 4 MiB and reads far into a sparse file', () => {
    using tree = openTempTree();
    makeSparse(join(tree.path, 'huge'), 2 ** 40, 'head');
    expect(tree.fs.readBytes('huge', 0, 2 ** 32 - 1)).toHaveLength(4 * 1024 * 1024);
    expect([...tree.fs.readBytes('huge', 2 ** 40 - 2, 10)]).toEqual([0, 0]);
  });

  it('refuses an offset that is none', () => {
    using tree = openTempTree({ a: 'a' });
    for (const offset of [-1, 0.5, Number.NaN, Infinity, 2 ** 60]) {
      expect(failureOf(() => tree.fs.readBytes('a', offset, 1)).tag).toBe('invalid');
    }
  });
});
