import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../tests/support/runs.ts';
import { failureOf } from '../../tests/support/temp-tree.ts';
import { splitLines } from '../lib/text/decode-text.ts';
import { compilePattern } from './compile-pattern.ts';
import { matchLines } from './match-lines.ts';

const compile = (pattern: string, literal = false, caseInsensitive = false) =>
  compilePattern({ pattern, literal, caseInsensitive });

type Found = [line: number, column: number];

function search(text: string, pattern: string, flags: { i?: boolean } = {}): Found[] {
  const found: Found[] = [];
  const compiled = compile(pattern, false, flags.i);
  const none = { before: 0, after: 0 };
  matchLines(text, compiled, none, ({ line, column }) => found.push([line, column]) > 0);
  const bytes = Buffer.from(text);
  const mayHold = compiled.needles.length === 0 || compiled.needles.some((n) => bytes.includes(n));
  // What is passed over before the text is decoded must hold nothing.
  expect(mayHold || found.length === 0).toBe(true);
  return found;
}

/** The definition: every line alone. */
function searchLineByLine(text: string, pattern: string, flags: { i?: boolean } = {}): Found[] {
  const fold = flags.i ? 'is' : 's';
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, `u${fold}`);
  } catch {
    expression = new RegExp(pattern, fold);
  }
  return splitLines(text).flatMap((line, index): Found[] => {
    const column = line.search(expression);
    return column < 0 ? [] : [[index + 1, column + 1]];
  });
}

const patterns = [
  'foo',
  'fo+',
  '^foo',
  'foo$',
  '^$',
  '^',
  '$',
  '',
  'a*',
  '\\bfoo\\b',
  '\\w+bar',
  '.*bar',
  '.+',
  'foo.*bar',
  'foo\\s+bar',
  'foo\\s*$',
  '\\s+$',
  '^\\s',
  '[^x]*y',
  '[^-]b',
  '[^a-]b',
  'a[^b]+b',
  '\\W+foo',
  '\\Dfoo',
  '\\S+',
  'foo|bar',
  '\\w+foo|\\w+bar',
  '(foo|bar)baz',
  '(?:\\w+)bar',
  '(?<x>o)\\k<x>',
  '(o)\\1',
  'foo(?=bar)',
  'foo(?!\\s*bar)',
  '(?<!x)foo',
  'foo(?!bar)',
  '(?=\\w)bar',
  '(?-m:^)foo',
  'a\\nb',
  'foo\\n?',
  '[\\n]',
  '[\\s\\S]',
  '[\\s\\S]*bar',
  '[^]',
  '[^]*foo',
  '\\x0a',
  '\\u000a',
  '\\r',
  'a?b',
  'b{2}',
  'b{0,1}a',
  'a{0}b',
  '\\.',
  'f\\.o',
  'a\\-b',
  'x{',
  ']',
  'é',
  '.é',
  '💡+',
  '^.$',
  '[💡é]o',
  '\\p{L}+',
  '\\P{L}',
  '(a|)b',
  '|foo',
  '(?:)',
  '\\bb|o\\b',
  '\\B',
  '(?:a|b)+?o',
  '(?<!x)(?:foo|bar)+(?!o)',
  '(?=.*a)(?=.*b)',
  '[^\\p{L}]+',
  '(?:[^\\S\\r]|💡)+',
  '[k-s]+',
  'foo\\/bar',
];

const text = fc
  .array(
    fc.constantFrom(
      'foo',
      'bar',
      'baz',
      'a',
      'b',
      'o',
      'x',
      'y',
      'é',
      '💡',
      ' ',
      '\t',
      '-',
      '.',
      '{',
      '\n',
      '\r\n',
      '\r',
      '\u2028',
      'FOO',
      'K',
      '1',
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(''));

describe('compilePattern()', () => {
  it.each(patterns)('finds with %j what line after line finds', (pattern) => {
    fc.assert(
      fc.property(text, fc.boolean(), (sample, i) => {
        expect(search(sample, pattern, { i })).toEqual(searchLineByLine(sample, pattern, { i }));
      }),
      { numRuns: runs(150) },
    );
  });

  it('finds with random patterns what line after line finds', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'o',
      'foo',
      'bar',
      '.',
      '\\s',
      '\\w',
      '\\W',
      '[^a]',
      '[a-o]',
      '[^\\s]',
      '[-a]',
      '\\b',
      '^',
      '$',
      'é',
      '\\d',
      '\\.',
      '\\n',
      '\\S',
      '\\D',
      '[\\W_]',
      '[^\\n💡]',
      '💡',
      'k',
      '[a-zé]',
      '\\p{L}',
      '\\u{1f4a1}',
      '\\x61',
    );
    const repeat = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '+?', '{0,2}');
    const piece = fc
      .tuple(atom, repeat)
      .map(([one, many]) =>
        /^[\^$]|\\b/.test(one)
          ? one
          : one.length > 1 && !/^[\\[]/.test(one)
            ? `(?:${one})${many}`
            : one + many,
      );
    const sequence = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const pattern = fc.oneof(
      sequence,
      fc.tuple(sequence, sequence).map((parts) => parts.join('|')),
      fc.tuple(sequence, sequence, sequence).map(([one, two, three]) => `${one}(${two}|${three})`),
    );
    fc.assert(
      fc.property(pattern, text, fc.boolean(), (random, sample, i) => {
        expect(search(sample, random, { i })).toEqual(searchLineByLine(sample, random, { i }));
      }),
      { numRuns: runs(4000) },
    );
  });

  it('looks for bytes first where a literal is needed', () => {
    const needles = (pattern: string, literal = false) =>
      compile(pattern, literal).needles.map(String);
    expect(needles('retry')).toEqual(['retry']);
    expect(needles('\\w+Error\\(')).toEqual(['Error(']);
    expect(needles('foo|barbar')).toEqual(['foo', 'barbar']);
    expect(needles('a.c|barbar')).toEqual([]);
    expect(needles('(foo)?')).toEqual([]);
    expect(needles('a+b?c', true)).toEqual(['a+b?c']);
    expect(compile('retry', false, true).needles).toEqual([]);
    expect(compile('retry', true, true).needles).toEqual([]);
  });

  it('takes a literal as it stands', () => {
    const special = '\\^$.*+?()[]{}|/-é💡';
    expect(compile(special, true).finder.test(`x${special}`)).toBe(true);
    expect(compile('a.c', true).finder.test('abc')).toBe(false);
    expect(compile('a\rb', true).finder.test('a\rb')).toBe(true);
    expect(compile('ÉX', true, true).finder.test('éx')).toBe(true);
  });

  it('names the pattern and the reason when it is not a regular expression', () => {
    const failure = failureOf(() => compile('x('));
    expect(failure).toEqual({
      tag: 'invalid',
      val: 'pattern "x(" is not a regular expression: Unterminated group',
    });
    expect(failureOf(() => compile('[b-a]')).val).toContain('Range out of order');
    expect(compile('x(', true).finder.test('x(')).toBe(true);
  });

  it('refuses what is too long, of two lines, or half a character', () => {
    expect(failureOf(() => compile('x'.repeat(4097))).tag).toBe('limit');
    expect(compile('x'.repeat(4096)).line).toBeDefined();
    expect(failureOf(() => compile('a\nb', true)).tag).toBe('invalid');
    expect(failureOf(() => compile('\ud800', true)).tag).toBe('invalid');
  });
});
