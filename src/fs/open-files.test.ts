import {
  closeSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTempTree, type TempTree } from '../../tests/support/temp-tree.ts';
import { isProtectedPath } from '../contracts/protected-names.ts';
import { createFileOpener } from './open-files.ts';
import { createReach } from './reach-path.ts';

const openerOf = (tree: TempTree) =>
  createFileOpener(createReach(tree.roots, isProtectedPath, true).place('work:'));

/** What an opener of a place that may be entered finds under a name. */
function createLook(tree: TempTree): (folder: { fd: number }, name: string) => string {
  const opener = openerOf(tree);
  return (folder, name) => {
    const fd = opener.open(folder, name);
    try {
      return readFileSync(fd, 'utf8');
    } finally {
      closeSync(fd);
    }
  };
}

const openFolder = (path: string) => ({ fd: openSync(path, 'r') });

describe.runIf(process.platform === 'linux')('createFileOpener()', () => {
  it('opens the files of a folder and not those of another that took its number', () => {
    using tree = openTempTree({ 'a/same.txt': 'in a', 'b/same.txt': 'in b' });
    const look = createLook(tree);
    const a = openFolder(join(tree.path, 'a'));
    expect(look(a, 'same.txt')).toBe('in a');
    closeSync(a.fd);
    const b = openFolder(join(tree.path, 'b'));
    expect(b.fd).toBe(a.fd);
    expect(look(b, 'same.txt')).toBe('in b');
    closeSync(b.fd);
  });

  it('is where it was, whatever other opener went elsewhere meanwhile', () => {
    using tree = openTempTree({ 'a/same.txt': 'in a', 'b/same.txt': 'in b' });
    const [one, other] = [createLook(tree), createLook(tree)];
    const a = openFolder(join(tree.path, 'a'));
    const b = openFolder(join(tree.path, 'b'));
    expect(one(a, 'same.txt')).toBe('in a');
    expect(other(b, 'same.txt')).toBe('in b');
    expect(one(a, 'same.txt')).toBe('in a');
    for (const { fd } of [a, b]) closeSync(fd);
  });

  it('stays in the folder that was opened when a link takes its name, and follows none', () => {
    using tree = openTempTree({ 'a/same.txt': 'in a' });
    const look = createLook(tree);
    const a = openFolder(join(tree.path, 'a'));
    renameSync(join(tree.path, 'a'), join(tree.outside, 'moved'));
    symlinkSync(tree.outside, join(tree.path, 'a'));
    symlinkSync(join(tree.outside, 'secret.txt'), join(tree.outside, 'moved/link.txt'));
    expect(look(a, 'same.txt')).toBe('in a');
    expect(() => look(a, 'secret.txt')).toThrow(/ENOENT/);
    expect(() => look(a, 'link.txt')).toThrow(/ELOOP/);
    closeSync(a.fd);
  });

  it('finds nothing in a folder that was removed, and what is in the next', () => {
    using tree = openTempTree({ 'a/same.txt': 'in a', 'b/same.txt': 'in b' });
    const look = createLook(tree);
    const a = openFolder(join(tree.path, 'a'));
    rmSync(join(tree.path, 'a'), { recursive: true });
    expect(() => look(a, 'same.txt')).toThrow(/ENOENT/);
    const b = openFolder(join(tree.path, 'b'));
    expect(look(b, 'same.txt')).toBe('in b');
    for (const { fd } of [a, b]) closeSync(fd);
  });

  it('is in the root once it was disposed, and goes into a folder again', () => {
    using tree = openTempTree({ 'a/same.txt': 'in a' });
    const a = openFolder(join(tree.path, 'a'));
    const look = createLook(tree);
    {
      using opener = openerOf(tree);
      closeSync(opener.open(a, 'same.txt'));
      expect(process.cwd()).toBe(realpathSync(join(tree.path, 'a')));
    }
    expect(process.cwd()).toBe(realpathSync(tree.path));
    expect(look(a, 'same.txt')).toBe('in a');
    closeSync(a.fd);
  });
});
