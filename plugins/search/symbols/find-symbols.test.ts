import { describe, expect, it } from 'vitest';
import { findSymbols } from './find-symbols.ts';
import { symbolKinds } from './symbol-rules.ts';

/** Lines in memory, matched as `fs.scan` matches: one by one. */
function treeOf(files: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  let isCut = false;
  const scan: Parameters<typeof findSymbols>[0]['scan'] = (_, options) => {
    asked.push(options.pattern);
    const pattern = new RegExp(options.pattern, options.caseInsensitive ? 'ui' : 'u');
    const all = Object.entries(files).flatMap(([path, text]) =>
      text.split('\n').map((line, at) => ({
        ...{ path: `work:${path}`, line: at + 1, column: 1, text: line },
        ...{ before: [], after: [] },
      })),
    );
    const matches = all.filter(({ text }) => pattern.test(text));
    const limit = options.limit ?? matches.length;
    isCut = matches.length > limit;
    return {
      matches: matches.slice(0, limit),
      filesScanned: 1,
      bytesScanned: 1,
      truncated: matches.length > limit,
    };
  };
  const unsearched = () => (isCut ? { reason: 'matches' as const, path: 'work:' } : undefined);
  return { host: { scan, unsearched }, asked };
}

const files = {
  'src/retry.ts': [
    'export function withRetry(call: Call) {',
    '  return retry(call);',
    '}',
    'export function retry(call: Call): Promise<void> {',
    'export const retryLimit = 5;',
    'const text = "function retry() {";',
  ].join('\n'),
  'src/Retry.java': 'public class Retry {\n    public void run() {\n        retry(x);\n',
  'tests/retry.test.ts': 'function retry() {',
  'lib/queue.go': 'type Queue struct {\nfunc (q *Queue) Push(x int) {\nvar retries = 3',
};
const names = (found: ReturnType<typeof findSymbols>) =>
  found.symbols.map(({ path, line, kind, name }) => `${path.slice(5)}:${line} ${kind} ${name}`);

describe('findSymbols()', () => {
  it('gives the name itself first, then what begins with it, then what holds it', () => {
    const { host } = treeOf(files);
    const found = findSymbols(host, { place: 'work:', name: 'retry', limit: 10 });
    expect(names(found)).toEqual([
      'src/retry.ts:4 function retry',
      'tests/retry.test.ts:1 function retry',
      'src/Retry.java:1 class Retry',
      'src/retry.ts:5 constant retryLimit',
      'src/retry.ts:1 function withRetry',
    ]);
    expect(found).toMatchObject({ total: 5 });
    expect(found.cut).toBeUndefined();
  });

  it.each([
    ['Queue.Push', 'lib/queue.go:2 method Push'],
    ['Queue::Push()', 'lib/queue.go:2 method Push'],
    ['push', 'lib/queue.go:2 method Push'],
  ])('finds %s by the part that stands in its definition', (name, expected) => {
    expect(names(findSymbols(treeOf(files).host, { place: 'work:', name, limit: 5 }))).toEqual([
      expected,
    ]);
  });

  it('keeps to a kind: methods are functions, a struct is what a class is', () => {
    const { host } = treeOf(files);
    const kind = (kind: 'class' | 'function' | 'constant') =>
      findSymbols(host, { place: 'work:', kind, limit: 20 }).symbols.map(({ name }) => name);
    expect(kind('class')).toEqual(['Retry', 'Queue']);
    expect(kind('function')).toEqual(['withRetry', 'retry', 'run', 'Push', 'retry']);
    expect(kind('constant')).toEqual(['retryLimit', 'text', 'retries']);
  });

  it('says how much it left out', () => {
    const found = findSymbols(treeOf(files).host, { place: 'work:', name: 'retry', limit: 2 });
    expect(found).toMatchObject({
      total: 5,
      cut: 'left out: 3 more definitions; give a name, a kind or a narrower path',
    });
    expect(found.symbols).toHaveLength(2);
  });

  it('refuses what is not a name, and takes signs of an expression as they are', () => {
    const { host } = treeOf({ 'a.rb': 'def valid?\ndef valid\n', 'a.js': 'const $x = 1;' });
    expect(() => findSymbols(host, { place: 'work:', name: 'a b', limit: 5 })).toThrow(
      'is not a name',
    );
    expect(() => findSymbols(host, { place: 'work:', name: '.*', limit: 5 })).toThrow(
      'is not a name',
    );
    expect(names(findSymbols(host, { place: 'work:', name: 'valid?', limit: 5 }))).toEqual([
      'a.rb:1 function valid?',
    ]);
    expect(names(findSymbols(host, { place: 'work:', name: '$x', limit: 5 }))).toEqual([
      'a.js:1 constant $x',
    ]);
  });

  it('asks the host with one expression, without a name, for every kind', () => {
    const { host, asked } = treeOf(files);
    for (const kind of symbolKinds) findSymbols(host, { place: 'work:', kind, limit: 5 });
    findSymbols(host, { place: 'work:', limit: 5 });
    expect(asked).toHaveLength(symbolKinds.length + 1);
    for (const pattern of asked) expect(pattern.length).toBeLessThan(4096);
  });
});
