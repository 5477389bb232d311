import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  atName,
  closeName,
  directoryFlags,
  fileFlags,
  newFileFlags,
  openName,
  openRoot,
  type Way,
  wayOn,
} from './open-name.ts';
import { errorCode, systemFailure } from './system-failure.ts';

let outer = '';
let root = '';
beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'open-name-')));
  root = join(outer, 'root');
  mkdirSync(join(root, 'folder'), { recursive: true });
  mkdirSync(join(outer, 'away'));
  writeFileSync(join(root, 'folder/a.txt'), 'inside');
  writeFileSync(join(outer, 'away/a.txt'), 'outside');
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

type Opened = Disposable & { fd: number };
const opened = (fd: number): Opened => ({ fd, [Symbol.dispose]: () => closeName(fd) });
const rootBy = (way: Way) => opened(openRoot(root, way));
const below = (fd: number, name: string, flags = directoryFlags) =>
  opened(openName(fd, name, flags));
const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (thrown) {
    return errorCode(thrown);
  }
  return 'done';
};
const textOf = (fd: number, name: string): string => {
  using file = below(fd, name, fileFlags);
  return readFileSync(file.fd, 'utf8');
};
/** What another program does while a directory is open. */
const swap = (target: string): void => {
  renameSync(join(root, 'folder'), join(root, 'kept'));
  symlinkSync(target, join(root, 'folder'));
};

describe('wayOn()', () => {
  it('is by descriptor on Linux alone', () => {
    expect(['linux', 'darwin', 'win32', 'freebsd'].map(wayOn)).toEqual([
      'descriptor',
      'path',
      'path',
      'path',
    ]);
  });
});

describe.each<Way>(['descriptor', 'path'])('openName() by %s', (way) => {
  it('opens directories, files, new files, and the directory itself', () => {
    using at = rootBy(way);
    using folder = below(at.fd, 'folder');
    expect(textOf(folder.fd, 'a.txt')).toBe('inside');
    using same = below(folder.fd, '.', fileFlags);
    expect(textOf(same.fd, 'a.txt')).toBe('inside');
    const made = openName(folder.fd, 'new', newFileFlags, 0o600);
    writeSync(made, 'new');
    closeName(made);
    expect(textOf(folder.fd, 'new')).toBe('new');
    expect(statSync(join(root, 'folder/new')).mode & 0o777).toBe(0o600);
    expect(codeOf(() => openName(folder.fd, 'new', newFileFlags))).toBe('EEXIST');
    expect(codeOf(() => openName(folder.fd, 'none', fileFlags))).toBe('ENOENT');
    expect(codeOf(() => openName(folder.fd, 'a.txt', directoryFlags))).toBe('ENOTDIR');
  });

  it('opens no link, whatever it leads to', () => {
    using at = rootBy(way);
    for (const [name, target] of [
      ['in', 'folder'],
      ['out', '../away'],
      ['file', 'folder/a.txt'],
      ['nothing', 'none'],
    ] as const) {
      symlinkSync(target, join(root, name));
      for (const flags of [directoryFlags, fileFlags]) {
        expect(['ELOOP', 'ENOTDIR']).toContain(codeOf(() => openName(at.fd, name, flags)));
      }
    }
  });

  it('is not led elsewhere by a link in the place of a directory that is open', () => {
    using at = rootBy(way);
    using folder = below(at.fd, 'folder');
    swap('../away');
    expect(codeOf(() => expect(textOf(folder.fd, 'a.txt')).toBe('inside'))).toBe(
      way === 'path' ? 'ESTALE' : 'done',
    );
    expect(codeOf(() => openName(folder.fd, 'new', newFileFlags))).toBe(
      way === 'path' ? 'ESTALE' : 'done',
    );
    expect(readdirSync(join(outer, 'away'))).toEqual(['a.txt']);
  });

  it('leaves no descriptor open', () => {
    const count = () => readdirSync('/proc/self/fd').length;
    const before = count();
    symlinkSync('folder', join(root, 'link'));
    {
      using at = rootBy(way);
      for (const name of ['folder', 'link', 'none', 'folder/a.txt/x']) {
        codeOf(() => closeName(openName(at.fd, name, directoryFlags)));
      }
      using folder = below(at.fd, 'folder');
      swap('../away');
      codeOf(() => closeName(openName(folder.fd, 'a.txt', fileFlags)));
    }
    expect(count()).toBe(before);
  });
});

describe.each<Way>(['descriptor', 'path'])('atName() by %s', (way) => {
  it('reaches a name and what stands below the directory', () => {
    using at = rootBy(way);
    using folder = below(at.fd, 'folder');
    expect(atName(folder.fd, 'a.txt', (path) => statSync(path).size)).toBe(6);
    expect(atName(folder.fd, '', (path) => readdirSync(path))).toEqual(['a.txt']);
  });

  it('is not led elsewhere by a link in the place of the directory', () => {
    using at = rootBy(way);
    using folder = below(at.fd, 'folder');
    swap('../away');
    const remove = () => atName(folder.fd, 'a.txt', (path) => rmSync(path));
    expect(codeOf(remove)).toBe(way === 'path' ? 'ESTALE' : 'done');
    expect(readFileSync(join(outer, 'away/a.txt'), 'utf8')).toBe('outside');
  });
});

describe('by path', () => {
  it('refuses a directory that another one stands for, and takes it again when it is back', () => {
    using at = rootBy('path');
    using folder = below(at.fd, 'folder');
    renameSync(join(root, 'folder'), join(root, 'kept'));
    mkdirSync(join(root, 'folder'));
    writeFileSync(join(root, 'folder/a.txt'), 'other');
    const code = codeOf(() => textOf(folder.fd, 'a.txt'));
    expect(systemFailure({ code }, '"a.txt"').payload).toEqual({
      tag: 'conflict',
      val: 'path "a.txt" was replaced during the call',
    });
    rmSync(join(root, 'folder'), { recursive: true });
    expect(codeOf(() => textOf(folder.fd, 'a.txt'))).toBe('ENOENT');
    renameSync(join(root, 'kept'), join(root, 'folder'));
    expect(textOf(folder.fd, 'a.txt')).toBe('inside');
  });

  it('notices a link that is put there while a name is looked at', () => {
    using at = rootBy('path');
    using folder = below(at.fd, 'folder');
    const look = () =>
      atName(folder.fd, 'a.txt', (path) => {
        swap('../away');
        return readFileSync(path, 'utf8');
      });
    expect(codeOf(look)).toBe('ESTALE');
  });

  it('forgets a directory that is closed, so that its number can stand for another', () => {
    const fd = openRoot(root, 'path');
    closeName(fd);
    using other = opened(openRoot(join(outer, 'away'), 'descriptor'));
    expect(other.fd).toBe(fd);
    expect(textOf(other.fd, 'a.txt')).toBe('outside');
    expect(atName(other.fd, '', (path) => path)).toBe(`/proc/self/fd/${fd}/`);
    closeSync(openName(other.fd, '.', directoryFlags));
  });

  it('opens no root that is a link', () => {
    symlinkSync('root', join(outer, 'link'));
    const code = codeOf(() => openRoot(join(outer, 'link'), 'path'));
    expect(['ELOOP', 'ENOTDIR']).toContain(code);
  });
});
