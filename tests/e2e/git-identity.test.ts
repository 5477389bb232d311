import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const hasSandbox =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

let place: Place;
/** Of the person, for git and for cuervo. */
let env: Record<string, string> = {};

function git(...args: string[]): string {
  const path = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const done = spawnSync('git', args, {
    cwd: place.work,
    encoding: 'utf8',
    env: { ...path, ...env },
  });
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
  return done.stdout.trim();
}

async function commit(command = 'git commit --allow-empty -m x') {
  const input = JSON.stringify({ command });
  const args = ['run', 'shell.run', input, '--json', '--allow', 'exec:git'];
  const done = await place.cuervo(args, { env });
  const error = done.lines.find(({ type }) => type === 'error') as {
    message: string;
    hint?: string;
  };
  return { code: done.code, message: error?.message ?? '', hint: error?.hint ?? '' };
}

beforeEach(() => {
  place = openPlace({ 'a.txt': 'one\n' });
  env = { HOME: place.dir, GIT_CONFIG_NOSYSTEM: '1' };
  git('init', '--quiet', '--initial-branch=main');
  git('config', '--global', 'user.name', 'Global');
  git('config', '--global', 'user.email', 'global@example.org');
});
afterEach(() => place[Symbol.dispose]());

describe.runIf(hasSandbox)('the name that a commit bears', () => {
  it.each([
    ['of the person', () => {}],
    ['of the repository', () => git('config', 'user.name', 'Local')],
    ['of the author alone', () => git('config', 'author.name', 'Author "q" <x>')],
    [
      'that an include of the person has for this folder',
      () => {
        writeFileSync(join(place.dir, 'work-name'), '[user]\n\temail = work@example.org\n');
        git('config', '--global', `includeIf.gitdir:${place.work}/.path`, '~/work-name');
      },
    ],
    [
      'of the environment',
      () => {
        env.GIT_AUTHOR_NAME = 'Environment';
        env.GIT_AUTHOR_DATE = '1700000000 +0200';
        env.GIT_COMMITTER_EMAIL = 'c@example.org';
      },
    ],
    [
      'of a configuration that the environment names',
      () => {
        Object.assign(env, { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name' });
        env.GIT_CONFIG_VALUE_0 = 'Counted';
      },
    ],
  ])('is the one that git names: %s', async (_, configure) => {
    configure();
    expect(await commit()).toMatchObject({ code: 0 });
    const [author, committer] = git('log', '-1', '--format=%an <%ae>%n%cn <%ce>').split('\n');
    const named = (who: string) => git('var', `GIT_${who}_IDENT`).replace(/ \d+ [+-]\d+$/, '');
    expect([author, committer]).toEqual([named('AUTHOR'), named('COMMITTER')]);
    if (env.GIT_AUTHOR_DATE !== undefined)
      expect(git('log', '-1', '--date=raw', '--format=%ad')).toBe(env.GIT_AUTHOR_DATE);
  });

  it('is the one that is typed for this command', async () => {
    await commit('git -c user.name=Typed commit --allow-empty -m x');
    expect(git('log', '-1', '--format=%an <%ae>')).toBe('Typed <global@example.org>');
  });

  it('stays that of the commit that is picked', async () => {
    git('commit', '--quiet', '--allow-empty', '-m', 'x', '--author=Bob <bob@example.org>');
    expect(await commit('git commit --amend --allow-empty -m y')).toMatchObject({ code: 0 });
    expect(git('log', '-1', '--format=%an %cn %s')).toBe('Bob Global y');
  });
});

describe.runIf(hasSandbox)('a commit that should bear a signature', () => {
  it.each([
    ['git commit --allow-empty -m x', 'commit.gpgsign', ['--global']],
    ['git commit --allow-empty -m x', 'commit.gpgsign', ['--local']],
    ['git commit -S --allow-empty -m x', '', []],
    ['git cherry-pick HEAD', 'commit.gpgsign', ['--global']],
    ['git tag v1', 'tag.gpgsign', ['--global']],
    ['git tag -am v1 v1', 'tag.forcesignannotated', ['--global']],
    ['git tag -s v1 -m v1', '', []],
  ])('is refused, with what to do: %s, %s', async (command, setting, scope) => {
    git('commit', '--quiet', '--allow-empty', '-m', 'First');
    if (setting !== '') git('config', ...scope, setting, 'true');
    const before = git('for-each-ref');
    const [, subcommand] = command.split(' ');
    const { code, message, hint } = await commit(command);
    expect({ code, message }).toEqual({
      code: 3,
      message: expect.stringMatching(
        new RegExp(`asks for a signature, and git ${subcommand} finds no key in the sandbox$`),
      ),
    });
    expect(hint).toContain(`Run git ${subcommand} yourself`);
    expect(git('for-each-ref')).toBe(before);
  });

  it('is made without one where that is said, or the setting says no', async () => {
    git('config', '--global', 'commit.gpgsign', 'true');
    expect(await commit('git commit --no-gpg-sign --allow-empty -m x')).toMatchObject({ code: 0 });
    git('config', 'commit.gpgsign', 'false');
    expect(await commit()).toMatchObject({ code: 0 });
    git('config', '--global', 'tag.forceSignAnnotated', 'true');
    expect(await commit('git tag v1')).toMatchObject({ code: 0 });
    expect(git('rev-list', '--count', 'v1')).toBe('2');
  });
});
