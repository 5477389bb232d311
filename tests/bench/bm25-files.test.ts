import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { indexFiles, splitWords } from './bm25-files.ts';

it('splitWords() splits identifiers at case, digits and underscores', () => {
  expect(splitWords('parseHTTPHeader max_retries2')).toEqual([
    'parse',
    'http',
    'header',
    'max',
    'retries',
    '2',
  ]);
});

it('indexFiles() ranks the file with the rare word first and leaves out files without any', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bm25-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/retry.ts'), 'const retryLimit = 3; const value = 1;');
  writeFileSync(join(folder, 'src/value.ts'), 'const value = 1; const other = value;');
  writeFileSync(join(folder, 'src/none.ts'), 'nothing here');
  const index = indexFiles(folder);
  expect(index.rank('Where is the retry value?')).toEqual(['src/retry.ts', 'src/value.ts']);
});
