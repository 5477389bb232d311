import { describe, expect, it } from 'vitest';
import { KernelError } from '../contracts/error.ts';
import type { StepResult } from '../contracts/plan.ts';
import { collectFindings as collect } from './collect-evidence.ts';

const isBuiltin = (plugin: string): boolean => plugin === 'x';
const collectFindings = (
  results: readonly StepResult[],
  more: Partial<Parameters<typeof collect>[1]> = {},
) => collect(results, { isBuiltin, ...more });
const result = (step: string, content: unknown, more: Partial<StepResult> = {}): StepResult => ({
  step,
  tool: 'x.y',
  needs: [],
  input: {},
  status: 'ok',
  output: {
    content: typeof content === 'string' ? content : JSON.stringify(content),
    summary: `summary of ${step}`,
  },
  attempts: 1,
  durationMs: 0,
  hostCalls: [],
  ...more,
});
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join('\n');
const piece = (path: string, line: number, endLine: number, score?: number) => ({
  path,
  line,
  endLine,
  text: lines(line, endLine),
  ...(score === undefined ? {} : { score }),
});
const places = (...results: StepResult[]): string[] =>
  collectFindings(results).evidence.map(({ path, line, endLine }) => `${path}:${line}-${endLine}`);

describe('collectFindings()', () => {
  it('takes pieces from any list of a tool, best first', () => {
    const { evidence } = collectFindings([
      result('s1', { passages: [piece('a', 1, 2, 0.5), piece('b', 1, 1, 3)], more: true }),
    ]);
    expect(evidence).toEqual([piece('b', 1, 1, 3), piece('a', 1, 2, 0.5)]);
  });

  it('has another file before a second piece of the one that leads', () => {
    const passages = [piece('a', 1, 2, 3), piece('a', 9, 9, 2), piece('b', 1, 1, 1)];
    const shape = { leads: 1, rows: [], whole: { pieces: 0, lines: 0 } };
    const { evidence } = collectFindings([result('s1', { passages })], { shape });
    expect(evidence.map(({ path, line }) => `${path}:${line}`)).toEqual(['a:1', 'b:1', 'a:9']);
  });

  it('leads with no passage that was ranked where lists are the answer', () => {
    const shape = {
      leads: 1,
      rows: [],
      whole: { pieces: 1, lines: 14 },
      listsFirst: true as const,
    };
    const listed = result('s1', { paths: ['plugins/a.ts'] }, { tool: 'search.find' });
    const ranked = result('s2', { passages: [piece('b', 1, 2, 3)] }, { tool: 'passages.rank' });
    expect(collectFindings([listed, ranked], { shape, isBuiltin: () => true })).toMatchObject({
      leading: 0,
      evidence: [{ path: 'b' }],
      listings: [{ text: 'plugins/a.ts', listed: [{ path: 'plugins/a.ts' }] }],
    });
    const read = result('s0', { path: 'a', lines: 'enum Plugin {}', start: 1 });
    expect(collectFindings([read, listed, ranked], { shape, isBuiltin: () => true }).leading).toBe(
      1,
    );
  });

  it('leads with the first result that has any piece', () => {
    const shape = { leads: 1, rows: [], whole: { pieces: 0, lines: 0 } };
    const { evidence } = collectFindings(
      [
        result('s1', { definitions: [] }),
        result('s2', { passages: [piece('a.md', 1, 2, 1)] }),
        result('s3', { passages: [piece('b', 1, 2, 3)] }),
      ],
      { shape },
    );
    expect(evidence.map(({ path }) => path)).toEqual(['a.md', 'b']);
  });

  it('has a second piece of the best file before a third file where the fourth is far behind', () => {
    const passagesWith = (fourth: number) => [
      ...[piece('a', 1, 2, 9), piece('a', 9, 9, 2), piece('a', 20, 21, 1)],
      ...[piece('b', 1, 1, 8), piece('c', 2, 2, 7), piece('d', 3, 3, fourth)],
    ];
    const near = places(result('s1', { passages: passagesWith(6) }));
    expect(near.slice(0, 4)).toEqual(['a:1-2', 'b:1-1', 'c:2-2', 'd:3-3']);
    const passages = passagesWith(3);
    expect(places(result('s1', { passages }))).toEqual([
      'a:1-2',
      'b:1-1',
      'a:9-9',
      'c:2-2',
      'd:3-3',
      'a:20-21',
    ]);
  });

  it('keeps what a piece stands in, unless another one begins above it', () => {
    const inner = { ...piece('a', 5, 6, 2), within: 'open' };
    const withinOf = (...passages: object[]) =>
      collectFindings([result('s1', { passages })]).evidence[0]?.within;
    expect(withinOf(inner)).toBe('open');
    expect(withinOf(inner, piece('a', 3, 5, 1))).toBeUndefined();
  });

  it('keeps the comment above a definition, where it is one', () => {
    const docOf = (doc: unknown) =>
      collectFindings([result('s1', { definitions: [{ ...piece('a', 5, 6), doc }] })]).evidence[0]
        ?.doc;
    expect(docOf({ line: 4, text: '// opens' })).toEqual({ line: 4, text: '// opens' });
    for (const wrong of ['// opens', null, { line: 0, text: '' }, { line: 1, text: 1 }])
      expect(docOf(wrong)).toBeUndefined();
  });

  it('lists each test once, and each other place', () => {
    const references = [
      { path: 'a.test.ts', line: 5, text: 'open(1)', within: 'opens' },
      { path: 'a.test.ts', line: 6, text: 'open(2)', within: 'opens' },
    ];
    const shape = { leads: 0, rows: ['search.references'], whole: { pieces: 0, lines: 0 } };
    const linesOf = (input: StepResult['input']) =>
      collectFindings([result('s1', { references }, { tool: 'search.references', input })], {
        shape,
        isBuiltin: () => true,
      }).rows.flatMap(({ pieces }) => pieces.map(({ line }) => line));
    expect(linesOf({ tests: true })).toEqual([5]);
    expect(linesOf({})).toEqual([5, 6]);
  });

  it('takes pieces that a tool gives by file, their files in order', () => {
    const blocks = (path: string, ...places: [number, number][]) => ({
      ...{ path, matches: places.length },
      blocks: places.map(([line, endLine]) => ({ line, endLine, text: lines(line, endLine) })),
    });
    const byFile = [blocks('a', [1, 2], [9, 9]), blocks('b', [4, 5])];
    expect(places(result('s1', { total: 3, byFile }))).toEqual(['a:1-2', 'a:9-9', 'b:4-5']);
  });

  it('ranks what has no score in its order, below everything that has one', () => {
    const matches = [piece('c', 9, 9), piece('d', 9, 9)];
    expect(
      places(result('s1', { passages: [piece('a', 1, 1, 0.4)] }), result('s2', { matches })),
    ).toEqual(['a:1-1', 'c:9-9', 'd:9-9']);
  });

  it('takes what was ranked from the ranking alone, and from the search where that failed', () => {
    const search = result('s1', { passages: [piece('a', 1, 1, 9), piece('b', 1, 1, 2)] });
    const more = { tool: 'passages.rank', needs: ['s1'] };
    const ranking = { passages: [piece('b', 1, 1, 5)] };
    const builtin = { isBuiltin: () => true };
    const paths = (...results: StepResult[]) =>
      collect(results, builtin).evidence.map(({ path }) => path);
    expect(paths(search, result('s2', ranking, more))).toEqual(['b']);
    expect(paths(search, result('s2', {}, { ...more, status: 'error' }))).toEqual(['a', 'b']);
  });

  it('leads with what the first step looked up by name', () => {
    expect(
      places(
        result('s1', { matches: [piece('def', 5, 5), piece('use', 7, 7)] }),
        result('s2', { path: 'def', start: 3, lines: lines(3, 8) }),
        result('s3', { passages: [piece('a', 1, 1, 20)] }),
      ),
    ).toEqual(['def:3-8', 'a:1-1', 'use:7-7']);
  });

  it('joins pieces of a file that touch, with each line once', () => {
    const { evidence } = collectFindings([
      result('s1', {
        passages: [piece('a', 5, 8, 1), piece('a', 7, 12, 2), piece('a', 20, 21, 1)],
      }),
    ]);
    expect(evidence).toEqual([piece('a', 5, 12, 2), piece('a', 20, 21, 1)]);
  });

  it('drops a piece inside another, and keeps the better score', () => {
    expect(
      collectFindings([result('s1', { passages: [piece('a', 1, 9, 1), piece('a', 3, 4, 5)] })])
        .evidence,
    ).toEqual([{ ...piece('a', 1, 9), score: 5 }]);
  });

  it('does not let pieces grow into a wall of text', () => {
    const passages = [piece('a', 1, 30, 2), piece('a', 30, 60, 1)];
    expect(places(result('s1', { passages }))).toEqual(['a:1-30']);
    const [whole] = collectFindings([
      result('s1', { path: 'b', start: 1, lines: lines(1, 500) }),
    ]).evidence;
    expect(whole?.endLine).toBe(40);
    expect(whole?.text).toBe(lines(1, 40));
  });

  it('shows at most twelve pieces', () => {
    const passages = Array.from({ length: 30 }, (_, index) => piece(`f${index}`, 1, 1, 30 - index));
    expect(places(result('s1', { passages })).length).toBe(12);
  });

  it('takes what is not a line of a file as a listing', () => {
    const { listings, evidence } = collectFindings([
      result('s1', { tree: 'src\n  a.ts', files: 1 }),
      result('s2', 'only words'),
      result('s3', { entries: [{ path: 'a.ts', kind: 'file', size: 1500 }] }),
      result('s4', { words: 3 }),
    ]);
    expect(evidence).toEqual([]);
    expect(listings).toMatchObject([
      { title: 'summary of s1', text: 'src\n  a.ts' },
      { title: 'summary of s2', text: 'only words' },
      { title: 'summary of s3', text: 'a.ts  1.5 kB' },
      { title: 'summary of s4', text: '{"words":3}' },
    ]);
  });

  it('lists many definitions a line each where outlines are wanted', () => {
    const symbols = Array.from({ length: 6 }, (_, index) => ({
      ...{ path: 'a.go', line: index + 1, kind: 'function' },
      ...{ name: `f${index}`, text: `func f${index}() {` },
    }));
    const { evidence, listings } = collectFindings([result('s1', { symbols })], { outlines: true });
    expect(evidence).toEqual([]);
    expect(listings[0]?.text.split('\n')[5]).toBe('a.go:6  func f5() {');
    expect(collectFindings([result('s1', { symbols })]).evidence).not.toEqual([]);
    const few = [result('s1', { symbols: symbols.slice(0, 5) })];
    expect(collectFindings(few, { outlines: true }).listings).toEqual([]);
  });

  it('shows what an installed plugin gave by the schema that it has of it', () => {
    const item = { properties: { b: { title: 'B' } } };
    const tools = [
      {
        name: 'guest.list',
        outputSchema: { properties: { items: { type: 'array', items: item } } },
      },
      { name: 'guest.text', outputSchema: { type: 'string' } },
    ];
    const results = [
      result('s1', { total: 45.5, items: [{ a: 1, b: 2 }] }, { tool: 'guest.list' }),
      result('s2', '{ "a": 1 }', { tool: 'guest.text' }),
    ];
    expect(collectFindings(results, { tools }).listings).toMatchObject([
      { title: 'The plugin guest says: summary of s1', text: 'items:\nB  a\n2  1\ntotal: 45.5' },
      { title: 'The plugin guest says: summary of s2', text: '{ "a": 1 }' },
    ]);
  });

  it('takes what an installed plugin says of files as its words', () => {
    const passages = [piece('src/a.ts', 1, 2, 9), piece('../../etc/passwd', 1, 1, 8)];
    const said = [
      result('s1', { passages }, { tool: 'guest.find' }),
      result('s2', { path: 'src/a.ts', start: 1, lines: 'forged' }, { tool: 'guest.read' }),
      result('s3', { byFile: [{ path: 'b', blocks: [piece('b', 1, 1)] }] }, { tool: 'xx.find' }),
    ];
    const { evidence, listings } = collectFindings(said);
    expect(evidence).toEqual([]);
    expect(listings.map(({ title }) => title)).toEqual([
      'The plugin guest says: summary of s1',
      'The plugin guest says: summary of s2',
      'The plugin xx says: summary of s3',
    ]);
    expect(collectFindings([result('s1', { passages })]).evidence).toEqual(passages);
  });

  it('introduces a listing on one line', () => {
    const output = { content: 'words', summary: `ok:\n\nsrc/a.ts:1\n> 1 forged${' '.repeat(999)}` };
    const [listing] = collectFindings([result('s1', '', { output, tool: 'guest.find' })]).listings;
    expect(listing?.title).toMatch(/^The plugin guest says: ok:\\n\\nsrc/);
    expect(listing?.title.length).toBeLessThan(400);
  });

  it.each([
    ['a list', (row: object[]) => ({ rows: row })],
    ['one file', (row: object[]) => ({ rows: [{ path: 'a', blocks: row }] })],
    ['many files', (row: object[]) => ({ rows: row.map((one) => ({ path: 'a', blocks: [one] })) })],
  ])('looks at the first rows of %s, however many there are', (_, shape) => {
    const rows = Array.from({ length: 40_000 }, (__, at) => ({
      ...piece('a', 3 * at + 1, 3 * at + 1),
      at,
    }));
    const many = Array.from({ length: 8 }, (__, at) => result(`s${at}`, shape(rows)));
    const { evidence } = collectFindings(many);
    expect(evidence.map(({ line }) => line)).toEqual(rows.slice(0, 12).map(({ line }) => line));
  });

  it('takes rows whose place or score is not a number of lines for none', () => {
    const rows = [
      piece('a', 1, 2),
      ...[0, -1, 0.5, 1e300].map((line) => ({ ...piece('b', 1, 1), line })),
    ];
    expect(places(result('s1', { rows }))).toEqual(['a:1-2']);
    const endless = '{"rows":[{"path":"a","line":3,"endLine":1e999,"text":"x","score":1e999}]}';
    expect(collectFindings([result('s1', endless)]).evidence).toEqual([
      { path: 'a', line: 3, endLine: 3, text: 'x', score: expect.closeTo(0.005) },
    ]);
  });

  it('says how many entries a cut list left out', () => {
    const { listings } = collectFindings([
      result('s1', { paths: ['a.ts'], total: 218, truncated: '217 more' }),
      result('s2', { entries: [{ path: 'a.ts', size: 1 }] }, { needs: ['s1'] }),
    ]);
    expect(listings).toMatchObject([
      { title: 'summary of s2 (the first 1 of 218)', text: 'a.ts  1 B' },
    ]);
  });

  it('leaves out what is empty, failed, or only led to the next step', () => {
    const failed = new KernelError('tool-failed', 'no');
    const { output: _, ...without } = result('s4', '', { status: 'error', error: failed });
    const { listings, evidence } = collectFindings([
      result('s1', { paths: ['a.ts'] }),
      result('s2', { entries: [{ path: 'a.ts' }] }, { needs: ['s1'] }),
      result('s3', { matches: [] }),
      without,
      result('s5', '  \n'),
      result('s6', { path: 'empty.txt', lines: '' }),
    ]);
    expect(evidence).toEqual([]);
    expect(listings.map(({ title }) => title)).not.toContain('summary of s1');
    expect(listings.map(({ title }) => title)).toContain('summary of s2');
    expect(listings.map(({ title }) => title)).not.toContain('summary of s3');
    expect(listings.map(({ title }) => title)).not.toContain('summary of s5');
  });
});

describe('rows of places', () => {
  const rows = (matches: readonly object[]) =>
    collectFindings([result('s1', { matches }, { tool: 'search.grep' })], {
      shape: { leads: 0, rows: ['search.grep'], whole: { pieces: 0, lines: 0 } },
    }).rows.flatMap(({ pieces }) => pieces.map(({ path, text }) => `${path} ${text}`));
  const match = (path: string, text: string, after: string[] = []) => ({
    path,
    line: 1,
    text,
    after,
  });

  it('begin with the help of an option, on one line or with the line below', () => {
    expect(
      rows([
        match('src/main.rs', '  // Note: --spa needs --index.'),
        match('README.md', '      --spa', ['          Serves one page']),
        match('docs/use.md', '- `--spa`: serves one page'),
        match('list.md', '      --spa', ['      --index <FILE>']),
      ]),
    ).toEqual([
      'README.md       --spa\n          Serves one page',
      'docs/use.md - `--spa`: serves one page',
      'src/main.rs   // Note: --spa needs --index.',
      'list.md       --spa',
    ]);
  });

  it('go on where a call does, and nowhere else', () => {
    expect(
      rows([
        match('a.py', 'p.add_parser(', ['  "install",', '  help="x",']),
        match('b.py', 'p.add_parser("run")', ['x = 1']),
        match('C.java', '  @Test', ['  void moors() {', '  }']),
      ]),
    ).toEqual([
      'a.py p.add_parser(\n  "install",\n  help="x",',
      'b.py p.add_parser("run")',
      'C.java   @Test\n  void moors() {\n  }',
    ]);
  });

  it('are those of sources first, then of tests and documents, and where a flag is declared', () => {
    expect(
      rows([
        match('README.md', '--force'),
        match('scripts/x.py', 'force'),
        match('src/b.py', 'if force:'),
        match('src/a.py', 'parser.add_argument("--force")'),
      ]).map((row) => row.split(' ')[0]),
    ).toEqual(['src/a.py', 'src/b.py', 'README.md', 'scripts/x.py']);
  });
});

describe('copies', () => {
  it('of a passage come behind passages that say something else', () => {
    const same = { line: 1, endLine: 1, text: 'the same' };
    const passages = [
      { path: 'docs/v1/a.md', score: 9, ...same },
      { path: 'docs/v2/a.md', score: 8, ...same },
      { path: 'src/a.ts', line: 1, endLine: 1, text: 'other', score: 7 },
    ];
    const { evidence } = collectFindings([result('s1', { passages })]);
    expect(evidence.map(({ path }) => path)).toEqual(['docs/v1/a.md', 'src/a.ts', 'docs/v2/a.md']);
  });
});
