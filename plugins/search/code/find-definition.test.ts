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

  const places = (
    name: string,
    tree: Readonly<Record<string, string>>,
  ): [path: string, line: number][] =>
    findDefinitions(treeHost(tree), { name, place: 'work:', limit: 5 }).definitions.map(
      ({ path, line }) => [path.slice(5), line],
    );

  it.each([
    ['strings.EqualFold', 'strings/strings.go'],
    ['bytes.EqualFold', 'bytes/bytes.go'],
    ['EqualFold', 'bytes/bytes.go'],
  ])('takes %s from the package it names: %s', (name, path) => {
    const tree = {
      'bytes/bytes.go': 'func EqualFold(s, t []byte) bool {\n}\n',
      'strings/strings.go': 'func EqualFold(s, t string) bool {\n}\n',
    };
    expect(places(name, tree)[0]).toEqual([path, 1]);
  });

  it('takes a name as it is written before another one that is made of it', () => {
    const tree = {
      'mime/type.go': 'var once sync.Once // guards init\n',
      'sync/once.go': 'type Once struct {\n}\n',
    };
    expect(places('sync.Once', tree)).toEqual([['sync/once.go', 1]]);
    expect(places('mime.once', tree)).toEqual([['mime/type.go', 1]]);
  });

  it.each([
    [
      'a.py',
      'class A:\n    @t.overload\n    def read(\n        self\n    ) -> int: ...\n\n    def read(self):\n        return 1\n',
      7,
    ],
    ['a.pyi.py', 'def read(a: int) -> int: ...\n\ndef read(a):\n    return a\n', 3],
    ['a.ex', '  defdelegate read(a), to: B\n\n  defmacro read(a) do\n  end\n', 3],
    ['a.swift', 'extension read {\n}\n\npublic enum read: Error {\n}\n', 4],
    ['a.ts', 'class A {\n  read(a: string): void;\n  read(a: unknown): void {\n  }\n}\n', 3],
  ])('takes what does it before the forms in which it is called: %s', (path, text, line) => {
    expect(places('read', { [path]: text })[0]).toEqual([path, line]);
  });

  it('takes what is declared for others, in Python, behind what does it', () => {
    const files = {
      'a.pxd': 'cdef class Doc:\n    cdef int push(self)\n',
      'a.pyi': 'class Doc:\n    def push(self) -> int: ...\n',
      'b.pyx': 'cdef class Doc:\n    cdef int push(self):\n        return 1\n',
    };
    expect(places('Doc', files)[0]).toEqual(['b.pyx', 1]);
    expect(places('Doc.push', files)[0]).toEqual(['b.pyx', 2]);
  });

  it('finds the one of a package among more than it looks at', () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`a${at}/new.go`, 'func New() {\n}\n']),
    );
    expect(places('zip.New', { ...many, 'zip/make.go': 'func New() {\n}\n' })[0]).toEqual([
      'zip/make.go',
      1,
    ]);
  });

  const docOf = (text: string, path = 'src/a.ts') =>
    findDefinitions(treeHost({ [path]: text }), { name: 'open', place: 'work:', limit: 1 })
      .definitions[0]?.doc;
  const opens = 'export function open() {}\n';

  it.each([
    ['/**\n * Opens a file.\n */\n', '/**\n * Opens a file.\n */'],
    ['let a;\n// Opens\n// a file.\n', '// Opens\n// a file.'],
    ['/* Opens\n   a file. */\n', '/* Opens\n   a file. */'],
  ])('gives the comment above: %j', (above, text) => {
    expect(docOf(`${above}${opens}`)?.text).toBe(text);
  });

  it('gives the comment above what decorates a definition', () => {
    const text = '/// Opens.\n#[inline]\npub fn open() {}\n';
    expect(docOf(text, 'src/a.rs')).toEqual({ line: 1, text: '/// Opens.' });
  });

  it.each(['// Copyright 2020 Ann\n', '// Opens a file.\n\n', 'const text = `a`;\n', ''])(
    'gives no other lines: %j',
    (above) => expect(docOf(`${above}${opens}`)).toBeUndefined(),
  );
});
