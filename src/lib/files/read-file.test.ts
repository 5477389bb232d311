import { mkdtempSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readAll, readTextIfPresent, withTypedPath } from './read-file.ts';

const tooLong = () => new Error('too long');

async function* pieces(...texts: string[]): AsyncGenerator<Buffer, void, undefined> {
  for (const text of texts) yield Buffer.from(text);
}

describe('readAll()', () => {
  it('keeps what comes in pieces, up to the last byte that is allowed', async () => {
    expect((await readAll(pieces('ab', 'cd'), 4, tooLong)).toString()).toBe('abcd');
    expect((await readAll(pieces(), 0, tooLong)).toString()).toBe('');
  });

  it('reads an endless stream no further than the limit and closes it', async () => {
    let given = 0;
    let closed = false;
    async function* endless(): AsyncGenerator<Buffer, void, undefined> {
      try {
        for (;;) {
          given += 1;
          yield Buffer.alloc(10);
        }
      } finally {
        closed = true;
      }
    }
    await expect(readAll(endless(), 25, tooLong)).rejects.toThrow('too long');
    expect({ given, closed }).toEqual({ given: 3, closed: true });
  });
});

const dir = mkdtempSync(join(tmpdir(), 'cuervo-text-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const file = join(dir, 'file');
writeFileSync(file, 'text');

describe('readTextIfPresent()', () => {
  it('reads a file, also behind a link, and gives nothing where there is none', () => {
    symlinkSync(file, join(dir, 'link'));
    expect(readTextIfPresent(file)).toBe('text');
    expect(readTextIfPresent(join(dir, 'link'))).toBe('text');
    expect(readTextIfPresent(join(dir, 'none'))).toBeUndefined();
    expect(readTextIfPresent(join(file, 'below'))).toBeUndefined();
  });

  it.each([
    ['nowhere', 'ENOENT'],
    [join(file, 'below'), 'ENOTDIR'],
    ['itself', 'ELOOP'],
  ])('takes no link to %s for a file that is not there', (target, code) => {
    const path = join(dir, 'itself');
    symlinkSync(target, path);
    expect(() => readTextIfPresent(path)).toThrow(expect.objectContaining({ code, path }));
    rmSync(path);
  });

  it('reads no file of 200 GB', () => {
    const path = join(dir, 'sparse');
    writeFileSync(path, '');
    truncateSync(path, 200 * 1024 ** 3);
    expect(() => readTextIfPresent(path)).toThrow(`${path} has 214748364800 bytes, limit 67108864`);
  });

  it.each([devNull, dir])('refuses %s, which is not a file', (path) => {
    const code = 'invalid-argument';
    const wanted = expect.objectContaining({ code, message: `${path} is not a regular file` });
    expect(() => readTextIfPresent(path)).toThrow(wanted);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'cuervo-typed-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('withTypedPath()', () => {
  it('says what is wrong with a path that cannot be followed', () => {
    const loop = join(folder, 'loop');
    symlinkSync(loop, loop);
    const code = 'invalid-argument';
    const circle = { code, message: `${loop} leads back to itself through links` };
    expect(() => withTypedPath(loop, statSync)).toThrow(expect.objectContaining(circle));
    const long = join(folder, 'z'.repeat(300));
    const length = { code, message: `${long} has a name that is longer than the system takes` };
    expect(() => withTypedPath(long, statSync)).toThrow(expect.objectContaining(length));
  });

  it('passes on what comes of it, and other errors', () => {
    expect(withTypedPath(folder, (path) => statSync(path).isDirectory())).toBe(true);
    expect(() => withTypedPath(join(folder, 'none'), statSync)).toThrow('ENOENT');
  });
});
