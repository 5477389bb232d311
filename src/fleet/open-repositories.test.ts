import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FleetResult } from '../contracts/output/parse-jobs.ts';
import { appliedChanges, branchOf, makeBranch, takeBack, writePatch } from './keep-changes.ts';
import { type Checkout, openRepositories, type Repositories } from './open-repositories.ts';
import { createGit } from './run-git.ts';

const git = createGit({ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: tmpdir() });
const { signal } = new AbortController();
const result: Omit<FleetResult, 'repository' | 'commit'> = {
  ...{ run: 'r1', job: 'j', outcome: 'ok', summary: '', content: '', evidence: [] },
  ...{ digest: '', worker: 'w', attempts: 1, durationMs: 1 },
};

let dir: string;
let source: string;
const inSource = (...args: string[]): string =>
  execFileSync('git', ['-C', source, ...args]).toString();
const commit = (): string => {
  inSource('add', '-A');
  inSource('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one');
  return inSource('rev-parse', 'HEAD').trim();
};
const open = (cacheBytes = 1e9) =>
  openRepositories({ folder: join(dir, 'cache'), cacheBytes, granted: [dir], git });

/** On disk, as the room is counted. */
const bytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => statSync(join(parentPath, name)))
    .reduce((sum, { size, blocks }) => sum + 512 + Math.max(size, blocks * 512), 0);

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-fleet-')));
  source = join(dir, 'source');
  mkdirSync(source);
  inSource('init', '-q');
  writeFileSync(join(source, 'a.txt'), 'one\n');
  commit();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('openRepositories()', () => {
  it('gives each job a tree of its own with the newest commit, and takes it away', async () => {
    const repositories = open();
    {
      await using first = await repositories.checkout(source, signal);
      writeFileSync(join(source, 'a.txt'), 'two\n');
      const newest = commit();
      await using second = await repositories.checkout(source, signal);
      expect(second.commit).toBe(newest);
      expect(first.commit).not.toBe(newest);
      expect(readFileSync(join(first.tree, 'a.txt'), 'utf8')).toBe('one\n');
      expect(readFileSync(join(second.tree, 'a.txt'), 'utf8')).toBe('two\n');
    }
    expect(readdirSync(join(dir, 'cache/trees'))).toEqual([]);
    expect(readdirSync(join(dir, 'cache/mirrors')).length).toBe(1);
  });

  it('runs nothing that a repository names', async () => {
    const marker = join(dir, 'ran');
    writeFileSync(join(source, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${marker}\n`);
    chmodSync(join(source, '.git/hooks/post-checkout'), 0o755);
    inSource('config', 'core.fsmonitor', `touch ${marker}`);
    inSource('config', 'filter.x.smudge', `touch ${marker}; cat`);
    writeFileSync(join(source, '.gitattributes'), '* filter=x\n');
    writeFileSync(join(source, 'b.txt'), 'b\n');
    commit();
    rmSync(marker, { force: true });
    await using checkout = await open().checkout(source, signal);
    expect(readFileSync(join(checkout.tree, 'b.txt'), 'utf8')).toBe('b\n');
    // A job may have replaced the file that leads to git's folder.
    writeFileSync(join(checkout.tree, '.git'), `gitdir: ${join(source, '.git')}\n`);
    writeFileSync(join(checkout.tree, 'b.txt'), 'c\n');
    expect(Buffer.from(await checkout.patch()).toString()).toContain('-b\n+c\n');
    expect(existsSync(marker)).toBe(false);
    // The same settings run it where nobody turns them off.
    inSource('status');
    expect(existsSync(marker)).toBe(true);
  });

  it('refuses what does not fit into the cache, and leaves nothing of it', async () => {
    writeFileSync(join(source, 'big'), Buffer.alloc(300_000, 7));
    commit();
    await expect(open(100_000).checkout(source, signal)).rejects.toMatchObject({
      code: 'resource-exhausted',
      message: expect.stringContaining('(fleet.cache-bytes)'),
    });
    expect(readdirSync(join(dir, 'cache/trees'))).toEqual([]);
    await using fits = await open().checkout(source, signal);
    expect(existsSync(join(fits.tree, 'big'))).toBe(true);
  });

  it('counts names of nothing, which fill a disk, too', async () => {
    for (let at = 0; at < 2_000; at += 1) writeFileSync(join(source, `empty-${at}`), '');
    commit();
    await expect(open(900_000).checkout(source, signal)).rejects.toMatchObject({
      code: 'resource-exhausted',
    });
    await using fits = await open().checkout(source, signal);
    expect(existsSync(join(fits.tree, 'empty-0'))).toBe(true);
  });

  it('removes the copy that was used longest ago where another one needs the room', async () => {
    const [other, third] = [join(dir, 'other'), join(dir, 'third')];
    for (const each of [other, third]) cpSync(source, each, { recursive: true });
    const mirrorOf = async (repositories: Repositories, each: string): Promise<string> => {
      await using checkout = await repositories.checkout(each, signal);
      return checkout.mirror;
    };
    const first = await mirrorOf(open(), source);
    const one = bytesOf(join(dir, 'cache'));
    // Two copies and what a job of one of them checked out.
    const repositories = open(Math.round(one * 2.5));
    const second = await mirrorOf(repositories, other);
    expect([existsSync(first), existsSync(second)]).toEqual([true, true]);
    const now = new Date();
    utimesSync(first, now, new Date(now.getTime() - 60_000));
    await mirrorOf(repositories, third);
    expect([existsSync(first), existsSync(second)]).toEqual([false, true]);
  });

  it('removes no copy that a job uses, and never takes more than the cache', async () => {
    const other = join(dir, 'other');
    const big = randomBytes(3_000_000);
    writeFileSync(join(source, 'big'), big);
    commit();
    cpSync(source, other, { recursive: true });
    const limit = 10_000_000;
    const repositories = open(limit);
    {
      await using first = await repositories.checkout(source, signal);
      // Its copy and its tree have 3 MB each, and there is room for one of the other's.
      await expect(repositories.checkout(other, signal)).rejects.toMatchObject({
        code: 'resource-exhausted',
      });
      expect(readFileSync(join(first.tree, 'big')).equals(big)).toBe(true);
      expect(bytesOf(join(dir, 'cache'))).toBeLessThan(limit);
    }
    await using second = await repositories.checkout(other, signal);
    expect(readFileSync(join(second.tree, 'big')).equals(big)).toBe(true);
    expect(bytesOf(join(dir, 'cache'))).toBeLessThan(limit);
  });

  it('checks out again what was broken off in the middle', async () => {
    const repositories = open();
    let made: Checkout;
    {
      await using checkout = await repositories.checkout(source, signal);
      made = checkout;
    }
    // As git has it until a tree is whole.
    const args = ['worktree', 'add', '-q', '--lock', '--detach', made.tree, made.commit];
    execFileSync('git', ['-C', made.mirror, ...args]);
    rmSync(made.tree, { recursive: true });
    await using again = await repositories.checkout(source, signal);
    expect(again.tree).toBe(made.tree);
    expect(readFileSync(join(again.tree, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('keeps the copy of a repository that lost its commits while another job uses it', async () => {
    const repositories = open();
    await using first = await repositories.checkout(source, signal);
    rmSync(join(source, '.git'), { recursive: true });
    inSource('init', '-q');
    await expect(repositories.checkout(source, signal)).rejects.toMatchObject({
      message: 'the repository has no commit',
    });
    writeFileSync(join(first.tree, 'a.txt'), 'two\n');
    expect((await first.patch()).toString()).toContain('+two');
  });

  it('fetches no repository that lies outside of a granted folder', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'cuervo-outside-'));
    const granted = join(dir, 'granted');
    mkdirSync(join(granted, 'work'), { recursive: true });
    const repositories = openRepositories({
      ...{ folder: join(dir, 'cache'), cacheBytes: 1e9, granted: [granted], git },
    });
    const dotGit = join(granted, 'work', '.git');
    const objects = join(dotGit, 'objects');
    const copy = (to: string): void => {
      rmSync(dotGit, { recursive: true, force: true });
      cpSync(join(source, '.git'), to, { recursive: true });
    };
    const checkout = async (): Promise<string> => {
      await using made = await repositories.checkout(join(granted, 'work'), signal);
      return made.commit;
    };
    copy(dotGit);
    expect(await checkout()).toBe(inSource('rev-parse', 'HEAD').trim());
    const elsewhere = join(outside, 'git');
    copy(elsewhere);
    writeFileSync(dotGit, `gitdir: ${elsewhere}\n`);
    await expect(checkout()).rejects.toMatchObject({ code: 'permission-denied' });
    rmSync(dotGit);
    symlinkSync(elsewhere, dotGit);
    await expect(checkout()).rejects.toMatchObject({ code: 'permission-denied' });
    copy(dotGit);
    cpSync(objects, join(outside, 'objects'), { recursive: true });
    rmSync(objects, { recursive: true });
    symlinkSync(join(outside, 'objects'), objects);
    await expect(checkout()).rejects.toMatchObject({ code: 'permission-denied' });
    copy(dotGit);
    cpSync(join(outside, 'objects'), join(outside, 'pack'), { recursive: true });
    rmSync(join(objects, 'pack'), { recursive: true });
    symlinkSync(join(outside, 'pack'), join(objects, 'pack'));
    await expect(checkout()).rejects.toThrow('is a link, which may lead elsewhere');
    copy(dotGit);
    // git itself takes NAME.git for NAME, and a repository above for a folder in it.
    mkdirSync(join(granted, 'work', 'sub'));
    writeFileSync(join(granted, 'work', 'sub.git'), `gitdir: ${elsewhere}\n`);
    const sub = repositories.checkout(join(granted, 'work', 'sub'), signal);
    await expect(sub).rejects.toThrow('not a git repository');
    writeFileSync(join(objects, 'info', 'alternates'), `${join(outside, 'objects')}\n`);
    await expect(checkout()).rejects.toThrow('takes objects from other repositories');
    rmSync(outside, { recursive: true });
  });

  it('names no password of an address that cannot be fetched', async () => {
    const { stack = '' } = await git(['clone', 'https://me:s3cret@127.0.0.1:1/x', join(dir, 'x')], {
      signal,
    }).then(
      () => new Error('it was cloned'),
      (thrown: Error) => thrown,
    );
    expect(stack).toContain('127.0.0.1:1/x');
    expect(stack).not.toContain('s3cret');
  });
});

describe('makeBranch()', () => {
  it('makes a branch and leaves files, index and head as they are; takeBack() removes it', async () => {
    await using checkout = await open().checkout(source, signal);
    writeFileSync(join(checkout.tree, 'a.txt'), 'two\n');
    writeFileSync(join(checkout.tree, 'new.bin'), Buffer.from([0, 1, 2, 255]));
    const patch = await checkout.patch();
    writeFileSync(join(source, 'a.txt'), 'unsaved\n');
    const before = inSource('status', '--porcelain', '--branch');
    const made = await makeBranch(
      { ...result, repository: source, commit: checkout.commit },
      patch,
      'Change it',
      { git, signal },
    );
    expect(inSource('status', '--porcelain', '--branch')).toBe(before);
    expect(inSource('show', `${branchOf('r1')}:a.txt`)).toBe('two\n');
    expect(inSource('rev-parse', `${branchOf('r1')}^`).trim()).toBe(checkout.commit);
    await expect(
      makeBranch({ ...result, repository: source, commit: checkout.commit }, patch, 'x', {
        git,
        signal,
      }),
    ).rejects.toMatchObject({ code: 'conflict' });
    inSource('branch', '-f', branchOf('r1'), checkout.commit);
    expect(await takeBack(made, { git, signal })).toMatchObject({
      left: expect.stringContaining('other commits'),
    });
    inSource('branch', '-f', branchOf('r1'), made.made);
    expect((await takeBack(made, { git, signal })).left).toBeUndefined();
    expect(inSource('branch', '--list', branchOf('r1'))).toBe('');
  });

  it('refuses paths into .git and above the folder', async () => {
    const head = inSource('rev-parse', 'HEAD').trim();
    for (const path of ['.git/hooks/post-checkout', '../out']) {
      const patch = `diff --git a/${path} b/${path}\nnew file mode 100755\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
      await expect(
        makeBranch({ ...result, repository: source, commit: head }, Buffer.from(patch), 'x', {
          git,
          signal,
        }),
      ).rejects.toMatchObject({ code: 'conflict' });
    }
    const good =
      'diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n';
    await makeBranch({ ...result, repository: source, commit: head }, Buffer.from(good), 'x', {
      git,
      signal,
    });
  });
});

describe('writePatch()', () => {
  it('writes a file that takeBack() removes, unless somebody changed it', async () => {
    const patch = Buffer.from('a patch\n');
    const folder = join(dir, 'patches');
    const named = { ...result, repository: 'git@host:team/../../x y.git', commit: '' };
    const made = writePatch(named, patch, folder);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^x_y-[0-9a-f]{8}\.patch$/)]);
    writeFileSync(made.name, 'mine');
    expect(() => writePatch(named, patch, folder)).toThrow(/already/);
    expect((await takeBack(made, { git, signal })).left).toBeDefined();
    writeFileSync(made.name, patch);
    expect((await takeBack(made, { git, signal })).left).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the id of a run', () => {
  it('leads to no path, whoever wrote it into the database', async () => {
    const planted = join(dir, 'planted');
    writeFileSync(planted, 'mine');
    const commit = inSource('rev-parse', 'HEAD').trim();
    const run = `x/../../../planted`;
    const change = { ...result, run, repository: source, commit };
    await expect(makeBranch(change, new Uint8Array(), 'm', { git, signal })).rejects.toThrow(
      'a run with an invalid id',
    );
    expect(() => appliedChanges(dir, run)).toThrow('a run with an invalid id');
    expect(readFileSync(planted, 'utf8')).toBe('mine');
  });
});
