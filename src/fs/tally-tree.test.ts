import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../tests/support/runs.ts';
import {
  failureOf,
  openTempTree,
  type TempTree,
  wholeWalk,
} from '../../tests/support/temp-tree.ts';
import type { TallyOptions, TallyResult } from './fs-types.ts';

function tally(tree: TempTree, words: string[], more: Partial<TallyOptions> = {}): TallyResult {
  const options = { walk: wholeWalk, words, window: 2, overlap: 1, limit: 1000, ...more };
  return tree.fs.tally('work:', options);
}

const countsOf = (text: string, ...words: string[]) => {
  using tree = openTempTree({ a: text });
  const result = tally(tree, words, { window: 1000, overlap: 0 });
  return result.windows.length === 0 ? words.map(() => 0) : [...result.windows[0]!.counts];
};

const lengthOf = (text: string) => {
  using tree = openTempTree({ a: text });
  return tally(tree, [], { window: 1000, overlap: 0 }).meanLength;
};

/** The rules as plain string work: parts of each identifier, then what begins with a word. */
function wordsOfLine(line: string): { identifier: string; parts: string[] }[] {
  const identifiers = line.match(/[A-Za-z0-9_\u0080-\u{10ffff}]+/gu) ?? [];
  const part = /[0-9]+|[A-Z]+(?![a-z\u0080-\u{10ffff}])|[A-Z]?[a-z\u0080-\u{10ffff}]+|[A-Z]/gu;
  return identifiers.map((identifier) => ({
    identifier: identifier.replace(/^_+/, ''),
    parts: identifier.match(part) ?? [],
  }));
}

const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function countsOfLines(lines: string[], words: string[]): { length: number; counts: number[] } {
  const identifiers = lines.flatMap(wordsOfLine);
  const counts = words.map((word) =>
    identifiers.reduce((sum, { identifier, parts }) => {
      const rest = parts.slice(1).filter((part) => lower(part).startsWith(word)).length;
      return sum + rest + (parts.length > 0 && lower(identifier).startsWith(word) ? 1 : 0);
    }, 0),
  );
  return { length: identifiers.reduce((sum, { parts }) => sum + parts.length, 0), counts };
}

type PlainWindow = { path: string; line: number; length: number; counts: number[] };

function plainTally(
  files: Record<string, string>,
  words: string[],
  window: number,
  overlap: number,
) {
  const windows: PlainWindow[] = [];
  for (const path of Object.keys(files).toSorted()) {
    const lines = files[path]!.split('\n');
    if (lines.at(-1) === '') lines.pop();
    for (let start = 0; start < lines.length; start += window - overlap) {
      const counted = countsOfLines(lines.slice(start, start + window), words);
      windows.push({ path: `work:${path}`, line: start + 1, ...counted });
      if (start + window >= lines.length) break;
    }
  }
  const holding = words.map((_, word) => windows.filter(({ counts }) => counts[word]! > 0).length);
  const total = windows.length;
  const idf = holding.map((n) => Math.log(1 + (total - n + 0.5) / (n + 0.5)));
  const scoreOf = ({ counts }: PlainWindow) =>
    counts.reduce((sum, count, word) => sum + (count > 0 ? idf[word]! : 0), 0);
  const best = windows
    .filter(({ counts }) => counts.some((count) => count > 0))
    .map((plain) => ({ plain, score: scoreOf(plain) }));
  return { windows, holding, total, best };
}

describe('tallyTree()', () => {
  it.each([
    ['readText', 'read', 1],
    ['readText', 'text', 1],
    ['readText', 'readtext', 1],
    ['readText', 'ext', 0],
    ['readText', 'readtexts', 0],
    ['openReadText', 'readtext', 0],
    ['read read read', 'read', 3],
    ['read_text', 'read_text', 1],
    ['_read_text', 'read_text', 1],
    ['_read_text', '_read', 0],
    ['read-text', 'read-text', 0],
    ['read-text', 'text', 1],
    ['HTTPServer', 'server', 1],
    ['HTTPServer', 'http', 1],
    ['HTTPServer', 'https', 1],
    ['myHTTPServer', 'https', 0],
    ['READ_TEXT', 'text', 1],
    ['utf8Decode', 'utf8', 1],
    ['utf8Decode', 'decode', 1],
    ['error 404', '404', 1],
    ['retries retry', 'retr', 2],
    ['Größe größer', 'größ', 2],
    ['Größe größer', 'gr', 2],
    ['x', 'x', 1],
    ['aXbX', 'x', 2],
    ['don\u2019t', 'don', 1],
  ])('counts in %j the word %j', (text, word, count) => {
    expect(countsOf(text, word)).toEqual([count]);
    expect(countsOf(`\n  ${text}\r\n`, word)).toEqual([count]);
  });

  it.each([
    ['', 0],
    ['one two', 2],
    ['readText', 2],
    ['HTTPServer2', 3],
    ['a_b-c.d', 4],
    ['___', 0],
    ['\ufeffone', 1],
    ['größe', 1],
  ])('takes the length of %j for %i parts', (text, parts) => expect(lengthOf(text)).toBe(parts));

  it('gives what a plain reference gives', () => {
    const piece = fc.constantFrom(
      'read',
      'Text',
      'READ',
      'HTTP',
      'x',
      'X',
      '_',
      '__',
      '9',
      '42',
      '-',
      ' ',
      '.',
      '\n',
      '\r\n',
      '\n\n',
      'é',
      'ß',
      '\u2013',
      '💡',
      'limit',
      'Re',
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    const word = fc.constantFrom(
      'read',
      'readtext',
      're',
      'text',
      'http',
      'x',
      'x_read',
      '9',
      '42',
      'é',
      'limit',
      't',
      'read9',
      'readhttp',
      'hh',
      'ß',
      'reread',
    );
    const files = fc.record({ a: text, b: text, 'c/d': text });
    const shape = fc
      .integer({ min: 1, max: 6 })
      .chain((window) => fc.tuple(fc.constant(window), fc.nat(window - 1)));
    fc.assert(
      fc.property(
        files,
        fc.array(word, { maxLength: 6 }),
        shape,
        fc.integer({ min: 1, max: 5 }),
        (texts, words, [window, overlap], limit) => {
          using tree = openTempTree(texts);
          const result = tally(tree, words, { window, overlap, limit });
          const plain = plainTally(texts, words, window, overlap);
          expect(result.total).toBe(plain.total);
          expect([...result.holding]).toEqual(plain.holding);
          const lengths = plain.windows.reduce((sum, { length }) => sum + length, 0);
          expect(result.meanLength).toBeCloseTo(plain.total === 0 ? 0 : lengths / plain.total, 9);
          expect(result.truncated).toBe(plain.best.length > limit);
          const shown = result.windows.map((found) => ({ ...found, counts: [...found.counts] }));
          for (const found of shown)
            expect(plain.best.map((one) => one.plain)).toContainEqual(found);
          const scores = plain.best.map(({ score }) => score).toSorted((one, other) => other - one);
          const own = shown.map(
            (found) =>
              plain.best.find(
                ({ plain: one }) => one.path === found.path && one.line === found.line,
              )!.score,
          );
          expect(own).toHaveLength(Math.min(limit, plain.best.length));
          for (const [index, score] of own.entries()) expect(score).toBeCloseTo(scores[index]!, 9);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('puts windows with rare words first, equal ones in order', () => {
    using tree = openTempTree({
      a: 'common\n',
      b: 'common rare\n',
      c: 'common\n',
      d: 'other\n',
    });
    const { windows, holding, total } = tally(tree, ['common', 'rare']);
    expect(windows.map(({ path }) => path)).toEqual(['work:b', 'work:a', 'work:c']);
    expect([...holding]).toEqual([3, 1]);
    expect(total).toBe(4);
  });

  it('counts UTF-16 behind its mark as the same text in UTF-8', () => {
    const text = `größe word 日本語 \u{1f600}\n${'word other\n'.repeat(2000)}wörd`;
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
    const tallyOf = (bytes: Uint8Array) => {
      using tree = openTempTree({ a: bytes, 'short.txt': 'word\n' });
      return tally(tree, ['größe', 'word', '日本語']);
    };
    const expected = tallyOf(Buffer.from(text));
    expect(expected.windows.length).toBeGreaterThan(900);
    expect(tallyOf(wide)).toEqual(expected);
    expect(tallyOf(Buffer.from(wide).swap16())).toEqual(expected);
    for (const nothing of ['', 'a\0b word', 'word'.repeat(1000)])
      expect(tallyOf(Buffer.from(`\ufeff${nothing}`, 'utf16le')).total).toBe(1);
  });

  it('leaves out binary, large and minified files', () => {
    using tree = openTempTree({
      'binary.bin': 'word\0\n',
      'large.txt': 'word\n'.repeat(500_000),
      'app.min.js': `word${'x'.repeat(1500)}\n\n\n`,
      'short.txt': `word${'x'.repeat(400)}\n`,
      'plain.txt': 'word\n',
    });
    const { windows } = tally(tree, ['word']);
    expect(windows.map(({ path }) => path)).toEqual(['work:plain.txt', 'work:short.txt']);
  });

  it('takes 64 words at once and counts each', () => {
    const words = Array.from({ length: 64 }, (_, n) => `${'qw'[n % 2]}${n.toString(26)}`);
    using tree = openTempTree({ a: `${words.join('\n')}\n` });
    const { windows } = tally(tree, words, { window: 100, overlap: 0 });
    expect(windows).toHaveLength(1);
    expect([...windows[0]!.counts].every((count) => count >= 1)).toBe(true);
    expect(windows[0]!.counts).toHaveLength(64);
  });

  it('refuses numbers out of their range, and words that cannot be counted', () => {
    using tree = openTempTree({ a: 'x\n' });
    const tag = (words: string[], more: Partial<TallyOptions>) =>
      failureOf(() => tally(tree, words, more)).tag;
    expect(tag(['x'], { window: 0 })).toBe('invalid');
    expect(tag(['x'], { window: 1001 })).toBe('invalid');
    expect(tag(['x'], { window: 10, overlap: 10 })).toBe('invalid');
    expect(tag(['x'], { overlap: -1 })).toBe('invalid');
    expect(tag(['x'], { limit: 0 })).toBe('invalid');
    expect(tag(['X'], {})).toBe('invalid');
    expect(tag([''], {})).toBe('invalid');
    expect(tag(['x'.repeat(65)], {})).toBe('limit');
    expect(
      tag(
        Array.from({ length: 65 }, () => 'x'),
        {},
      ),
    ).toBe('limit');
    expect(tally(tree, ['x'], { window: 1000, overlap: 999, limit: 2 ** 32 - 1 }).total).toBe(1);
  });
});
