import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rawPath } from '../lib/files/raw-fs.ts';
import { maskedPaths } from './masked-paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-masked-'));
for (const path of ['.git/hooks', 'state/home', 'deep', 'id_rsa_keys']) {
  mkdirSync(join(folder, path), { recursive: true });
}
for (const path of ['.env', '.git/config', 'a.txt', 'deep/.env', '.npmrc']) {
  writeFileSync(join(folder, path), '');
}
symlinkSync('a.txt', join(folder, 'linked.pem'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sorted = (entries: readonly string[]) =>
  maskedPaths('work', folder, { work: entries })
    .map(({ path, kind }) => `${kind} ${path}`)
    .sort();

describe('maskedPaths()', () => {
  it('are protected names at the top, what git executes, and no link', () => {
    expect(sorted([])).toEqual([
      'file .env',
      'file .git/config',
      'file .npmrc',
      'folder .git/hooks',
      'folder id_rsa_keys',
    ]);
  });

  it('are the paths that are withheld, where they are there', () => {
    expect(sorted(['state/home', 'not/there'])).toContain('folder state/home');
    expect(sorted(['state/home', 'not/there'])).toHaveLength(6);
  });

  it('have names that are not UTF-8', () => {
    const path = rawPath(join(folder, 'a\udcff.pem'));
    writeFileSync(path, '');
    expect(sorted([])).toContain('file a\udcff.pem');
    rmSync(path);
  });

  it('follow what was added and lifted', () => {
    const masks = sorted([':add a.txt', ':lift .npmrc']);
    expect(masks).toContain('file a.txt');
    expect(masks).not.toContain('file .npmrc');
  });

  it('are none in a folder that cannot be read', () => {
    expect(maskedPaths('work', join(folder, 'none'), {})).toEqual([]);
  });
});
