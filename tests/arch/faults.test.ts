import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryFiles, sourceFile } from './source-files.ts';

it('each test that tests/faults.md names is there', () => {
  const { text } = sourceFile('tests/faults.md');
  const named = [...text.matchAll(/[\w./-]+\.test\.ts/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(60);
  const known = new Set(repositoryFiles().map((path) => basename(path)));
  const root = join(import.meta.dirname, '../..');
  const isThere = (path: string) =>
    path.includes('/') ? existsSync(join(root, path)) : known.has(path);
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});
