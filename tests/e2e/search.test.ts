import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { openPlace, type Place } from '../support/place.ts';

const files = {
  '.gitignore': 'build/\n',
  'src/retry.ts':
    'export const limit = 5;\n\nexport function retry(call: Call) {\n  return call(limit);\n}\n',
  'src/queue.py': 'class Queue:\n    def retry(self, item):\n        return self.limit\n',
  'src/main.ts': "import * as all from './retry.ts';\nexport const done = callAll(all);\n",
  'build/retry.ts': 'export function retry() {}\n',
  'notes.txt': 'function retry() of the notes\nlimit\n',
};

let place: Place;
beforeAll(() => {
  place = openPlace(files);
});
afterAll(() => place[Symbol.dispose]());

async function run(tool: string, input: JsonObject) {
  const ran = await place.cuervo(['run', tool, JSON.stringify(input), '--json']);
  const result = ran.lines.find(({ type }) => type === 'result') as { content: string } | undefined;
  return {
    code: ran.code,
    content: result === undefined ? undefined : JSON.parse(result.content),
  };
}

describe('search.symbols', () => {
  it('finds definitions and no uses, in code that is not ignored', async () => {
    const { content } = await run('search.symbols', { name: 'retry' });
    expect(content.symbols).toEqual([
      {
        path: 'src/queue.py',
        line: 2,
        kind: 'method',
        name: 'retry',
        text: '    def retry(self, item):',
      },
      {
        ...{ path: 'src/retry.ts', line: 3, kind: 'function', name: 'retry' },
        text: 'export function retry(call: Call) {',
      },
    ]);
  });

  it('outlines one file', async () => {
    const { content } = await run('search.symbols', { path: './src/queue.py' });
    expect(content).toMatchObject({ total: 2, files: 1 });
    expect(content.symbols.map(({ name }: { name: string }) => name)).toEqual(['Queue', 'retry']);
  });

  it('refuses what is not a name', async () => {
    expect(await run('search.symbols', { name: 'two words' })).toMatchObject({ code: 2 });
  });
});

describe('search.grep', () => {
  it('keeps the list of matches, counts them by file, and says what a limit cut', async () => {
    const { content } = await run('search.grep', { pattern: 'limit', limit: 3 });
    expect(content.matches).toHaveLength(3);
    expect(content).toMatchObject({
      truncated: true,
      counts: [
        { path: 'notes.txt', matches: 1 },
        { path: 'src/queue.py', matches: 1 },
        { path: 'src/retry.ts', matches: 1 },
      ],
      cut: expect.stringContaining('more than 3 matches'),
    });
  });

  it('gives blocks by file where they are asked for', async () => {
    const input = { pattern: 'limit', path: 'src/retry.ts', after: 2, grouped: true };
    const { content } = await run('search.grep', input);
    const text = files['src/retry.ts'].split('\n').slice(0, 5).join('\n');
    expect(content).toEqual({
      byFile: [
        { path: 'src/retry.ts', matches: 2, blocks: [{ line: 1, endLine: 5, hits: [1, 4], text }] },
      ],
      ...{ total: 2, files: 1, truncated: false, filesScanned: 1 },
    });
  });
});

describe('search.definition, references, imports and complexity', () => {
  it('read code through the component', async () => {
    const found = await run('search.definition', { name: 'retry', path: 'src/retry.ts' });
    expect(found.content.definitions).toMatchObject([
      {
        ...{ path: 'src/retry.ts', line: 3, endLine: 5 },
        signature: 'export function retry(call: Call)',
        text: 'export function retry(call: Call) {\n  return call(limit);\n}',
      },
    ]);
    const uses = await run('search.references', { name: 'limit' });
    expect(
      uses.content.references.map(({ path, line }: { path: string; line: number }) => [path, line]),
    ).toEqual([
      ['src/queue.py', 3],
      ['src/retry.ts', 4],
    ]);
    const imports = await run('search.imports', { path: 'src/main.ts', direction: 'imports' });
    expect(imports.content.imports).toMatchObject([{ line: 1, resolved: ['src/retry.ts'] }]);
    expect(imports.content.importedBy).toBeUndefined();
    const sizes = await run('search.complexity', { path: 'src' });
    expect(sizes.content.functions).toMatchObject([{ name: 'retry' }, { name: 'retry' }]);
  });

  it.each([
    ['who calls callAll?', 'src/main.ts:2'],
    ['what imports src/retry.ts?', 'src/main.ts:1'],
    ['which functions are the most complex?', 'cyclomatic 1'],
  ])('answer "%s"', async (question, expected) => {
    const { code, stdout } = await place.cuervo(['ask', question]);
    expect(code).toBe(0);
    expect(stdout).toContain(expected);
  });

  it('refuse what is not a name and a file that says nothing about imports', async () => {
    expect(await run('search.references', { name: 'two words' })).toMatchObject({ code: 2 });
    expect(await run('search.definition', { name: '' })).toMatchObject({ code: 2 });
    expect(await run('search.imports', { path: 'notes.txt' })).toMatchObject({ code: 2 });
  });
});

describe('names with a colon in front', () => {
  it('are found, and read by the path that was printed', async () => {
    using odd = openPlace({
      'd:x/f.txt': 'the zanzibar quota is 7\n',
      'note: quota.txt': 'the zanzibar quota was 5\n',
    });
    const contentOf = async (tool: string, input: JsonObject) => {
      const ran = await odd.cuervo(['run', tool, JSON.stringify(input), '--json']);
      const result = ran.lines.find(({ type }) => type === 'result') as { content: string };
      return JSON.parse(result.content);
    };
    const { matches } = await contentOf('search.grep', { pattern: 'zanzibar' });
    const paths = matches.map(({ path }: { path: string }) => path).sort();
    expect(paths).toEqual(['work:d:x/f.txt', 'work:note: quota.txt']);
    expect(await contentOf('file.read', { path: paths[0] })).toMatchObject({
      ...{ path: paths[0], lines: 'the zanzibar quota is 7' },
    });
    const asked = await odd.cuervo(['ask', 'what is the zanzibar quota?', '--json']);
    expect(asked.code).toBe(0);
    const answer = asked.lines.find(({ type }) => type === 'answer') as { text: string };
    expect(answer.text).toContain('work:d:x/f.txt:1');
    expect(answer.text).toContain('work:note: quota.txt:1');
  });
});
