import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withTypedPath } from './with-typed-path.ts';

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
