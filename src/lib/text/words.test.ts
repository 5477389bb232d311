import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentWords, identifiersIn, pathsIn, stemBeginning, stemWord } from './words.ts';

describe('stemWord()', () => {
  it('makes the forms of a word alike', () => {
    for (const forms of [
      ['install', 'installs', 'installed', 'installing'],
      ['retries', 'retried', 'retrying', 'retry'],
      ['stop', 'stopped', 'stops'],
      ['class', 'classes'],
      ['make', 'making', 'makes'],
    ])
      expect(new Set(forms.map(stemWord)), forms.join(' ')).toHaveLength(1);
  });
});

describe('stemBeginning()', () => {
  it('is what each word of the stem begins with', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'abeiostyng'),
      minLength: 1,
      maxLength: 5,
    });
    const ending = fc.constantFrom('', 's', 'es', 'ies', 'ed', 'ied', 'ing', 'ying', 'sses', 'y');
    fc.assert(
      fc.property(letters, ending, (start, end) => {
        const word = start + end;
        expect(word.startsWith(stemBeginning(stemWord(word)))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

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
