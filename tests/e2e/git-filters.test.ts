import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { openPlace, type Place } from '../support/place.ts';
import { runMany } from '../support/run-many.ts';

const hasSandbox =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

let place: Place;
const env = () => ({ HOME: place.dir, GIT_CONFIG_NOSYSTEM: '1' });

function git(...args: string[]): string {
  const done = spawnSync('git', args, {
    cwd: place.work,
    encoding: 'utf8',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env() },
  });
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(place.work, path)), { recursive: true });
  writeFileSync(join(place.work, path), text);
};
const read = (path: string): string => readFileSync(join(place.work, path), 'utf8');

async function run(tool: string, input: JsonObject, ...flags: string[]) {
  const args = ['run', tool, JSON.stringify(input), '--json', '--allow', 'exec:git', ...flags];
  const done = await place.cuervo(args, { env: env() });
  const result = done.lines.find(({ type }) => type === 'result') as { content: string };
  const error = done.lines.find(({ type }) => type === 'error') as {
    message: string;
    hint?: string;
  };
  const content = result === undefined ? undefined : JSON.parse(result.content);
  return { code: done.code, content, message: error?.message ?? '', hint: error?.hint ?? '' };
}
const shell = (command: string, ...flags: string[]) => run('shell.run', { command }, ...flags);
/** Each with what it was refused with. */
async function messagesOf(commands: readonly string[]): Promise<string[]> {
  const inputs = commands.map((command) => ({ command: `git ${command}` }));
  const ended = await runMany(place, 'shell.run', inputs, ['fs:work', 'exec:git']);
  return ended.map(({ message }, at) => `${commands[at]}: ${message}`);
}
const isRefusal = (message: string): boolean =>
  message.includes('would run the filter "crypt" on "kept.secret", and nobody allowed it');
/** The grant that a refusal names. */
const grantIn = (hint: string): string => /--allow (\S+)/.exec(hint)?.[1] ?? '';

const codeOf = (text: string): string =>
  text.replace(/[a-y]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 1));
/** Like git-crypt: what is stored is not what is shown. */
const crypt = { clean: 'tr a-y b-z', smudge: 'tr b-z a-y' };

/** In the configuration of the repository, or with `--global` of the person. */
function configure(driver: Record<string, string>, ...scope: string[]): void {
  for (const [name, value] of Object.entries(driver))
    git('config', ...scope, `filter.crypt.${name}`, value);
}

/** A repository in which `kept.secret` is stored in code, and so on a branch `side`. */
beforeEach(() => {
  place = openPlace();
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.org');
  configure(crypt);
  write('.gitattributes', '*.secret filter=crypt\n');
  write('kept.secret', 'first\n');
  write('plain.txt', 'one\n');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'First');
  git('checkout', '--quiet', '-b', 'side');
  write('kept.secret', 'of side\n');
  git('commit', '--quiet', '-am', 'Side');
  git('checkout', '--quiet', '-b', 'other', 'main');
  write('plain.txt', 'other\n');
  git('commit', '--quiet', '-am', 'Other');
  git('checkout', '--quiet', 'main');
  // Else git asks the filter about a file that is as old as its index.
  for (const path of ['.gitattributes', 'kept.secret', 'plain.txt'])
    utimesSync(join(place.work, path), 1, 1);
  git('status');
});
afterEach(() => place[Symbol.dispose]());

describe.runIf(hasSandbox)('a filter of git that nobody allowed', () => {
  it('keeps git.stage, git.restore and git.commit from its files, by their names', async () => {
    write('kept.secret', 'changed\n');
    for (const [tool, does] of [
      ['git.stage', 'add'],
      ['git.restore', 'restore'],
    ] as const) {
      const { code, message, hint } = await run(tool, { paths: ['kept.secret'] });
      expect({ code, message }).toEqual({
        code: 3,
        message: `${tool}: git ${does} would run the filter "crypt" on "kept.secret", and nobody allowed it`,
      });
      expect(hint).toContain('It runs "tr a-y b-z" and "tr b-z a-y".');
    }
    expect(git('diff', '--cached', '--name-only')).toBe('');
    expect(read('kept.secret')).toBe('changed\n');
  });

  it('refuses what would store or write one, and leaves the files as they are', async () => {
    write('kept.secret', 'changed\n');
    write('plain.txt', 'changed\n');
    const refused = await messagesOf([
      'add -A',
      'add -u',
      'stage kept.secret',
      'commit -am x',
      'commit -m x kept.secret',
      'commit -m x --include kept.secret',
      'commit -m x -- kept.secret',
      'stash',
      'stash push -- kept.secret',
      'restore .',
      'checkout -- kept.secret',
      'checkout kept.secret',
      'checkout -f',
      'reset --hard',
      'checkout -f side',
      'restore --source=side -- kept.secret',
      'checkout side -- kept.secret',
    ]);
    expect(refused.filter((message) => !isRefusal(message))).toEqual([]);
    expect([read('kept.secret'), read('plain.txt')]).toEqual(['changed\n', 'changed\n']);
    expect([git('diff', '--cached', '--name-only'), git('stash', 'list')]).toEqual(['', '']);
  });

  it('refuses what would check out one of another commit', async () => {
    const before = git('rev-parse', 'HEAD');
    const refused = await messagesOf([
      'checkout side',
      'switch side',
      'merge side',
      'rebase side',
      'cherry-pick side',
      'reset --hard side',
      'checkout --detach side~0',
      'switch -c new side',
      'reset --keep side',
    ]);
    expect(refused.filter((message) => !isRefusal(message))).toEqual([]);
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain')]).toEqual([before, '']);
    expect(read('kept.secret')).toBe('first\n');
  });

  it('is found by the attributes that another branch brings along', async () => {
    git('checkout', '--quiet', '-b', 'more', 'other');
    write('.gitattributes', '*.secret filter=crypt\n*.more filter=crypt\n');
    write('a.more', 'more\n');
    write('0.txt', 'new\n');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'More');
    git('checkout', '--quiet', 'other');
    expect((await shell('git switch more')).message).toContain(
      'git switch would run the filter "crypt" on "a.more"',
    );
    expect(git('status', '--porcelain')).toBe('');
  });

  it('leaves nothing of a clone that git could not write', async () => {
    git('config', '--global', 'filter.crypt.process', 'never');
    expect((await shell('git clone -q . copy')).code).toBe(3);
    expect(existsSync(join(place.work, 'copy/kept.secret'))).toBe(false);
  });

  it('leaves all other files to git', async () => {
    write('plain.txt', 'two\n');
    write('new.txt', 'new\n');
    const commands = [
      'add plain.txt new.txt',
      'commit -m Second',
      'switch other',
      'merge --no-edit main~1',
      'checkout main',
      'restore --source=HEAD~1 -- plain.txt',
      'stash',
      'stash pop',
      'restore plain.txt',
      'reset --hard other',
      'log -p -1',
      'switch -c again',
    ];
    const inputs = commands.map((command) => ({ command: `git ${command}` }));
    const ended = await runMany(place, 'shell.run', inputs, ['fs:work', 'exec:git']);
    expect(ended.map(({ exit, message }) => message ?? exit)).toEqual(commands.map(() => 0));
    expect(git('log', '-1', '--format=%s')).toBe('Other\n');
  });

  it('commits what is staged while another file waits for its filter', async () => {
    write('kept.secret', 'fiRst\n');
    write('plain.txt', 'two\n');
    await run('git.stage', { paths: ['plain.txt'] });
    expect(await run('git.commit', { message: 'Second' })).toMatchObject({
      code: 0,
      content: { files: [{ path: 'plain.txt' }] },
    });
    expect(git('show', '--name-only', '--format=', 'HEAD')).toBe('plain.txt\n');
  });

  it('says of a file that only its time makes look changed that the filter did not run', async () => {
    utimesSync(join(place.work, 'kept.secret'), 2, 2);
    const { content } = await run('git.status', {});
    expect(content.entries).toEqual([{ path: 'kept.secret', unstaged: 'filter not run' }]);
    const diff = await run('git.diff', {});
    expect(diff.content).toMatchObject({ files: [], patch: '', filterNotRun: ['kept.secret'] });
    const raw = await shell('git status --porcelain');
    expect(raw.content).toMatchObject({
      stdout: '',
      stderr: 'filter not run: "kept.secret" (crypt)\n',
    });
    expect((await run('git.status', { paths: ['plain.txt'] })).content.entries).toEqual([]);
    // Git by itself asks the filter, and finds nothing changed. A longer file is changed for it.
    write('kept.secret', 'a longer one\n');
    expect((await run('git.status', {})).content.entries).toEqual([
      { path: 'kept.secret', unstaged: 'modified' },
    ]);
    utimesSync(join(place.work, 'kept.secret'), 2, 2);
    write('kept.secret', 'first\n');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('is not asked about a file that is as old as the index, and was not changed since', async () => {
    const now = Math.floor(Date.now() / 1000);
    utimesSync(join(place.work, 'kept.secret'), now - 1, now - 1);
    git('status');
    utimesSync(join(place.work, '.git/index'), now - 0.5, now - 0.5);
    write('plain.txt', 'two\n');
    expect((await run('git.status', {})).content.entries).toEqual([
      { path: 'plain.txt', unstaged: 'modified' },
    ]);
    expect((await run('git.stage', { paths: ['plain.txt'] })).code).toBe(0);
    expect(git('ls-files', '--debug', 'kept.secret')).toMatch(/size: 6\s/);
  });

  it.each([
    ['a folder', () => write('sub/.gitattributes', '*.txt filter=crypt\n')],
    ['the repository', () => write('.git/info/attributes', 'sub/*.txt filter=crypt\n')],
    [
      'the person',
      () => {
        mkdirSync(join(place.dir, '.config/git'), { recursive: true });
        writeFileSync(join(place.dir, '.config/git/attributes'), 'sub/*.txt filter=crypt\n');
      },
    ],
    [
      'a file that a setting names',
      () => {
        writeFileSync(join(place.dir, 'mine'), '[attr]hidden filter=crypt\nsub/*.txt hidden\n');
        git('config', 'core.attributesFile', '~/mine');
      },
    ],
  ])('is found by the attributes of %s', async (_, attribute) => {
    write('sub/a.txt', 'text\n');
    attribute();
    expect(git('check-attr', 'filter', 'sub/a.txt')).toBe('sub/a.txt: filter: crypt\n');
    expect((await run('git.stage', { paths: ['sub/a.txt'] })).message).toContain(
      'would run the filter "crypt" on "sub/a.txt"',
    );
    expect((await run('git.stage', { paths: ['.gitattributes'] })).code).toBe(0);
  });

  it('is found in every configuration that the person has, and an unknown one runs nothing', async () => {
    git('config', '--remove-section', 'filter.crypt');
    write('kept.secret', 'changed\n');
    expect((await run('git.stage', { paths: ['kept.secret'] })).code).toBe(0);
    expect(git('show', ':kept.secret')).toBe('changed\n');
    git('reset', '--quiet');
    for (const scope of ['--global', `--file=${join(place.dir, 'included')}`]) {
      git('config', scope, 'filter.crypt.process', 'never');
      expect((await run('git.stage', { paths: ['kept.secret'] })).code).toBe(3);
      git('config', scope, '--remove-section', 'filter.crypt');
      git('config', '--global', `includeIf.gitdir:${place.work}/.path`, '~/included');
    }
    expect(git('diff', '--cached', '--name-only')).toBe('');
  });

  it('is no matter for what git converts itself', async () => {
    write('.gitattributes', '*.secret filter=crypt\na.txt text eol=crlf ident\n');
    write('.git/info/attributes', 'b.txt text eol=crlf\n');
    for (const name of ['a.txt', 'b.txt']) write(name, 'x $Id$\r\ny\r\n');
    expect((await run('git.stage', { paths: ['a.txt', 'b.txt'] })).code).toBe(0);
    expect([git('show', ':a.txt'), git('show', ':b.txt')]).toEqual(Array(2).fill('x $Id$\ny\n'));
  });
});

describe.runIf(hasSandbox)('a filter of git that a person allowed', () => {
  it('runs in the sandbox, and stores and writes what git by itself does', async () => {
    write('kept.secret', 'changed\n');
    const refused = await run('git.stage', { paths: ['kept.secret'] });
    const allow = ['--allow', grantIn(refused.hint)];
    expect((await run('git.stage', { paths: ['kept.secret'] }, ...allow)).code).toBe(0);
    const blob = git('rev-parse', ':kept.secret');
    expect(git('cat-file', 'blob', blob.trim())).toBe(codeOf('changed\n'));
    git('add', 'kept.secret');
    expect(git('rev-parse', ':kept.secret')).toBe(blob);
    write('kept.secret', 'lost\n');
    expect((await run('git.restore', { paths: ['kept.secret'] }, ...allow)).code).toBe(0);
    expect(read('kept.secret')).toBe('changed\n');
    expect((await shell('git stash', ...allow)).code).toBe(0);
    expect((await shell('git switch side', ...allow)).content.exitCode).toBe(0);
    expect(read('kept.secret')).toBe('of side\n');
    utimesSync(join(place.work, 'kept.secret'), 2, 2);
    expect((await run('git.status', {}, ...allow)).content.entries).toEqual([]);
  });

  it('is kept by the command of the refusal, and asked for again when its command changes', async () => {
    write('kept.secret', 'changed\n');
    const { hint } = await run('git.stage', { paths: ['kept.secret'] });
    const command = /with: cuervo (plugin grant git \S+ --project)/.exec(hint)?.[1] ?? '';
    expect((await place.cuervo(command.split(' '), { env: env() })).code).toBe(0);
    expect((await run('git.stage', { paths: ['kept.secret'] })).code).toBe(0);
    configure({ clean: 'tr a-x c-z' });
    write('kept.secret', 'again\n');
    const again = await run('git.stage', { paths: ['kept.secret'] });
    expect(again).toMatchObject({ code: 3, hint: expect.stringContaining('"tr a-x c-z"') });
    expect(git('show', ':kept.secret')).toBe(codeOf('changed\n'));
  });

  it('stores nothing where it fails, required or not', async () => {
    configure({ clean: 'false' });
    write('kept.secret', 'changed\n');
    const { hint } = await run('git.stage', { paths: ['kept.secret'] });
    const failed = await run('git.stage', { paths: ['kept.secret'] }, '--allow', grantIn(hint));
    expect(failed).toMatchObject({ code: 1, message: expect.stringContaining('external filter') });
    expect(git('diff', '--cached', '--name-only')).toBe('');
  });

  it('with one direction alone leaves the other one to git', async () => {
    git('config', '--unset', 'filter.crypt.smudge');
    write('kept.secret', 'lost\n');
    expect((await run('git.restore', { paths: ['kept.secret'] })).code).toBe(0);
    expect(read('kept.secret')).toBe(codeOf('first\n'));
    write('kept.secret', 'changed\n');
    expect((await run('git.stage', { paths: ['kept.secret'] })).code).toBe(3);
  });
});
