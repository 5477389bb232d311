import { describe, expect, it } from 'vitest';
import { findHeirs } from './find-heirs.ts';
import { treeHost } from './tree-host.ts';

function heirsOf(files: Readonly<Record<string, string>>, of: string): string[] {
  const { symbols } = findHeirs(treeHost(files), { of, place: 'work:', limit: 20 });
  return symbols.map(({ path, line, name }) => `${path.slice(5)}:${line} ${name}`);
}

describe('findHeirs()', () => {
  it.each([
    ['a.rs', 'impl Reader for File {', 'File {'],
    ['a.rs', 'impl<T: Read> io::Reader for List<T> {', 'List<T> {'],
    ['a.go', 'var _ io.Reader = &File{}', '_'],
    ['a.ts', 'export class File extends Reader {', 'File'],
    ['a.py', 'class File(Reader):', 'File'],
    ['a.ex', 'defimpl Reader, for: File do', 'Reader'],
  ])('takes from %s "%s"', (path, line, name) => {
    expect(heirsOf({ [path]: line }, 'Reader')).toEqual([`${path}:1 ${name}`]);
  });

  it.each([
    ['a.rs', 'fn open() -> impl Reader {'],
    ['a.rs', 'where E: Reader {}'],
    ['a.ts', 'class Reader {'],
    ['a.ts', '// class File extends Reader'],
    ['a.py', '"""\nclass File(Reader):\n"""'],
    ['a.py', '    """An :class:`io.Reader` of files"""'],
  ])('takes from %s nothing of "%s"', (path, text) => {
    expect(heirsOf({ [path]: text }, 'Reader')).toEqual([]);
  });

  it('names the class or module whose head or body says it', () => {
    const files = {
      'file.ts': 'export class File\n  extends Base\n  implements Reader {\n}\n',
      'file.ex': 'defmodule My.File do\n  use Io.Reader\nend\n',
      'file.rb': 'class File\n  include Reader\nend\n',
    };
    expect(heirsOf(files, 'Reader')).toEqual([
      'file.ts:1 File',
      'file.ex:1 File',
      'file.rb:1 File',
    ]);
  });

  it('takes none of a name that belongs to something else, and sources first', () => {
    const files = {
      'tests/a.py': 'class Fake(virtual.Reader):\n',
      'a.py': 'class File(virtual.Reader):\n\n\nclass Other(base.Reader):\n',
    };
    expect(heirsOf(files, 'virtual.Reader')).toEqual(['a.py:1 File', 'tests/a.py:1 Fake']);
    expect(heirsOf(files, 'Reader')).toContain('a.py:4 Other');
  });

  it('takes in Go what has all methods of an interface', () => {
    const files = {
      'reader.go': 'package a\n\ntype Reader interface {\n\tRead(p []byte) int\n\tClose()\n}\n',
      'file.go':
        'package a\n\nfunc (f *File) Read(p []byte) int {\n}\n\nfunc (f *File) Close() {\n}\n',
      'half.go': 'package a\n\nfunc (h Half) Read(p []byte) int {\n}\n',
    };
    expect(heirsOf(files, 'Reader')).toEqual(['file.go:3 File']);
  });
});
