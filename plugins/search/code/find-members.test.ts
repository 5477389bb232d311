import { describe, expect, it } from 'vitest';
import { findMembers } from './find-members.ts';
import { treeHost } from './tree-host.ts';

function membersOf(files: Readonly<Record<string, string>>, of: string): string[] {
  const { symbols } = findMembers(treeHost(files), { of, place: 'work:', limit: 10 });
  return symbols.map(({ path, line, name }) => `${path.slice(5)}:${line} ${name}`);
}

describe('findMembers()', () => {
  it('takes the methods in the body of a class, those for others first', () => {
    const text =
      'class Api:\n    def _init(self):\n        pass\n\n    def add(self):\n        pass\n';
    expect(membersOf({ 'api.py': text }, 'Api')).toEqual(['api.py:5 add', 'api.py:2 _init']);
  });

  it('takes the functions of a type in Go from all files', () => {
    const files = {
      'store.go':
        'package a\n\ntype Store struct {\n\trows int\n}\n\nfunc (s *Store) Open() {\n}\n',
      'close.go': 'package a\n\nfunc (s Store) Close() {\n}\n\nfunc (o *Other) Close() {\n}\n',
    };
    expect(membersOf(files, 'Store')).toEqual(['store.go:7 Open', 'close.go:3 Close']);
  });

  it('takes none of another package in Go', () => {
    const typed = 'type Store struct {\n}\n\nfunc (s *Store) Open() {\n}\n';
    const files = { 'a/store.go': typed, 'b/store.go': typed };
    expect(membersOf(files, 'b.Store')).toEqual(['b/store.go:4 Open']);
  });

  it('takes those of each block of a type in Rust', () => {
    const text =
      'pub struct Store {\n    rows: u32,\n}\n\nimpl Store {\n    pub fn open() {}\n}\n\nimpl Drop for Store {\n    fn drop(&mut self) {}\n}\n';
    expect(membersOf({ 'store.rs': text }, 'Store')).toEqual([
      'store.rs:6 open',
      'store.rs:10 drop',
    ]);
  });

  it('takes those of each extension of a type in Swift', () => {
    const files = {
      'a.swift': 'enum Mode {\n    case on\n    func flip() {\n    }\n}\n',
      'b.swift': 'public extension Mode {\n    func name() -> String {\n    }\n}\n',
    };
    expect(membersOf(files, 'Mode')).toEqual(['a.swift:3 flip', 'b.swift:2 name']);
  });

  it('takes none of what is no class', () => {
    expect(membersOf({ 'a.ts': 'export const Store = 5;' }, 'Store')).toEqual([]);
  });

  it('takes the callbacks of a behaviour alone where they are asked for', () => {
    const files = {
      'job.ex':
        'defmodule Job do\n  @callback perform(map) :: :ok\n\n  defp hidden(x), do: x\n\n  def run(job), do: job\nend\n',
    };
    expect(membersOf(files, 'Job')).toEqual([
      'job.ex:2 perform',
      'job.ex:6 run',
      'job.ex:4 hidden',
    ]);
    const host = treeHost(files);
    const wish = { of: 'Job', name: 'callback', place: 'work:', limit: 10 };
    expect(findMembers(host, wish).symbols.map(({ name }) => name)).toEqual(['perform']);
  });

  it.each([
    [
      'hooks.ts',
      'interface Hooks {\n  open?(path: string): void\n\n  close(): Promise<void>;\n}\n',
    ],
    ['hooks.go', 'type Hooks interface {\n\topen(path string) error\n\n\tclose()\n}\n'],
    [
      'Hooks.java',
      'interface Hooks {\n  void open(String path);\n\n  List<String> close() throws E;\n}\n',
    ],
  ])('takes what an interface declares in %s', (path, text) => {
    expect(membersOf({ [path]: text }, 'Hooks')).toEqual([`${path}:2 open`, `${path}:4 close`]);
  });
});
