import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkText, documentKind } from './texts.ts';

const filler = (lines: number, indent = '') =>
  Array.from({ length: lines }, (_, n) => `${indent}line ${n} says something of its own`);

describe('chunkText()', () => {
  it('cuts Markdown at its headings and keeps those above', () => {
    const text = '# One\n\nfirst\n\n## Two\n\nsecond\n\n# Three\nthird\n';
    expect(chunkText(text, 'markdown')).toEqual([
      { text: '# One\n\nfirst', startLine: 1, endLine: 3, headings: ['One'] },
      { text: '## Two\n\nsecond', startLine: 5, endLine: 7, headings: ['One', 'Two'] },
      { text: '# Three\nthird', startLine: 9, endLine: 10, headings: ['Three'] },
    ]);
  });

  it('takes no heading from a fenced block', () => {
    const text = '# One\n\n```sh\n# no heading\n```\n';
    expect(chunkText(text, 'markdown').map(({ headings }) => headings)).toEqual([['One']]);
  });

  it('cuts code before what begins at the left margin', () => {
    const body = [
      'function one() {',
      ...filler(25, '  '),
      '}',
      '',
      'function two() {',
      ...filler(25, '  '),
      '}',
    ];
    const chunks = chunkText(body.join('\n'), 'code');
    expect(chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 27],
      [29, 55],
    ]);
    expect(chunks[1]?.text).toMatch(/^function two/);
  });

  it('cuts text at blank lines, a long line within, and half a character never', () => {
    const paragraphs = [filler(30).join('\n'), filler(30).join('\n')].join('\n\n');
    expect(chunkText(paragraphs, 'text').map(({ startLine }) => startLine)).toEqual([1, 32]);
    const long = chunkText('😀'.repeat(4_000), 'text');
    expect(long.length).toBeGreaterThan(2);
    expect(long.every(({ text, startLine }) => text.isWellFormed() && startLine === 1)).toBe(true);
  });

  it('has nothing of nothing', () => {
    expect(chunkText('', 'text')).toEqual([]);
    expect(chunkText(' \n\n\t\n', 'markdown')).toEqual([]);
  });

  it('loses no word, and its lines are those of the document', () => {
    const line = fc.oneof(
      fc.constantFrom('', '# Title', '## Part', 'def f():', '    return 1', '```'),
      fc.string({ maxLength: 120 }).map((text) => text.replace(/[\r\n]/g, '')),
    );
    const kinds = fc.constantFrom('markdown' as const, 'code' as const, 'text' as const);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 200 }), kinds, (lines, kind) => {
        const chunks = chunkText(lines.join('\n'), kind);
        const covered = new Set<number>();
        for (const { text, startLine, endLine } of chunks) {
          expect(text).toBe(lines.slice(startLine - 1, endLine).join('\n'));
          for (let at = startLine; at <= endLine; at += 1) covered.add(at);
        }
        for (const [at, content] of lines.entries()) {
          if (content.trim() !== '') expect(covered.has(at + 1)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('documentKind()', () => {
  it.each([
    ['README.md', 'markdown'],
    ['src/a.test.ts', 'code'],
    ['LICENSE', 'text'],
    ['a.csv', 'text'],
  ])('%s is %s', (name, kind) => {
    expect(documentKind(name)).toBe(kind);
  });
});
