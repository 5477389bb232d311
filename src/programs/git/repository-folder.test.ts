import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repositoryFolder } from './repository-folder.ts';

let dir = '';
let root = '';
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'repository-folder-')));
  root = join(dir, 'work');
  for (const path of ['work/sub', 'work/.git/worktrees/sub', 'outside/worktrees/sub'])
    mkdirSync(join(dir, path), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const point = (text: string) => writeFileSync(join(root, 'sub/.git'), text);
const share = (text: string) => writeFileSync(join(root, '.git/worktrees/sub/commondir'), text);

describe('repositoryFolder()', () => {
  it('is a folder itself, or what a file names in this root', () => {
    const main = join(root, '.git');
    const linked = join(main, 'worktrees/sub');
    expect(repositoryFolder(root, '.git')).toEqual({
      ...{ folder: main, common: main, isAbsolute: false },
    });
    point('gitdir: ../.git/worktrees/sub\n');
    expect(repositoryFolder(root, 'sub/.git')).toEqual({
      ...{ folder: linked, common: linked, isAbsolute: false },
    });
    share('../..\n');
    point(`gitdir: ${linked}\n`);
    expect(repositoryFolder(root, 'sub/.git')).toEqual({
      ...{ folder: linked, common: main, isAbsolute: true },
    });
  });

  it.each([
    ['a place outside', () => point('gitdir: ../../outside/worktrees/sub\n')],
    ['a place outside, from the top', () => point(`gitdir: ${dir}/outside/worktrees/sub\n`)],
    ['a name that only begins like the root', () => point(`gitdir: ${root}-not\n`)],
    ['nothing', () => point('gitdir: gone\n')],
    ['no place', () => point('where?\n')],
    ['too much', () => point(`gitdir: ../.git${'/.'.repeat(5000)}\n`)],
    [
      'a link in this root that leads out',
      () => {
        symlinkSync(join(dir, 'outside'), join(root, 'link'));
        point('gitdir: ../link/worktrees/sub\n');
      },
    ],
    [
      'objects that lie outside',
      () => {
        point('gitdir: ../.git/worktrees/sub\n');
        share('../../../../outside\n');
      },
    ],
  ])('does not look at %s', (_, make) => {
    make();
    expect(repositoryFolder(root, 'sub/.git')).toBeUndefined();
  });
});
