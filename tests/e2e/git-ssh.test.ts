import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeBare } from '../fixtures/git-server.ts';
import { type SshServer, startSshServer } from '../fixtures/ssh-server.ts';
import { runInTerminal, terminalMissing } from '../fixtures/terminal/run-in-terminal.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const needed = ['/usr/bin/bwrap', '/usr/bin/socat', '/usr/bin/ssh', '/usr/bin/ssh-agent'];
const absent = needed.find((path) => !existsSync(path));
const missing = terminalMissing() ?? (absent === undefined ? undefined : `${absent} is missing`);
const prompt = '[y/e/n/?] ';

let place: Place;
let agent: AsyncDisposable & { socket: string };
const keys = () => join(place.dir, 'keys');
const bare = () => join(place.dir, 'served/r.git');

function run(program: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: place.dir, SSH_AUTH_SOCK: agent?.socket ?? '' };
  return spawnSync(program, args, { encoding: 'utf8', env, cwd: place.work }).stdout.trim();
}

async function startAgent(): Promise<typeof agent> {
  const socket = join(place.dir, 'agent');
  const child = spawn('/usr/bin/ssh-agent', ['-D', '-a', socket], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return {
    socket,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      if (child.exitCode === null) await once(child, 'close');
    },
  };
}

/** A tool at a terminal, where the question is answered. */
async function at(tool: string, flags: readonly string[], env: Record<string, string> = {}) {
  const usual = { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home, HOME: place.dir };
  const vector = [process.execPath, program, 'run', tool, '{}', ...flags] as const;
  return await runInTerminal(vector, [[prompt, 'y\r']], {
    cwd: place.work,
    env: { ...usual, SSH_AUTH_SOCK: agent.socket, ...env },
  });
}

function know(server: SshServer): void {
  const key = readFileSync(join(keys(), 'host.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
  mkdirSync(join(place.dir, '.ssh'), { recursive: true });
  writeFileSync(join(place.dir, '.ssh/known_hosts'), `[127.0.0.1]:${server.port} ${key}\n`);
}

beforeEach(async () => {
  if (missing !== undefined) return;
  place = openPlace({ 'a.txt': 'one\n' });
  mkdirSync(keys());
  for (const name of ['host', 'user'])
    run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(keys(), name));
  agent = await startAgent();
  mkdirSync(join(place.dir, 'served'));
  makeBare(bare());
  run('git', 'init', '--quiet', '--initial-branch=main');
  run('git', 'add', '.');
  const own = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  run('git', ...own, 'commit', '--quiet', '-m', 'First');
});
afterEach(async () => {
  if (missing !== undefined) return;
  await agent[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

const serve = (): Promise<SshServer> =>
  startSshServer({ host: join(keys(), 'host'), user: join(keys(), 'user.pub') });

describe(`git over ssh${missing === undefined ? '' : `, skipped: ${missing}`}`, () => {
  it.skipIf(missing)('pushes and fetches with a key of the agent, after a question', async () => {
    await using server = await serve();
    const host = `ssh:127.0.0.1:${server.port}`;
    run('git', 'remote', 'add', 'origin', `ssh://ann@127.0.0.1:${server.port}${bare()}`);
    know(server);
    run('ssh-add', '-q', join(keys(), 'user'));

    const kept = await place.cuervo(['run', 'git.push', '{}', '--allow', 'exec:git']);
    expect(kept.code).toBe(3);
    expect(kept.stderr).toContain(`cuervo plugin grant git ${host}`);
    // The advice works; still nobody but a person at a terminal says yes.
    expect((await place.cuervo(['plugin', 'grant', 'git', host])).code).toBe(0);
    const silent = await place.cuervo(['run', 'git.push', '{}', '--allow', 'exec:git']);
    expect(silent.stderr).toContain('asks each time');
    expect(server.commands).toEqual([]);

    const pushed = await at('git.push', []);
    expect(pushed.screen).toContain(`may talk  to "${host}"`);
    expect(pushed.screen).toContain('pushed main to origin');
    expect(pushed.code).toBe(0);
    expect(run('git', '-C', bare(), 'log', '--format=%s', 'main')).toBe('First');
    expect(server.commands).toEqual([`git-receive-pack '${bare()}'`]);
    const { stdout } = await place.cuervo(['undo', '--list']);
    expect(stdout).toContain(`what it pushed to ${host} stays there`);

    run('git', 'push', '--quiet', bare(), 'main:topic');
    const fetched = await at('git.fetch', []);
    expect(fetched.screen).toContain('origin/topic');
    expect(run('git', 'log', '--format=%s', 'origin/topic')).toBe('First');
  });

  it.skipIf(missing)('names an unknown host, a key that is not taken, and no agent', async () => {
    await using server = await serve();
    run('git', 'remote', 'add', 'origin', `ssh://ann@127.0.0.1:${server.port}${bare()}`);
    const allowed = ['--allow', `ssh:127.0.0.1:${server.port}`];
    const unknown = await at('git.fetch', allowed);
    expect(unknown.screen).toContain('is not known');
    expect(unknown.screen).toContain(`ssh -p ${server.port} 127.0.0.1`);
    know(server);
    const stranger = await at('git.fetch', allowed);
    expect(stranger.screen).toContain('accepts none of the keys of your ssh agent');
    const without = await at('git.push', allowed, { SSH_AUTH_SOCK: '' });
    expect(without.screen).toContain('no ssh agent runs');
    expect(without.screen).not.toContain('stays there');
    expect(server.commands).toEqual([]);
    run('ssh-add', '-q', join(keys(), 'user'));
    expect((await at('git.fetch', allowed)).code).toBe(0);
  });

  it.skipIf(missing)(
    'starts nothing that the repository or ssh is configured to start',
    async () => {
      await using server = await serve();
      const canary = join(place.dir, 'RAN');
      run('git', 'remote', 'add', 'origin', `ssh://ann@127.0.0.1:${server.port}${bare()}`);
      for (const name of ['core.sshCommand', 'core.askPass', 'remote.origin.receivepack'])
        run('git', 'config', name, `touch ${canary}; false`);
      know(server);
      run('ssh-add', '-q', join(keys(), 'user'));
      const config = `Host *\n  ProxyCommand touch ${canary}\n  LocalCommand touch ${canary}\n`;
      writeFileSync(join(place.dir, '.ssh/config'), config);
      const pushed = await at('git.push', ['--allow', `ssh:127.0.0.1:${server.port}`]);
      expect(pushed.screen).toContain('pushed main to origin');
      expect(existsSync(canary)).toBe(false);
      // control: git itself obeys
      run('git', 'push', 'origin', 'main');
      expect(existsSync(canary)).toBe(true);
    },
  );
});
