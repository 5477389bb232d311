import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exposedPart, exposure } from './exposed-part.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cuervo-exposed-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('exposedPart()', () => {
  it('finds nothing where only the user and root write, and where nothing is yet', () => {
    mkdirSync(join(dir, 'a'), { mode: 0o755 });
    expect(exposedPart(join(dir, 'a'))).toBeUndefined();
    expect(exposedPart(join(dir, 'a/missing/too'))).toBeUndefined();
  });

  it('names the folder above, and the command that closes it alone', () => {
    mkdirSync(join(dir, 'a/b'), { recursive: true });
    chmodSync(join(dir, 'a'), 0o777);
    expect(exposedPart(join(dir, 'a/b'))).toEqual({
      path: join(dir, 'a'),
      why: 'can be written by everybody',
      fix: `chmod go-w ${join(dir, 'a')}`,
    });
  });

  it('lets a sticky folder be on the way, and not at the end', () => {
    mkdirSync(join(dir, 'a/b'), { recursive: true });
    chmodSync(join(dir, 'a'), 0o1777);
    expect(exposedPart(join(dir, 'a/b'))).toBeUndefined();
    expect(exposedPart(join(dir, 'a'))?.fix).toBe(`chmod go-w -R ${join(dir, 'a')}`);
  });

  it('looks along links, and ends where they lead in a circle', () => {
    mkdirSync(join(dir, 'open'));
    chmodSync(join(dir, 'open'), 0o770);
    symlinkSync('open', join(dir, 'second'));
    symlinkSync('second', join(dir, 'first'));
    expect(exposedPart(join(dir, 'first'))?.path).toBe(join(dir, 'open'));
    symlinkSync('round', join(dir, 'round'));
    expect(exposedPart(join(dir, 'round'))).toBeUndefined();
  });
});

describe('exposure()', () => {
  it('says whose it is where another user owns it, and lets root own it', () => {
    const stats = { mode: 0o40755, gid: 0, isSymbolicLink: () => false };
    expect(exposure('/x', { ...stats, uid: 12_345 } as never)?.why).toBe('belongs to user 12345');
    expect(exposure('/x', { ...stats, uid: 0 } as never)).toBeUndefined();
  });
});
