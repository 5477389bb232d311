import { describe, expect, it } from 'vitest';
import { isStoredContent } from './protected-names.ts';

const hash = 'a'.repeat(38);

describe('isStoredContent()', () => {
  it.each([
    '.git/objects',
    '.git/objects/pack/x.idx',
    'sub/.git/lfs/objects/ab/cd/x',
    '.git/modules/lib/objects/info/packs',
    '.git/worktrees/side/rebase-merge/patch',
    '.git/rr-cache/x/preimage',
    '.GIT/Objects/ab',
    '.git./objects/ab',
    '.g\u200cit/objects/ab',
    `store/ab/${hash}`,
    `store/ab/${hash}${'0'.repeat(24)}`,
    `bare.git/objects/pack/pack-${'b'.repeat(40)}.pack`,
    `lfs/ab/cd/${'c'.repeat(64)}`,
    '.git/lost-found/other/x',
    '.git/COMMIT_EDITMSG',
    '.git/ADD_EDIT.patch',
    '.git/patches/main/fix.diff',
    '.git/git-crypt/keys/default',
    '.git/worktrees/side/COMMIT_EDITMSG',
    '.svn/pristine/ab/cd.svn-base',
    'lib/.svn/text-base/a.c.svn-base',
    '.hg/store/data/a.i',
  ])('is true for %s', (path) => {
    expect(isStoredContent(path)).toBe(true);
  });

  it.each([
    '.git/HEAD',
    '.git/ORIG_HEAD',
    '.git/index',
    '.git/logs/HEAD',
    '.git/worktrees',
    '.git/worktrees/side',
    '.git/worktrees/side/HEAD',
    '.git',
    '.gitignore',
    '.svn/entries',
    '.git/refs/heads/objects',
    'src/objects/a.ts',
    'modules/a.ts',
    'lfs/readme.md',
    `cache/${hash}`,
    'packs/pack-1.pack',
  ])('is false for %s', (path) => {
    expect(isStoredContent(path)).toBe(false);
  });
});
