import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEchoFinder, readings } from './create-echo-finder.ts';
import { disguises } from './secret-forms.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/privacy.md'), 'utf8');

it.each([
  ['form of a secret', disguises],
  ['reading of a text', readings],
])('docs/privacy.md lists each %s, and no other', (head, known) => {
  const table = page.split(`| ${head} |\n|---|\n`)[1]?.split('\n\n')[0] ?? '';
  const rows = table.split('\n').map((line) => line.replace(/^\| | \|$/g, ''));
  expect(rows).toEqual(Object.keys(known));
});

it.each(Object.entries(disguises))('finds a secret again: %s', (_, make) => {
  const finder = createEchoFinder();
  const value = 'Zx81-kQ7vbn_52LmWpTr';
  finder.add('key', value);
  const forms = make(value, true);
  expect(forms.length).toBeGreaterThan(0);
  for (const form of forms) expect(finder.find(`it is ${form}.`)).toHaveLength(1);
});

const split = (value: string, length: number): string[] =>
  value.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
const value = 'Zx81-kQ7vbn_52LmWpTr';
const base64 = Buffer.from(`x${value}`).toString('base64');

it.each([
  ['two headers', `a: ${value.slice(0, 9)}\nb: ${value.slice(9)}`],
  [
    'an address',
    split(value, 6)
      .map((piece, at) => `p${at}=${piece}`)
      .join('&'),
  ],
  [
    'variables of a shell',
    split(value, 5)
      .map((piece, at) => `a${at}='${piece}'; `)
      .join(''),
  ],
  ['base64 between words', split(base64, 7).join(' and then ')],
])('finds a secret in pieces: %s', (_, text) => {
  const finder = createEchoFinder();
  finder.add('key', value);
  expect(finder.spelled(text)).toBe('key');
});

it('finds no secret where one of its pieces is missing, or too short to be one', () => {
  const finder = createEchoFinder();
  finder.add('key', value);
  finder.add('words', 'long words that have no digit at all');
  expect(finder.spelled(`${value.slice(0, 6)} and ${value.slice(11)}`)).toBeUndefined();
  expect(finder.spelled(split(value, 3).join(' and '))).toBeUndefined();
  expect(
    finder.spelled('long or short, words, that we have: no one digit, at all'),
  ).toBeUndefined();
});

const hexOf = (letter: string): string => letter.charCodeAt(0).toString(16);
it.each<[string, (letter: string) => string]>([
  ['mail', (letter) => `=${hexOf(letter)}`],
  ['HTML, filled up', (letter) => `&#${String(letter.charCodeAt(0)).padStart(8, '0')};`],
  ['HTML, hex', (letter) => `&#x000000${hexOf(letter)};`],
  ['a shell, octal', (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`],
  ['echo, octal', (letter) => `\\0${letter.charCodeAt(0).toString(8)}`],
  ['C, octal', (letter) => `\\o{${letter.charCodeAt(0).toString(8)}}`],
  ['Python, long', (letter) => `\\U000000${hexOf(letter)}`],
  ['Perl', (letter) => `\\N{U+${hexOf(letter)}}`],
  ['a browser of old', (letter) => `%u00${hexOf(letter)}`],
  ['a style sheet', (letter) => `\\${hexOf(letter)} `],
])('finds a secret with every third letter escaped as in %s', (_, written) => {
  const finder = createEchoFinder();
  finder.add('key', value);
  const text = value.replace(/(.)(..)/g, (_all, one: string, more: string) => written(one) + more);
  expect(finder.find(`it is ${text}.`)).toHaveLength(1);
});

it('finds a secret over two lines of mail', () => {
  const finder = createEchoFinder();
  finder.add('key', value);
  const text = `it is ${value.slice(0, 7)}=\r\n${value.slice(7)}.`;
  expect(finder.find(text)).toHaveLength(1);
});
