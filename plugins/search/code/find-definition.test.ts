import { describe, expect, it } from 'vitest';
import { type CodeFile, codeFile } from './code-file.ts';
import { definitionSpan } from './definition-span.ts';
import { findDefinitions } from './find-definition.ts';
import { treeHost } from './tree-host.ts';

const store = [
  "import { Base } from './base.ts';",
  '',
  '@sealed()',
  'export class Store<Key> extends Base<Key> implements Reader, Writer<Key> {',
  '  readonly #rows = new Map<Key, string>();',
  '  // open() { of a comment',
  '  constructor(readonly name: string) {',
  '    super();',
  '  }',
  '',
  '  get size(): number {',
  '    return this.#rows.size;',
  '  }',
  '',
  '  async open(',
  '    key: Key,',
  "    mode: '{' | '}' = '{',",
  '  ): Promise<{ ok: boolean }> {',
  "    if (mode === '}') {",
  '      return { ok: false };',
  '    }',
  '    return { ok: this.#rows.has(key) };',
  '  }',
  '}',
  '',
  'export const double = (value: number): number => value * 2;',
  'export const limits = {',
  '  rows: 5,',
  '};',
  'export type Mode =',
  "  | 'read'",
  "  | 'write';",
  'export function open(): void {}',
].join('\n');

const files = {
  'src/store.ts': store,
  'src/queue.py': [
    'class Queue(Base, metaclass=Meta):',
    '    """A queue: of items."""',
    '',
    '    @property',
    '    def size(self) -> int:',
    '        return len(self.items)',
    '',
    '    def push(self, item: dict[str, int], *,',
    '             front: bool = False) -> None:',
    '        text = """',
    'not the end',
    '"""',
    '        self.items.append(item)',
    '',
    'def push(item): return item',
  ].join('\n'),
  'lib/queue.go': [
    'func (q *Queue) Push(x int) error {',
    '\treturn nil // }',
    '}',
    'type Queue struct {',
    '\titems []int',
    '}',
  ].join('\n'),
  'lib/a.rs': 'impl Store {\n    pub fn open(&self) -> u8 {\n        1\n    }\n}\n',
  'lib/read.c': 'static int\nread_all(int fd)\n{\n    return fd;\n}\n',
};

const find = (name: string, limit = 5) =>
  findDefinitions(treeHost(files), { name, place: 'work:', limit });
const linesOf = (text: string, start: number, end: number): string =>
  text
    .split('\n')
    .slice(start - 1, end)
    .join('\n');

describe('findDefinitions()', () => {
  it('gives the exact lines and the signature of a function', () => {
    expect(find('Store.open').definitions).toEqual([
      {
        ...{ path: 'work:src/store.ts', line: 15, endLine: 23, kind: 'method', name: 'open' },
        signature: "async open( key: Key, mode: '{' | '}' = '{', ): Promise<{ ok: boolean }>",
        text: linesOf(store, 15, 23),
      },
      expect.objectContaining({ path: 'work:lib/a.rs', line: 2, endLine: 4 }),
    ]);
    expect(find('open')).toMatchObject({ total: 3 });
  });

  it('gives a class with its decorator, its methods and what it extends', () => {
    const [found] = find('Store').definitions;
    expect(found).toMatchObject({
      ...{ line: 3, endLine: 24, kind: 'class' },
      extends: ['Base<Key>', 'Reader', 'Writer<Key>'],
      methods: [
        { name: 'constructor', line: 7, signature: 'constructor(readonly name: string)' },
        { name: 'size', line: 11, signature: 'get size(): number' },
        { name: 'open', line: 15 },
      ],
    });
    expect(found?.text).toBe(linesOf(store, 3, 24));
  });

  it.each([
    ['double', 26, 26, 'export const double = (value: number): number => value * 2'],
    ['limits', 27, 29, 'export const limits ='],
    ['Mode', 30, 32, "export type Mode = | 'read' | 'write'"],
  ])('gives all of %s', (name, line, endLine, signature) => {
    expect(find(name).definitions).toMatchObject([{ line, endLine, signature }]);
  });

  it('goes by indentation where a language does', () => {
    const [queue, go] = find('Queue').definitions;
    expect(queue).toMatchObject({
      ...{ path: 'work:src/queue.py', line: 1, endLine: 13, extends: ['Base'] },
      methods: [
        { name: 'size', signature: 'def size(self) -> int' },
        {
          name: 'push',
          signature: 'def push(self, item: dict[str, int], *, front: bool = False) -> None',
        },
      ],
    });
    expect(go).toMatchObject({ path: 'work:lib/queue.go', line: 4, endLine: 6 });
    expect(find('Queue.push').definitions).toMatchObject([{ line: 8, endLine: 13 }]);
    expect(
      find('push')
        .definitions.map(({ line }) => line)
        .sort(),
    ).toEqual([15, 8]);
  });

  it('knows a function by the struct it belongs to', () => {
    expect(find('Queue.Push').definitions).toMatchObject([
      { path: 'work:lib/queue.go', line: 1, endLine: 3 },
    ]);
  });

  it.each([
    ['endless.ts', 'function f() {', '{'],
    ['endless.py', 'def f():', '    f()'],
  ])('takes what never ends in %s to end after 20,000 lines', (path, head, line) => {
    const file = codeFile(path, `${head}\n${`${line}\n`.repeat(50_000)}`) as CodeFile;
    expect(definitionSpan(file, 1)).toMatchObject({ start: 1, end: 20_001 });
  });

  it('finds nothing for a name that is only a part of others, and refuses what is none', () => {
    expect(find('Stor')).toEqual({ definitions: [], total: 0 });
    expect(() => find('a b')).toThrow('is not a name');
  });
});
