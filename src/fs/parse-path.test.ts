import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../tests/support/runs.ts';
import { failureOf } from '../../tests/support/temp-tree.ts';
import { parsePath, splitRoot } from '../paths/parse-path.ts';

const roots = new Map([
  ['work', 3],
  ['docs', 4],
]);
const segmentsOf = (path: string) => parsePath(path, roots).segments;
const refusal = (path: string) => failureOf(() => parsePath(path, roots));

describe('parsePath()', () => {
  it('takes the root from the path, and work without one', () => {
    expect(parsePath('docs:a/b.md', roots)).toMatchObject({ root: 'docs', rootFd: 4 });
    expect(parsePath('a/b.md', roots)).toMatchObject({ root: 'work', rootFd: 3 });
    expect(segmentsOf('docs:a/b.md')).toEqual(['a', 'b.md']);
  });

  it('names the root itself by nothing or a dot', () => {
    for (const path of ['work:', 'work:.', '.', './']) expect(segmentsOf(path)).toEqual([]);
  });

  it.each(['./a/b.md', 'a/b.md', 'a/./b.md', '././a/b.md', 'work:./a/b.md', 'a/b.md/.'])(
    'takes %j for a/b.md in work',
    (path) => {
      expect(parsePath(path, roots)).toMatchObject({ root: 'work', segments: ['a', 'b.md'] });
      expect(splitRoot(path)).toEqual({ root: 'work', relative: 'a/b.md' });
    },
  );

  it('takes a colon for a root only in front', () => {
    expect(parsePath('work:docs:a', roots)).toMatchObject({ root: 'work', segments: ['docs:a'] });
    expect(segmentsOf('a/docs:b')).toEqual(['a', 'docs:b']);
    expect(segmentsOf('./docs:b')).toEqual(['docs:b']);
  });

  it.each([
    ['', 'is empty'],
    ['work:../a', 'segment ".."'],
    ['a/../b', 'segment ".."'],
    ['..', 'segment ".."'],
    ['./../a', 'segment ".."'],
    ['.//etc/passwd', 'is absolute'],
    ['/etc/passwd', 'is absolute'],
    ['work:/etc', 'is absolute'],
    ['a//b', 'an empty segment'],
    ['a/', 'ends in "/"'],
    ['a\0b', 'holds a NUL'],
    ['a\nb', 'control character'],
    ['a\u0085b', 'control character'],
    ['a\\b', 'a backslash'],
    ['work:..\\a', 'a backslash'],
    ['a\ud800', 'surrogate'],
    ['é'.repeat(128), 'over 255 bytes'],
    [`${'a/'.repeat(2048)}a`, 'over 4096 bytes'],
    [`${'a/'.repeat(128)}a`, 'has 129 segments, limit 128'],
  ])('refuses %j as invalid', (path, fault) => {
    const failure = refusal(path);
    expect(failure.tag).toBe('invalid');
    expect(failure.val).toContain(fault);
  });

  it('accepts the longest segment and the deepest path', () => {
    expect(segmentsOf('a'.repeat(255))).toHaveLength(1);
    expect(segmentsOf(`${'a/'.repeat(127)}a`)).toHaveLength(128);
  });

  it('denies a root that is not granted and says which are', () => {
    const failure = refusal('etc:passwd');
    expect(failure.tag).toBe('denied');
    expect(failure.val).toContain('root "etc" is not granted; granted: work, docs');
    const none = failureOf(() => parsePath('a', new Map()));
    expect(none).toMatchObject({ tag: 'denied' });
    expect(none.val).toContain('no root is granted');
  });

  it('accepts no path that holds a way up, out or through', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '/',
      'a',
      'b.c',
      ':',
      'work',
      '\\',
      '\0',
      '%2e',
      '…',
      '\n',
    );
    const path = fc.oneof(
      fc.array(piece).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary' }),
    );
    let accepted = 0;
    fc.assert(
      fc.property(path, (text) => {
        let segments: readonly string[];
        try {
          segments = segmentsOf(text);
        } catch {
          return;
        }
        accepted += 1;
        for (const segment of segments) {
          expect(['', '.', '..']).not.toContain(segment);
          expect(segment).not.toMatch(/[/\\\0\n]/);
          expect(segment.isWellFormed()).toBe(true);
        }
        // Nothing but a dot was left out on the way.
        const written = text.replace(/^(?:work|docs):/, '').split('/');
        const names = written.filter((name) => name !== '.').join('/');
        expect(segments.join('/')).toBe(names);
      }),
      { numRuns: runs(3000) },
    );
    expect(accepted).toBeGreaterThan(runs(100));
  });
});
