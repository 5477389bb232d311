import { spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { openKernel } from '../../src/kernel.ts';
import {
  createMaker,
  plainGit,
  type Repository,
  repositories,
} from '../support/git-repositories.ts';
import { openPlace, type Place } from '../support/place.ts';
import { type Ended, runMany, runOne } from '../support/run-many.ts';
import { treeState } from '../support/tree-state.ts';

const hasSandbox =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

/** A change in each takes minutes on a busy machine; CUERVO_TEST_LONG=1 makes it in all of them. */
const changed = repositories.filter(
  (_, at) => at % 3 === 1 || process.env.CUERVO_TEST_LONG === '1',
);

/** Submodules are not looked into: their own configuration would hold there. */
const outside = '--ignore-submodules=dirty';

type Open = Place & { git(...args: string[]): string };

function openRepository(repository: Repository): Open {
  const place = openPlace();
  const beside = join(place.dir, 'beside');
  mkdirSync(beside);
  writeFileSync(join(place.dir, '.gitconfig'), '[user]\n\tname = Bea\n\temail = bea@example.org\n');
  repository.make(createMaker(place.work, beside, place.dir));
  return Object.assign(place, {
    git: (...args: string[]) => plainGit(place.work, place.dir, args),
  });
}

/** A second one that is the same, byte for byte. */
function copyOf(place: Open): Open {
  const copy = openPlace();
  cpSync(place.work, copy.work, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
  });
  writeFileSync(join(copy.dir, '.gitconfig'), '[user]\n\tname = Bea\n\temail = bea@example.org\n');
  return Object.assign(copy, {
    git: (...args: string[]) => plainGit(copy.work, copy.dir, args),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: what a tool gave is compared field by field
const content = (ended: Ended | undefined): any => ended?.content ?? ended;

const kinds: Readonly<Record<string, string>> = {
  M: 'modified',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
};

/** What `git status --porcelain=v1 -z` says, in the words of `git.status`. */
function statusOf(git: Open['git']) {
  const records = git('status', '--porcelain=v1', '-z', '--untracked-files=all', outside).split(
    '\0',
  );
  const entries: object[] = [];
  for (let at = 0; at < records.length - 1; at += 1) {
    const record = records[at] ?? '';
    const [x = '', y = ''] = record;
    const path = record.slice(3);
    if (x === 'R' || x === 'C') at += 1;
    const from = x === 'R' || x === 'C' ? { from: records[at] } : {};
    if (x === '?') entries.push({ path, unstaged: 'untracked' });
    else if (x === 'U' || y === 'U' || x + y === 'AA' || x + y === 'DD') {
      entries.push({ path, staged: 'unmerged' });
    } else {
      entries.push({
        ...{ path, ...from },
        ...(kinds[x] === undefined ? {} : { staged: kinds[x] }),
        ...(kinds[y] === undefined ? {} : { unstaged: kinds[y] }),
      });
    }
  }
  return sorted(entries);
}

function sorted(entries: readonly object[]): object[] {
  return [...entries].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

const optional = (read: () => string): string | undefined => {
  try {
    return read().trim();
  } catch {
    return undefined;
  }
};

/** Names between NULs, of a list that `-z` gave. */
const names = (text: string): string[] => text.split('\0').filter(Boolean);

describe.skipIf(!hasSandbox)('git tools beside git (needs: apt-get install bubblewrap)', () => {
  it(`are looked at in at least 30 repositories`, () => {
    expect(repositories.length).toBeGreaterThanOrEqual(30);
    expect(new Set(repositories.map(({ name }) => name)).size).toBe(repositories.length);
  });

  it.each(repositories)('tell what git tells: $name', async (repository) => {
    using place = openRepository(repository);
    const { git } = place;
    const head = optional(() => git('rev-parse', '--verify', '--quiet', 'HEAD'));
    const tracked = names(git('ls-files', '-z')).filter(
      (path) =>
        !/\.bin$|latin1/.test(path) &&
        lstatSync(join(place.work, path), { throwIfNoEntry: false })?.isFile() === true,
    );
    const blamed =
      head === undefined
        ? []
        : names(git('ls-tree', '-r', '-z', '--name-only', 'HEAD'))
            .filter((path) => tracked.includes(path))
            .slice(-3);
    const calls: [tool: string, input: JsonObject][] = [
      ['git.status', {}],
      ['git.diff', {}],
      ['git.diff', { staged: true }],
      ['git.log', { limit: 100 }],
      ['git.show', {}],
      ['git.branches', {}],
      ['git.stash', { action: 'list' }],
      ...blamed.map((path): [string, JsonObject] => ['git.blame', { path }]),
    ];
    const ended = await runMany(
      place,
      calls.map(([tool]) => tool),
      calls.map(([, input]) => input),
    );
    const [status, diff, staged, log, show, branches, stash, ...blames] = ended.map(content);

    expect(sorted(status.entries)).toEqual(statusOf(git).slice(0, 500));
    expect(status.branch).toBe(optional(() => git('symbolic-ref', '--short', '-q', 'HEAD')));
    expect(status.commit).toBe(head);
    const [ahead, behind] = (
      optional(() => git('rev-list', '--left-right', '--count', 'HEAD...@{u}')) ?? ''
    ).split('\t');
    expect(status.upstream).toBe(optional(() => git('rev-parse', '--abbrev-ref', '@{u}')));
    expect(status.ahead).toBe(ahead ? Number(ahead) : undefined);
    expect(status.behind).toBe(behind ? Number(behind) : undefined);

    for (const [given, ...args] of [
      [diff, 'diff', outside],
      ...(head === undefined ? [] : [[staged, 'diff', outside, '--cached']]),
    ]) {
      const whole = git(...args);
      expect(whole.startsWith(given.patch)).toBe(true);
      if (given.truncated === undefined) expect(given.patch).toBe(whole);
      const changed = names(git(...args, '--name-only', '-z'));
      const paths = given.files.map(({ path }: { path: string }) => path);
      expect([...new Set(paths)].sort()).toEqual([...new Set(changed)].sort());
    }

    if (head === undefined) {
      expect(log).toMatchObject({ code: 'not-found' });
    } else {
      const wanted = names(git('log', '-z', '--format=%H%x1f%an%x1f%aI%x1f%s', '-100'));
      const given = log.commits.map(({ hash, author, date, subject }: Record<string, string>) =>
        [hash, author, date, subject].join('\u001f'),
      );
      expect(given).toEqual(wanted);
      expect(show.commit.hash).toBe(head);
      const patch = git('show', '--format=', 'HEAD');
      expect(patch.startsWith(show.patch)).toBe(true);
      if (show.truncated === undefined) expect(show.patch).toBe(patch);
      const body = git('log', '-1', '--format=%b').trim();
      expect(show.commit.body ?? '').toBe(body);
    }

    const listed = git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');
    expect(branches.branches.map(({ name }: { name: string }) => name).sort()).toEqual(
      listed.filter(Boolean).sort(),
    );
    const current = branches.branches.find((each: { current?: boolean }) => each.current)?.name;
    if (head !== undefined) expect(current ?? '').toBe(git('branch', '--show-current').trim());
    expect(stash.stashes.map(({ subject }: { subject: string }) => subject)).toEqual(
      git('stash', 'list', '--format=%gs').split('\n').filter(Boolean),
    );

    for (const [at, path] of blamed.entries()) {
      const wanted = git('--literal-pathspecs', 'blame', '--line-porcelain', '--', path)
        .split('\n')
        .filter((line) => /^([0-9a-f]{40} \d+ \d+|\t)/.test(line));
      const given = blames[at].lines.flatMap(
        ({ hash, line, text }: { hash: string; line: number; text: string }) => [
          [hash, line],
          text,
        ],
      );
      expect(given).toEqual(
        wanted.map((line) =>
          line.startsWith('\t')
            ? line.slice(1).replace(/\r$/, '')
            : [line.slice(0, 40), Number(line.split(' ')[2])],
        ),
      );
    }
  });

  it.each(changed)('do what git does: $name', async (repository) => {
    using place = openRepository(repository);
    using plain = copyOf(place);
    // Whose commits they are is asked of the user's own configuration.
    vi.stubEnv('HOME', place.dir);
    onTestFinished(() => void vi.unstubAllEnvs());
    const allow = ['fs:work', 'exec:git'];
    await using kernel = await openKernel({ home: place.home, workspace: place.work, allow });
    const call = (tool: string, input: JsonObject) => runOne(kernel, tool, input);
    const same = (): void => {
      expect(place.git('ls-files', '--stage', '-z')).toBe(plain.git('ls-files', '--stage', '-z'));
      expect(statusOf(place.git)).toEqual(statusOf(plain.git));
      expect(treeState(place.work)).toEqual(treeState(plain.work));
    };
    const literal = (...args: string[]) => plain.git('--literal-pathspecs', ...args);
    const hasHead =
      optional(() => plain.git('rev-parse', '--verify', '--quiet', 'HEAD')) !== undefined;
    const entries = statusOf(plain.git) as { path: string; staged?: string; unstaged?: string }[];
    const paths = entries
      .filter(({ unstaged }) => unstaged !== undefined)
      .map(({ path }) => path)
      .slice(0, 400);
    const isMerging = entries.some(({ staged }) => staged === 'unmerged');

    if (paths.length > 0 && !isMerging) {
      const some = paths.slice(0, Math.ceil(paths.length / 2));
      expect(await call('git.stage', { paths: some })).toMatchObject({ exit: 0 });
      literal('add', '--all', '--', ...some);
      same();
      const inIndex = some
        .filter((path) => literal('ls-files', '-z', '--', path) !== '')
        .slice(0, 1);
      if (inIndex.length > 0) {
        expect(await call('git.unstage', { paths: inIndex })).toMatchObject({ exit: 0 });
        if (hasHead) literal('restore', '--staged', '--', ...inIndex);
        else literal('rm', '-r', '--cached', '--quiet', '--', ...inIndex);
        same();
      }
    }
    if (hasHead && !isMerging) {
      expect(await call('git.stash', { action: 'push', message: 'one' })).toMatchObject({
        exit: 0,
      });
      plain.git('stash', 'push', '-m', 'one');
      same();
      const held = plain.git('stash', 'list', '--format=%gs');
      expect(place.git('stash', 'list', '--format=%gs')).toBe(held);
      if (held !== '') {
        expect(await call('git.stash', { action: 'pop' })).toMatchObject({ exit: 0 });
        plain.git('stash', 'pop');
        same();
      }
    }
    if (!isMerging) {
      place.git('add', '--all');
      plain.git('add', '--all');
      const message = 'Subject "q" $(x)\n\n# no comment\n\nBody ünï.';
      const ended = await call('git.commit', { message });
      if (plain.git('diff', '--cached', '--name-only') === '' && hasHead) {
        expect(ended).toMatchObject({ exit: 8 });
      } else if (plain.git('ls-files') !== '') {
        expect(ended).toMatchObject({ exit: 0 });
        plainGit(
          plain.work,
          plain.dir,
          ['commit', '--quiet', '--cleanup=whitespace', '-F', '-'],
          message,
        );
        for (const format of ['%T', '%B', '%an <%ae>', '%P']) {
          const args = ['log', '-1', `--format=${format}`];
          expect(place.git(...args)).toBe(plain.git(...args));
        }
        same();
      }
    }
    const [file] = names(plain.git('ls-files', '-z')).filter((path) => /\.(txt|ts)$/.test(path));
    if (file !== undefined && !isMerging) {
      for (const each of [place, plain]) writeFileSync(join(each.work, file), 'lost\n');
      expect(await call('git.restore', { paths: [file] })).toMatchObject({ exit: 0 });
      literal('restore', '--worktree', '--', file);
      same();
    }
  });
});
