import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTextIfPresent } from './read-text-if-present.ts';

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
