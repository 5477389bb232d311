import { describe, expect, it } from 'vitest';
import type { StepResult } from '../contracts/plan.ts';
import { pathsIn } from './paths-in.ts';

const result = (content: unknown): StepResult => ({
  ...{ step: 's1', tool: 'file.find', needs: [], input: {}, status: 'ok', attempts: 1 },
  ...{ durationMs: 0, hostCalls: [] },
  output: { content: JSON.stringify(content), summary: '' },
});

describe('pathsIn()', () => {
  it('has what was named first, then the root, then what was found, each with its folders', () => {
    const found = [
      result({ paths: ['docs/a/b.md', 'src/x.ts'], note: 'no/path' }),
      result({ matches: [{ path: 'src/y.ts', line: 3, text: 'lib/z.ts' }] }),
    ];
    expect(pathsIn(['src/x.ts'], found)).toEqual([
      ...['src/x.ts', 'src', '.', 'docs/a/b.md', 'src/y.ts', 'docs/a', 'docs'],
    ]);
  });

  it('has nothing where nothing was found', () => {
    expect(pathsIn([], [])).toEqual([]);
    const plain = result('no JSON');
    expect(pathsIn([], [{ ...plain, output: { content: 'text', summary: '' } }])).toEqual([]);
  });

  it('leaves out what leads elsewhere, and what is no path', () => {
    const found = result({
      paths: ['/etc/passwd', '../a', 'a/../../b', 'a\nb', '', 'x'.repeat(200)],
    });
    expect(pathsIn([], [found])).toEqual([]);
  });

  it('has at most a thousand', () => {
    const paths = Array.from({ length: 3_000 }, (_, index) => `src/f${index}.ts`);
    const all = pathsIn(['a.ts'], [result({ paths })]);
    expect(all).toHaveLength(1_000);
    expect(all.slice(0, 3)).toEqual(['a.ts', '.', 'src/f0.ts']);
  });
});
