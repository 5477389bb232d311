import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeBare, startGitServer } from '../fixtures/git-server.ts';
import { runInTerminal, terminalMissing } from '../fixtures/terminal/run-in-terminal.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing =
  terminalMissing() ??
  (existsSync('/usr/bin/bwrap')
    ? undefined
    : 'bubblewrap is missing: apt-get install bubblewrap') ??
  (existsSync('/usr/bin/socat') ? undefined : 'socat is missing: apt-get install socat');
const prompt = '[y/e/n/?] ';
const login = 'ann:s3cret';

let place: Place;
const served = () => join(place.dir, 'served');
const bare = () => join(served(), 'r.git');

function git(folder: string, ...args: string[]): string {
  const own = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  return spawnSync('git', ['-C', folder, ...own, ...args], { encoding: 'utf8' }).stdout.trim();
}

async function ended(child: ChildProcess): Promise<void> {
  await once(child, 'close');
}

/** A tool at a terminal, where the question is answered. */
async function at(tool: string, answer: string, ...flags: string[]) {
  const env = { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home, HOME: place.dir };
  const vector = [process.execPath, program, 'run', tool, '{}', ...flags] as const;
  return await runInTerminal(vector, [[prompt, `${answer}\r`]], { cwd: place.work, env });
}

beforeEach(() => {
  place = openPlace({ 'a.txt': 'one\n' });
  mkdirSync(served());
  makeBare(bare());
  git(place.work, 'init', '--quiet', '--initial-branch=main');
  git(place.work, 'add', '.');
  git(place.work, 'commit', '--quiet', '-m', 'First');
});
afterEach(() => place[Symbol.dispose]());

describe(`git over the web${missing === undefined ? '' : `, skipped: ${missing}`}`, () => {
  it.skipIf(missing)('pushes after a question, and undo says that it stays', async () => {
    await using server = await startGitServer(served());
    git(place.work, 'remote', 'add', 'origin', `${server.origin}/r.git`);
    const allowed = ['--allow', `http:${server.origin}`, '--allow', 'exec:git'];
    // A grant covers no push: without a terminal nothing is sent.
    const silent = await place.cuervo(['run', 'git.push', '{}', ...allowed]);
    expect(silent.code).toBe(3);
    expect((await at('git.push', 'n', ...allowed)).code).toBe(3);
    expect(git(bare(), 'branch', '--list')).toBe('');
    const pushed = await at('git.push', 'y', ...allowed);
    expect(pushed.screen).toContain(`may talk  to "${server.origin}"`);
    expect(pushed.screen).toContain('pushed main to origin');
    expect(pushed.code).toBe(0);
    expect(git(bare(), 'log', '--format=%s', 'main')).toBe('First');
    const { stdout } = await place.cuervo(['undo', '--list']);
    expect(stdout).toContain(`what it pushed to ${server.origin} stays there`);
  });

  it.skipIf(missing)('fetches with the login of the own credential.helper', async () => {
    await using server = await startGitServer(served(), login);
    git(place.work, 'push', '--quiet', bare(), 'main:topic');
    git(place.work, 'remote', 'add', 'origin', `${server.origin}/r.git`);
    const allowed = ['--allow', `http:${server.origin}`];
    const unknown = await at('git.fetch', 'y', ...allowed);
    expect(unknown.code).toBe(3);
    expect(unknown.screen).toContain('asks for a login');
    const helper = '!f() { echo username=ann; echo password=s3cret; }; f';
    writeFileSync(join(place.dir, '.gitconfig'), `[credential]\n\thelper = "${helper}"\n`);
    const fetched = await at('git.fetch', 'y', ...allowed);
    expect(fetched.screen).toContain('1 new or changed branch of origin');
    expect(fetched.screen).not.toContain('s3cret');
    expect(git(place.work, 'log', '--format=%s', 'origin/topic')).toBe('First');
  });

  it.skipIf(missing)('says how to let it reach an origin that was not granted', async () => {
    await using server = await startGitServer(served());
    git(place.work, 'remote', 'add', 'origin', `${server.origin}/r.git`);
    const kept = await at('git.fetch', 'y');
    expect(kept.code).toBe(7);
    expect(kept.screen).toContain(`cuervo plugin grant git http:${server.origin}`);
    expect(server.logins).toEqual([]);
    // The advice works.
    const words = ['plugin', 'grant', 'git', `http:${server.origin}`];
    expect((await place.cuervo(words)).code).toBe(0);
    expect((await at('git.fetch', 'y')).code).toBe(0);
  });

  it.skipIf(missing)('goes where the question says, whatever the repository is told', async () => {
    await using server = await startGitServer(served(), login);
    await using thief = await startGitServer(served());
    const ran = join(place.work, 'RAN');
    const program = `!touch '${ran}' /roots/work/RAN; echo password=x`;
    const settings = [
      ['remote.origin.url', `${server.origin}/r.git`],
      ['remote.origin.pushurl', `${thief.origin}/r.git`],
      [`url.${thief.origin}/.insteadOf`, `${server.origin}/`],
      [`url.${thief.origin}/.pushInsteadOf`, `${server.origin}/`],
      ['remote.origin.proxy', thief.origin],
      ['http.proxy', thief.origin],
      ['core.sshCommand', program.slice(1)],
      ['core.gitProxy', program.slice(1)],
      ['core.askPass', program.slice(1)],
      ['credential.helper', program],
      ['remote.origin.receivepack', program.slice(1)],
      ['remote.origin.vcs', 'ext'],
    ];
    for (const [name = '', value = ''] of settings) git(place.work, 'config', name, value);
    const helper = '!f() { echo username=ann; echo password=s3cret; }; f';
    writeFileSync(join(place.dir, '.gitconfig'), `[credential]\n\thelper = "${helper}"\n`);
    const allowed = [server.origin, thief.origin].flatMap((each) => ['--allow', `http:${each}`]);
    const pushed = await at('git.push', 'y', ...allowed);
    expect(pushed.screen).toContain('pushed main to origin');
    expect(thief.logins).toEqual([]);
    expect(server.logins.length).toBeGreaterThan(0);
    expect(existsSync(ran)).toBe(false);
    // control: git itself obeys them
    git(place.work, 'config', '--unset', 'remote.origin.vcs');
    git(place.work, 'config', '--unset', 'http.proxy');
    git(place.work, 'config', '--unset', 'remote.origin.proxy');
    // The server is in this process, which must not wait for git meanwhile.
    await ended(spawn('git', ['-C', place.work, 'ls-remote', `${server.origin}/r.git`]));
    expect(thief.logins.length).toBeGreaterThan(0);
  });

  it.skipIf(missing)('refuses an address of another kind', async () => {
    git(place.work, 'remote', 'add', 'origin', 'ext::touch RAN');
    const refused = await place.cuervo(['run', 'git.fetch', '{}', '--allow', 'exec:git']);
    expect(refused.code).toBe(4);
    expect(existsSync(join(place.work, 'RAN'))).toBe(false);
  });
});
