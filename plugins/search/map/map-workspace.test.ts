import { describe, expect, it } from 'vitest';
import { treeHost } from '../code/tree-host.ts';
import { mapWorkspace } from './map-workspace.ts';

const many = (folder: string, text: string, count = 3): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${folder}/f${at}.ts`, at === 0 ? text : '']),
  );

const usesOf = (files: Readonly<Record<string, string>>): Record<string, string[]> =>
  Object.fromEntries(
    mapWorkspace(treeHost(files), 'work:', 24).parts.map(({ path, uses }) => [
      path,
      uses.map((each) => each.path),
    ]),
  );

describe('mapWorkspace()', () => {
  it('tells which folder imports which, by the lines of imports', () => {
    const files = {
      ...many('app', "import { a } from '../lib/f1.ts';\nimport {\n  b,\n} from '../net/f0.ts';\n"),
      ...many('lib', "import fs from 'node:fs';\n"),
      ...many('net', "export * from '../lib/f0.ts';\n"),
    };
    expect(usesOf(files)).toEqual({ app: ['lib', 'net'], lib: [], net: ['lib'] });
    const { parts } = mapWorkspace(treeHost(files), 'work:', 24);
    expect(parts.map(({ path, usedBy }) => [path, usedBy])).toEqual([
      ['app', 0],
      ['lib', 2],
      ['net', 1],
    ]);
  });

  it('knows packages of the workspace by their names', () => {
    const files = {
      'packages/a/package.json': '{"name":"@shop/a","main":"./f0.ts","bin":{"shop":"cli.ts"}}',
      'packages/b/package.json': '{"name":"@shop/b"}',
      ...many('packages/a', "import { b } from '@shop/b';\n"),
      ...many('packages/b', ''),
    };
    expect(usesOf(files)['packages/a']).toEqual(['packages/b']);
    expect(mapWorkspace(treeHost(files), 'work:', 24).entries).toEqual([
      { path: 'packages/a/cli.ts', why: 'bin shop' },
      { path: 'packages/a/f0.ts', why: 'library' },
    ]);
  });

  it.each([
    ['py', 'import core.store\n', 'from . import x\n'],
    ['py', 'from core.store import open\n', ''],
    ['py', 'from ..core import store\n', ''],
    ['go', 'import (\n\t"fmt"\n\t"shop.org/shop/core"\n)\n', ''],
    ['c', '#include "../core/store.h"\n', ''],
    ['java', 'import core.store;\n', ''],
  ])('reads the imports of %s: %s', (ending, text, other) => {
    const files = {
      'go.mod': 'module shop.org/shop\n',
      [`app/main.${ending}`]: text,
      [`app/b.${ending}`]: other,
      [`core/store.${ending === 'c' ? 'h' : ending}`]: '',
      [`core/b.${ending}`]: '',
    };
    expect(usesOf(files).app).toEqual(['core']);
  });

  it('does not count what tests import, nor what comes from elsewhere', () => {
    const files = {
      ...many('app', "import x from 'lib';\n"),
      'app/f1.test.ts': "import { a } from '../lib/f1.ts';\n",
      ...many('lib', ''),
    };
    expect(usesOf(files)).toEqual({ app: [], lib: [] });
  });

  it('splits the largest folders, and keeps to the number of parts', () => {
    const files = Object.assign(
      {},
      ...Array.from({ length: 40 }, (_, at) => many(`src/part${at}`, 'x'.repeat(at))),
      many('docs', 'x'),
    ) as Record<string, string>;
    const { parts, files: count } = mapWorkspace(treeHost(files), 'work:', 12);
    expect(parts.length).toBeGreaterThan(6);
    expect(parts.length).toBeLessThanOrEqual(12);
    expect(parts.reduce((sum, each) => sum + each.files, 0)).toBe(count);
  });
});
