import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEchoFinder, readings, withoutEcho } from './create-echo-finder.ts';
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

/** As the programs of this name print it, from the middle of a line of 16 bytes on. */
const dumps: readonly [string, string][] = [
  [
    'xxd',
    '00000000: 7878 785a 7838 312d 6b51 3776 626e 5f35  xxxZx81-kQ7vbn_5\n00000010: 324c 6d57 7054 720a                      2LmWpTr.\n',
  ],
  [
    'xxd -c 4',
    '00000000: 7878 785a  xxxZ\n00000004: 7838 312d  x81-\n00000008: 6b51 3776  kQ7v\n0000000c: 626e 5f35  bn_5\n00000010: 324c 6d57  2LmW\n00000014: 7054 720a  pTr.\n',
  ],
  [
    'od',
    '0000000 074170 055170 034170 026461 050553 073067 067142 032537\n0000020 046062 053555 052160 005162\n0000030\n',
  ],
  [
    'od -x',
    '0000000 7878 5a78 3878 2d31 516b 7637 6e62 355f\n0000020 4c32 576d 5470 0a72\n0000030\n',
  ],
  [
    'od -d',
    '0000000 30840 23160 14456 11569 20843 30263 28258 13663\n0000020 19506 22381 21616  2674\n0000030\n',
  ],
  [
    'od -An -tx1 -w4',
    ' 78 78 78 5a\n 78 38 31 2d\n 6b 51 37 76\n 62 6e 5f 35\n 32 4c 6d 57\n 70 54 72 0a\n',
  ],
  [
    'od -b -w4',
    '0000000 170 170 170 132\n0000004 170 070 061 055\n0000010 153 121 067 166\n0000014 142 156 137 065\n0000020 062 114 155 127\n0000024 160 124 162 012\n0000030\n',
  ],
  [
    'od -c -w4',
    '0000000   x   x   x   Z\n0000004   x   8   1   -\n0000010   k   Q   7   v\n0000014   b   n   _   5\n0000020   2   L   m   W\n0000024   p   T   r  \\n\n0000030\n',
  ],
  [
    'fold -w 4 | cat -n',
    '     1\txxxZ\n     2\tx81-\n     3\tkQ7v\n     4\tbn_5\n     5\t2LmW\n     6\tpTr\n',
  ],
];

it.each(dumps)('finds a key in what %s prints, also within JSON', (_, text) => {
  const finder = createEchoFinder();
  finder.add('github-token', value);
  for (const shown of [text, JSON.stringify({ stdout: text })]) {
    const left = withoutEcho(shown, finder.find(shown)).text;
    expect(left).toContain('[redacted: github-token]');
    expect(left).not.toMatch(/Q7|5137|6b51|37 76|121 067|Q {3}7/);
  }
  // The control: a key with other digits.
  const other = createEchoFinder();
  other.add(
    'github-token',
    value.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10)),
  );
  expect(other.find(text)).toEqual([]);
});

it('finds a key again by ten of its letters, and by nine not', () => {
  const finder = createEchoFinder();
  finder.add('github-token', value);
  expect(finder.find(`it is ${value.slice(3, 15)}.`)).toHaveLength(1);
  expect(finder.find(`it is ${value.slice(3, 14)}.`)).toEqual([]);
  // What every key of its kind begins with is no part of it, and a password may be words.
  finder.add('slack-webhook', 'https://hooks.slack.com/services/T0aB1cD2e/f3G4h5I6j7');
  finder.add('password', 'user-service-v2-credentials');
  expect(finder.find('See https://hooks.slack.com/services and user-service-v2.')).toEqual([]);
});

it('finds a secret over two lines of mail', () => {
  const finder = createEchoFinder();
  finder.add('key', value);
  const text = `it is ${value.slice(0, 7)}=\r\n${value.slice(7)}.`;
  expect(finder.find(text)).toHaveLength(1);
});
