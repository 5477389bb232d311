import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeAlone, lockFile } from './lock-file.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cuervo-lock-'));
  path = join(dir, 'a.busy');
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('lockFile()', () => {
  it('has one holder, and leaves nothing', () => {
    {
      using _ = lockFile(path, { what: 'a change' });
      expect(readdirSync(dir)).toEqual(['a.busy']);
      expect(() => lockFile(path, { what: 'a change' })).toThrow('another process is at a change');
    }
    expect(readdirSync(dir)).toEqual([]);
  });

  it('takes over what a killed process left', () => {
    writeFileSync(path, '');
    using _ = lockFile(path, { what: 'a change' });
    expect(() => lockFile(path, { what: 'a change' })).toThrow('another process');
  });

  it('opens no file of somebody else under its name, and follows no link to one', () => {
    const other = join(dir, 'other');
    writeFileSync(other, '');
    symlinkSync(other, path);
    const refused = `${path} is not an empty file`;
    expect(() => lockFile(path, { what: 'a change' })).toThrow(refused);
    rmSync(path);
    writeFileSync(path, 'SQLite format 3');
    expect(() => changeAlone(join(dir, 'a'), () => {})).toThrow(refused);
    expect(readFileSync(path, 'utf8')).toBe('SQLite format 3');
  });
});
