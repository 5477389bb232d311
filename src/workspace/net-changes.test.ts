import { describe, expect, it } from 'vitest';
import { type FileChange, linkMode } from '../contracts/file-changes.ts';
import { netChanges } from './undo-changes.ts';

const change = (kind: FileChange['kind'], path: string, more: Partial<FileChange> = {}) => ({
  root: 'work',
  path,
  kind,
  mode: 0o644,
  ts: 0,
  ...more,
});
const file = (hash: string, mode = 0o644) => ({ kind: 'file', hash, mode });
const link = (hash: string) => ({ kind: 'link', hash });
const absent = { kind: 'absent' };
const directory = { kind: 'directory' };

describe('netChanges()', () => {
  it('is the first state and the last of each path', () => {
    const net = netChanges([
      change('write', 'a', { beforeHash: '1', afterHash: '2', mode: 0o755 }),
      change('write', 'a', { beforeHash: '2', afterHash: '3' }),
      change('create', 'b', { afterHash: '4' }),
      change('create', 'dir', { mode: 0o755 }),
      change('remove', 'c', { beforeHash: '5' }),
      change('remove', 'old-dir'),
    ]);
    expect(net).toEqual([
      { root: 'work', path: 'a', before: file('1', 0o755), after: file('3'), mode: 0o755 },
      { root: 'work', path: 'b', before: absent, after: file('4'), mode: 0o644 },
      { root: 'work', path: 'dir', before: absent, after: directory, mode: 0o755 },
      { root: 'work', path: 'c', before: file('5'), after: absent, mode: 0o644 },
      { root: 'work', path: 'old-dir', before: directory, after: absent, mode: 0o644 },
    ]);
  });

  it('takes a rename for what it does to both names', () => {
    const moved = { beforeHash: '1', afterHash: '1' };
    expect(
      netChanges([
        change('rename', 'a', { ...moved, target: 'b' }),
        change('rename', 'b', { ...moved, target: 'c' }),
      ]),
    ).toMatchObject([
      { path: 'a', before: file('1'), after: absent },
      { path: 'c', before: absent, after: file('1') },
    ]);
  });

  it('leaves out what ended as it began', () => {
    expect(
      netChanges([
        change('create', 'new', { afterHash: '1' }),
        change('remove', 'new', { beforeHash: '1' }),
        change('write', 'same', { beforeHash: '1', afterHash: '2' }),
        change('write', 'same', { beforeHash: '2', afterHash: '1' }),
      ]),
    ).toEqual([]);
  });

  it('knows links from files, and a change of permissions from none', () => {
    const linkBits = linkMode | 0o777;
    expect(
      netChanges([
        change('remove', 'a', { beforeHash: '1' }),
        change('create', 'a', { afterHash: '1', mode: linkBits }),
        change('write', 'b', { beforeHash: '1', afterHash: '1', afterMode: 0o755 }),
        change('write', 'c', { beforeHash: '1', afterHash: '1', afterMode: 0o755 }),
        change('write', 'c', { beforeHash: '1', afterHash: '1', mode: 0o755, afterMode: 0o644 }),
      ]),
    ).toEqual([
      { root: 'work', path: 'a', before: file('1'), after: link('1'), mode: 0o644 },
      { root: 'work', path: 'b', before: file('1'), after: file('1', 0o755), mode: 0o644 },
    ]);
  });
});
