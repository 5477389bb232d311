import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holderPid, lockFile } from './lock-file.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cuervo-lock-'));
  path = join(dir, 'a.busy');
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('lockFile()', () => {
  it('names this process while it is held, and leaves nothing', () => {
    {
      using _ = lockFile(path);
      expect(readdirSync(dir)).toEqual(['a.busy']);
      expect(holderPid(readFileSync(path, 'utf8'))).toBe(process.pid);
      expect(() => lockFile(path)).toThrow(`another process (${process.pid}) holds ${path}`);
    }
    expect(readdirSync(dir)).toEqual([]);
  });

  it('waits for an empty file, and takes over one that was left empty', () => {
    writeFileSync(path, '');
    expect(() => lockFile(path)).toThrow(`another process (just started) holds ${path}`);
    utimesSync(path, new Date(), new Date(Date.now() - 6_000));
    using _ = lockFile(path);
    expect(holderPid(readFileSync(path, 'utf8'))).toBe(process.pid);
  });
});
