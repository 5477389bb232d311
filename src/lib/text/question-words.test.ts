import { describe, expect, it } from 'vitest';
import { contentWords, identifiersIn, pathsIn } from './question-words.ts';

describe('contentWords()', () => {
  it.each([
    ['Where is the retry limit set?', ['retry', 'limit', 'set']],
    ['How does parseGrant parse a grant?', ['parse', 'grant']],
    ['the the a', []],
    ['где порт сервера', ['где', 'порт', 'сервера']],
  ])('keeps what "%s" is about', (text, words) => {
    expect(contentWords(text)).toEqual(words);
  });
});

describe('pathsIn()', () => {
  it.each([
    ['show README.md, please', ['README.md']],
    ['what is in src/host/process?', ['src/host/process']],
    ['list *.test.ts below src/', ['*.test.ts', 'src']],
    ['show src/**/index.ts', ['src/**/index.ts']],
    ['show me .gitignore', ['.gitignore']],
    ['show docs/über/größe.md', ['docs/über/größe.md']],
    ['покажи настройки.toml', ['настройки.toml']],
    ['タイムアウトはsrc/a.tsのどこ?', ['src/a.ts']],
    ['show pages/[id].tsx and [...slug].ts', ['pages/[id].tsx', '[...slug].ts']],
    ['show app/(shop)/page.tsx', ['app/(shop)/page.tsx']],
    ['show src/+page.svelte and $id.tsx', ['src/+page.svelte', '$id.tsx']],
    ['what does it do (see src/a.ts)?', ['src/a.ts']],
    ['see [a.ts](b.ts)', ['a.ts', 'b.ts']],
    ['is it version 1.2 or 3.4?', []],
    ['nothing here', []],
  ])('finds what "%s" names', (text, paths) => {
    expect(pathsIn(text)).toEqual(paths);
  });
});

describe('identifiersIn()', () => {
  it.each([
    ['where is maxRetries used?', ['maxRetries']],
    ['what does `fs` do and MAX_SIZE?', ['fs', 'MAX_SIZE']],
    ['who calls refresh()?', ['refresh']],
    ['explain LruCache and snake_case_name', ['LruCache', 'snake_case_name']],
    ['open readConfig.ts', []],
    ['Where is the limit?', []],
  ])('finds the names in "%s"', (text, names) => {
    expect(identifiersIn(text)).toEqual(names);
  });
});

it.each([
  ['letters', 'a'.repeat(32_000)],
  ['hyphens', '-'.repeat(32_000)],
  ['words with hyphens', 'a-'.repeat(16_000)],
  ['words with dots', 'a.'.repeat(16_000)],
  ['words with slashes', 'a/'.repeat(16_000)],
  ['underscores', 'aA_'.repeat(10_000)],
  ['brackets', '[a]'.repeat(10_000)],
  ['brackets that stay open', '[a'.repeat(16_000)],
  ['folders in brackets', '(a)/[b]/'.repeat(4000)],
])('pathsIn() and identifiersIn() read an endless word once: %s', (_, text) => {
  // Read anew from each of its characters it took three seconds; the timeout would end that.
  for (let round = 0; round < 20; round += 1) {
    expect(pathsIn(text).length).toBeLessThanOrEqual(1);
    expect(identifiersIn(text).length).toBeLessThanOrEqual(1);
  }
});
