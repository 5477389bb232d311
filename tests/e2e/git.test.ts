import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { openPlace, type Place } from '../support/place.ts';

const hasSandbox =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;
const install = 'needs bubblewrap that may make namespaces: apt-get install bubblewrap';

let place: Place;
/** Made by whatever the repository has started. */
const ran = () => join(place.work, 'RAN');

function git(...args: string[]) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.dir, GIT_CONFIG_NOSYSTEM: '1' };
  return spawnSync('git', args, { cwd: place.work, encoding: 'utf8', env });
}

async function run(tool: string, input: JsonObject, ...flags: string[]) {
  const done = await place.cuervo(['run', tool, JSON.stringify(input), '--json', ...flags]);
  const result = done.lines.find(({ type }) => type === 'result');
  const error = done.lines.find(({ type }) => type === 'error');
  const content =
    result === undefined ? undefined : JSON.parse((result as { content: string }).content);
  return { code: done.code, content, error };
}
const granted = ['--allow', 'exec:git'];

beforeEach(() => {
  place = openPlace({ 'a.txt': 'one\n', 'b c.txt': 'b\n' });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.org');
  git('add', '.');
  git('commit', '--quiet', '-m', 'First');
  writeFileSync(join(place.work, 'a.txt'), 'one\ntwo\n');
});
afterEach(() => place[Symbol.dispose]());

describe.runIf(hasSandbox)('git plugin', () => {
  it('says that there are older commits than it shows', async () => {
    git('commit', '--quiet', '--allow-empty', '-m', 'Second');
    const { content } = await run('git.log', { limit: 1 });
    expect(content).toMatchObject({ commits: [{ subject: 'Second' }], truncated: true });
    expect(content.commits).toHaveLength(1);
  });

  it('follows lines into the file that theirs was moved from, unless that is protected', async () => {
    const commit = (message: string) => git('commit', '--quiet', '-am', message);
    const lines = { start: 1, end: 3 };
    writeFileSync(join(place.work, 'b.ts'), 'export function moor() {\n  return 1;\n}\n');
    git('add', '.');
    commit('Make it');
    git('mv', 'b.ts', 'c.ts');
    writeFileSync(join(place.work, 'c.ts'), '// Boats\nexport function moor() {\n  return 1;\n}\n');
    commit('Move it');
    const first = { commits: [{ subject: 'Make it' }, { subject: 'Move it' }], path: 'b.ts' };
    const input = { lines: { path: 'c.ts', start: 2, end: 4 }, oldest: true };
    expect((await run('git.log', input)).content).toMatchObject(first);
    const added = await place.cuervo(['ask', 'when was moor() added?']);
    expect(added.stdout).toMatch(/Make it: 1 file[\s\S]*\+\+\+ b\/b\.ts/);
    writeFileSync(join(place.work, 'c.ts'), 'export function dock() {\n  return 1;\n}\n');
    commit('Name it dock');
    const dock = { lines: { path: 'c.ts', ...lines, name: 'dock' }, oldest: true };
    const named = (await run('git.log', dock)).content;
    expect(named).toMatchObject({ commits: [{ subject: 'Name it dock' }], path: 'c.ts' });
    for (const [name, word] of [
      ['.env', 'Keep'],
      ['d.ts', 'Show'],
    ]) {
      writeFileSync(join(place.work, `${name}`), `export const ${word} = 1;\n// a\n// b\n`);
      git('add', '.');
      commit(`${word} it`);
      git('mv', `${name}`, `${word}.ts`);
      commit(`Move ${word}`);
    }
    const ofKept = await run('git.log', { lines: { path: 'Keep.ts', ...lines } });
    expect(ofKept.content.commits).toMatchObject([{ subject: 'Move Keep' }]);
    const ofShown = await run('git.log', { lines: { path: 'Show.ts', ...lines } });
    expect(ofShown.content.commits).toMatchObject([
      { subject: 'Move Show' },
      { subject: 'Show it' },
    ]);
  });

  it('answers for the time that is asked about, or says that it has none and what is newest', async () => {
    const env = { GIT_COMMITTER_DATE: '2023-06-15T12:00:00Z' };
    git('commit', '--quiet', '--allow-empty', '-m', 'Newest');
    spawnSync('git', ['commit', '--quiet', '--allow-empty', '-m', 'Of June'], {
      cwd: place.work,
      env: { ...process.env, ...env, HOME: place.dir },
    });
    const june = await place.cuervo(['ask', 'how many commits in June 2023?']);
    expect(june.stdout).toContain('1 commit:');
    expect(june.stdout).toContain('Of June');
    expect(june.stdout).not.toContain('Newest');
    const none = await place.cuervo(['ask', 'what changed in May 2021?']);
    expect(none.code).toBe(0);
    expect(none.stdout).toMatch(
      /no commits since 2021-05-01 until 2021-05-31; the newest is \w{10}/,
    );
    const { stdout } = await place.cuervo(['ask', 'what did Ann change in May 2021?']);
    expect(stdout).toMatch(
      /no commits by Ann since 2021-05-01 until 2021-05-31; (?:the newest by Ann is \w{10}|there are none by Ann of any time)/,
    );
    expect((await place.cuervo(['ask', 'what did Zoe change in May 2021?'])).stdout).toContain(
      'no commits by Zoe since 2021-05-01 until 2021-05-31; there are none by Zoe of any time',
    );
  });

  it('exits 4 with --strict where it leaves something out, and 0 where it does not', async () => {
    const asked = 'show commits by Ann about login';
    const plain = await place.cuervo(['ask', asked]);
    expect({ code: plain.code, first: plain.stdout.split('\n')[0] }).toEqual({
      code: 0,
      first: 'Left out: login.',
    });
    const strict = await place.cuervo(['ask', '--strict', asked]);
    expect({ code: strict.code, said: strict.stderr.includes('left out: login') }).toEqual({
      code: 4,
      said: true,
    });
    expect((await place.cuervo(['ask', '--strict', 'show commits by Ann'])).code).toBe(0);
  });

  it('looks at a repository without any grant', async () => {
    expect(await run('git.status', {})).toMatchObject({
      code: 0,
      content: { branch: 'main', entries: [{ path: 'a.txt', unstaged: 'modified' }] },
    });
    const { content: diff } = await run('git.diff', {});
    expect(diff).toMatchObject({ files: [{ path: 'a.txt', added: 1, removed: 0 }] });
    expect(diff.patch).toContain('+two');
    const { content: log } = await run('git.log', { limit: 3 });
    expect(log).toMatchObject({ commits: [{ subject: 'First', author: 'Ann' }] });
    expect(log).not.toHaveProperty('truncated');
    const { content: shown } = await run('git.show', { commit: 'main', paths: ['b c.txt'] });
    expect(shown).toMatchObject({ commit: { subject: 'First' }, files: [{ path: 'b c.txt' }] });
    const { content: blamed } = await run('git.blame', { path: 'a.txt', start: 2 });
    expect(blamed).toMatchObject({ lines: [{ line: 2, text: 'two' }] });
    const { content: branches } = await run('git.branches', {});
    expect(branches).toMatchObject({ branches: [{ name: 'main', current: true }] });
  });

  it('counts commits, those of one author alone, and says where older ones are lacking', async () => {
    git('commit', '--quiet', '--allow-empty', '-m', 'Second');
    git('commit', '--quiet', '--allow-empty', '-m', 'Third', '--author=Bob <bob@example.org>');
    const { content } = await run('git.log', { limit: 1, count: true });
    expect(content).toMatchObject({ commits: [{ subject: 'Third' }], total: 3 });
    const { stderr } = await place.cuervo(['run', 'git.log', '{"limit":1,"count":true}']);
    expect(stderr).toBe('3 commits, the latest 1 and 2 more\n');
    const answer = async (question: string) => (await place.cuervo(['ask', question])).stdout;
    expect(await answer('how many commits are there?')).toMatch(/\n3 commits:\n.*Third\n/);
    const byBob = await answer('show the commits by bob');
    expect(byBob).toMatch(/\n1 commit:\n.*Bob {2}Third\n/);
    expect(byBob).not.toContain('Second');
    expect(await answer('how many commits did Zoe make?')).toMatch(/\n0 commits:\n {2}none\n/);
    writeFileSync(join(place.work, '.git', 'shallow'), git('rev-parse', 'HEAD~1').stdout);
    expect((await run('git.log', { count: true })).content).toMatchObject({ shallow: true });
    expect(await answer('how many commits are there?')).toContain(
      '2 commits in this shallow clone, which lacks the older ones:',
    );
  });

  it('tells the history of what is no name by messages and by changed paths', async () => {
    writeFileSync(join(place.work, 'billing.txt'), 'x\n');
    git('add', 'billing.txt');
    git('commit', '--quiet', '-m', 'Second', '--author=Bob <bob@example.org>');
    git('commit', '--quiet', '--allow-empty', '-m', 'Mend BILLING again');
    const topic = { topic: ['billing'], paths: ['billing.txt'] };
    const { content } = await run('git.log', topic);
    const subjects = content.commits.map(({ subject }: { subject: string }) => subject);
    expect(subjects.toSorted()).toEqual(['Mend BILLING again', 'Second']);
    expect((await run('git.log', { topic: ['nowhere'] })).content.commits).toEqual([]);
    const answer = async (question: string) => (await place.cuervo(['ask', question])).stdout;
    const lately = await answer('what happened in the billing part lately?');
    expect(lately).toContain('2 commits about billing:');
    expect(lately).not.toContain('First');
    expect(await answer('who are the main contributors?')).toMatch(/ 2 {2}.*Ann\n +1 {2}.*Bob/);
  });

  it('takes a version for the tag that ends in it', async () => {
    git('tag', 'kit-1.2.0');
    git('tag', 'kit-11.2.0', '--message', 'Other');
    git('commit', '--quiet', '--allow-empty', '-m', 'Later');
    const { content } = await run('git.show', { commit: '1.2.0' });
    expect(content.commit).toMatchObject({ subject: 'First', author: 'Ann' });
    const since = await run('git.log', { from: '1.2.0..HEAD', count: true });
    expect(since.content).toMatchObject({ total: 1, commits: [{ subject: 'Later' }] });
    expect((await run('git.show', { commit: '9.9.9' })).code).not.toBe(0);
  });

  it('lists tags, with a message or without one, by the commits that they name', async () => {
    const asked = () => place.cuervo(['ask', 'which tags are there?']);
    expect((await asked()).stderr).toContain('note: git did not answer, ');
    git('tag', 'v1.0');
    git('tag', '-a', 'v1.1', '-m', 'Better');
    const hash = git('rev-parse', 'HEAD').stdout.trim();
    const { content } = await run('git.branches', { tags: true });
    expect(content.tags).toHaveLength(2);
    expect(content.tags).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'v1.0', hash, subject: 'First' }),
        expect.objectContaining({ name: 'v1.1', hash, subject: 'Better' }),
      ]),
    );
    expect((await asked()).stdout).toMatch(/\n2 tags:\n/);
  });

  it('compares two commits by what was done and by their lines', async () => {
    git('tag', 'v1.0');
    git('commit', '--quiet', '-am', 'Two');
    const { stdout } = await place.cuervo(['ask', 'what changed between v1.0 and HEAD?']);
    expect(stdout).toMatch(/\n1 commit:\n.*Two\n\n1 file, 1 line added, 0 removed:\n/);
    expect(stdout).toContain('  +two\n');
  });

  it('calls a file in conflict so, and not staged', async () => {
    git('commit', '--quiet', '-am', 'Two');
    git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
    writeFileSync(join(place.work, 'a.txt'), 'one\nside\n');
    git('commit', '--quiet', '-am', 'Side');
    git('merge', 'main');
    const { stderr } = await place.cuervo(['run', 'git.status', '{}']);
    expect(stderr).toBe('side: 1 changed, 0 of them staged, 1 in conflict\n');
    const asked = await place.cuervo(['ask', 'what is uncommitted?']);
    expect(asked.stdout).toContain('  a.txt: in conflict\n');
  });

  it('says why it did not answer a question, and not how its tool is called', async () => {
    rmSync(join(place.work, '.git'), { recursive: true });
    git('init', '--quiet', '--initial-branch=main');
    const { stderr } = await place.cuervo(['ask', 'how many commits are there?']);
    expect(stderr).toMatch(/^note: git did not answer, .* does not have any commits yet$/m);
  });

  it('says what is wrong with a repository in words of the workspace', async () => {
    rmSync(join(place.work, '.git'), { recursive: true });
    git('init', '--quiet', '--initial-branch=main');
    const says = async (tool: string, input: JsonObject) => {
      const { code, error } = await run(tool, input);
      return { code, message: (error as { message: string }).message };
    };
    const none = 'there is no commit yet';
    expect(await says('git.diff', { from: 'HEAD' })).toEqual({
      code: 4,
      message: `git.diff: git diff: ${none}`,
    });
    expect(await says('git.show', {})).toEqual({ code: 4, message: `git.show: git show: ${none}` });
    rmSync(join(place.work, '.git/HEAD'));
    expect(await says('git.status', {})).toEqual({
      code: 4,
      message: 'git.status: git status: not a git repository',
    });
    rmSync(join(place.work, '.git'), { recursive: true });
    writeFileSync(join(place.work, '.git'), 'gitdir: ../.git/modules/part\n');
    expect((await says('git.status', {})).message).toContain(
      'lies outside of the workspace, at ../.git/modules/part, and cannot be seen from here',
    );
  });

  it('changes it only with one, and commits without a hook', async () => {
    expect(await run('git.stage', { paths: ['a.txt'] })).toMatchObject({ code: 3 });
    expect(git('diff', '--cached', '--name-only').stdout).toBe('');
    const staged = await run('git.stage', { paths: ['a.txt'] }, ...granted);
    expect(staged.content).toMatchObject({ files: [{ path: 'a.txt', added: 1 }] });
    const message = 'Second "quoted" $(subject)\n\nA body.';
    const committed = await run('git.commit', { message }, ...granted);
    expect(committed).toMatchObject({
      code: 0,
      content: { subject: 'Second "quoted" $(subject)' },
    });
    expect(git('log', '-1', '--format=%B').stdout.trim()).toBe(message);
    writeFileSync(join(place.work, 'a.txt'), 'lost\n');
    await run('git.restore', { paths: ['a.txt'] }, ...granted);
    expect(readFileSync(join(place.work, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  it('says what is wrong with a name, and takes no option for one', async () => {
    expect(await run('git.show', { commit: 'no-such-branch' })).toMatchObject({ code: 4 });
    expect(await run('git.show', { commit: '--output=x' })).toMatchObject({ code: 2 });
    expect(await run('git.commit', { message: 'nothing' }, ...granted)).toMatchObject({ code: 8 });
    rmSync(join(place.work, '.git'), { recursive: true });
    expect(await run('git.status', {})).toMatchObject({
      code: 4,
      error: { message: expect.stringContaining('not a git repository') },
    });
  });

  it('starts nothing that a repository is configured to start', async () => {
    const evil = join(place.work, 'evil.sh');
    writeFileSync(evil, '#!/bin/sh\ntouch RAN "$(dirname "$0")/RAN"\ncat\n');
    chmodSync(evil, 0o755);
    writeFileSync(join(place.work, '.gitattributes'), '*.txt filter=evil diff=evil\n');
    for (const key of ['filter.evil.clean', 'diff.evil.textconv', 'core.fsmonitor', 'core.pager']) {
      git('config', key, evil);
    }
    git('config', 'diff.external', evil);
    const hook = join(place.work, '.git/hooks/pre-commit');
    writeFileSync(hook, `#!/bin/sh\n${evil} </dev/null\n`);
    chmodSync(hook, 0o755);
    git('add', 'b c.txt');
    rmSync(ran(), { force: true });
    const paths = ['a.txt'];
    for (const [tool, input, code] of [
      ['git.status', {}, 0],
      ['git.diff', {}, 0],
      ['git.stage', { paths }, 3],
      ['git.commit', { message: 'x' }, 8],
      ['git.show', {}, 0],
      ['git.log', {}, 0],
    ] as const) {
      expect(await run(tool, input, ...granted)).toMatchObject({ code });
      expect(existsSync(ran())).toBe(false);
    }
    // The control: git by itself does start it.
    writeFileSync(join(place.work, 'a.txt'), 'three\n');
    git('diff');
    expect(existsSync(ran())).toBe(true);
  });
});

describe.skipIf(hasSandbox)(`git plugin: ${install}`, () => {
  it('refuses, and says how to get the sandbox', async () => {
    const refused = await run('git.status', {});
    expect(refused).toMatchObject({ code: 3, error: { code: 'permission-denied' } });
  });
});

describe('the decision that a plan shows', () => {
  const planned = async (tool: string, input: JsonObject, ...flags: string[]) => {
    const { lines, code } = await place.cuervo([
      'run',
      tool,
      JSON.stringify(input),
      '--json',
      ...flags,
    ]);
    const plan = lines.find(({ type }) => type === 'plan') as unknown as {
      capabilities: { capability: string; detail?: string; decision: string }[];
    };
    return { code, capabilities: plan.capabilities };
  };
  const looking: [string, JsonObject][] = [
    ['git.status', {}],
    ['git.diff', {}],
    ['git.log', {}],
    ['git.show', {}],
    ['git.blame', { path: 'a.txt' }],
    ['git.branches', {}],
    ['git.stash', { action: 'list' }],
  ];

  it.skipIf(!hasSandbox)(`is the one that is taken (${install})`, async () => {
    for (const [tool, input] of looking) {
      expect({ tool, ...(await planned(tool, input)) }).toEqual({
        ...{ tool, code: 0 },
        capabilities: [{ capability: 'exec', detail: 'git', decision: 'allow' }],
      });
    }
    expect(await planned('git.stage', { paths: ['a.txt'] })).toEqual({
      code: 3,
      capabilities: [{ capability: 'exec', decision: 'ask' }],
    });
    const { stdout } = await place.cuervo(['plan', 'what changed recently?']);
    expect(stdout).toMatch(/\n {2}exec:git: allow\n?/);
    expect(stdout).not.toContain(': ask');
  });

  it('follows the configuration', async () => {
    mkdirSync(place.home, { recursive: true });
    const capabilities = async (config: string) => {
      writeFileSync(join(place.home, 'config.toml'), config);
      return (await planned('git.status', {})).capabilities;
    };
    const git = { capability: 'exec', detail: 'git' };
    expect(await capabilities('[exec]\nsandbox = "none"\n')).toEqual([{ ...git, decision: 'ask' }]);
    expect(await capabilities('[capabilities]\ndeny = ["exec:git"]\n')).toEqual([
      { ...git, decision: 'deny' },
    ]);
    expect(await capabilities('')).toEqual([{ ...git, decision: 'allow' }]);
    writeFileSync(join(place.home, 'rules.toml'), 'none');
    expect(await capabilities('')).toEqual([{ ...git, decision: 'deny' }]);
  });
});
