import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../fixtures/git-server.ts';
import {
  type ChatScript,
  lastResult,
  type OpenAiServer,
  startOpenAiServer,
} from '../fixtures/openai-server/server.ts';
import { makeCertificate } from '../fixtures/tls/make-certificate.ts';
import { root } from '../support/run-cuervo.ts';
import { type Ended, openTeam, type Row, rowsOf, type Team } from './support/open-team.ts';
import { openPostgres, type Postgres, withPostgres } from './support/postgres.ts';

const count = 8;
const workers = 2;
const person = workers;
const password = 'pass-of-the-database';
const gitPassword = 'pass-of-the-git-server';
const question = 'where is the retry limit set?';
const hasKeychain = ['dbus-run-session', 'gnome-keyring-daemon'].every(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined,
);

/** Searches once, and answers with as many words as it may. A question that names a wait has it. */
const script: ChatScript = (body) => {
  const waitMs = JSON.stringify(body.messages).includes('slowly') ? 1_500 : 0;
  const toolCalls = [{ name: 'search__grep', input: { pattern: 'maxRetries' } }];
  const most = Math.min(3_000, body.max_tokens ?? body.max_completion_tokens ?? 0);
  return lastResult(body) === undefined
    ? { type: 'message', toolCalls, waitMs }
    : { type: 'message', text: `The limit is 7.${' seven'.repeat(most / 2)}`, waitMs };
};

describe.skipIf(withPostgres !== undefined)('limits of a fleet', { timeout: 400_000 }, () => {
  let server: Postgres;
  let git: GitServer;
  let model: OpenAiServer;
  let team: Team;
  const said: string[] = [];
  beforeAll(async () => {
    server = await openPostgres();
    server.requirePassword(password);
    model = await startOpenAiServer(script);
    const certificate = makeCertificate(['127.0.0.1']);
    const served = { folder: '' };
    team = openTeam(server.address, {
      workers,
      worker: (dir) => {
        served.folder = join(dir, 'served');
        return ['repositories = ["PLACE"]', 'jobs = 2'];
      },
    });
    git = await startGitServer(served.folder, `team:${gitPassword}`, certificate);
    makeRepositories(served.folder);
    writeFileSync(join(team.dir, 'ca.pem'), certificate.cert);
    const login = git.origin.replace('://', `://team:${gitPassword}@`);
    writeFileSync(join(team.dir, 'logins'), `${login}\n`, { mode: 0o600 });
    const helper = `store --file ${join(team.dir, 'logins')}`;
    const settings = `[credential]\n\thelper = ${helper}\n[http]\n\tsslCAInfo = ${join(team.dir, 'ca.pem')}\n`;
    writeFileSync(join(team.dir, '.gitconfig'), settings);
    const names = Array.from({ length: count }, (_, at) => `${git.origin}/r${at}.git`);
    writeFileSync(join(team.dir, 'repos.txt'), names.join('\n'));
    for (let at = 0; at <= workers; at += 1) {
      const path = join(team.home(at), 'config.toml');
      writeFileSync(path, readFileSync(path, 'utf8').replace('PLACE', git.origin));
      await told(at, ['fleet', 'login'], `${password}\n`);
      if (at === person) continue;
      await told(at, ['model', 'add', model.url, '--name', 'srv', '--remote']);
      writeFileSync(
        join(team.home(at), 'models.toml'),
        '[models."srv/test"]\ninput = 1\noutput = 2\n',
      );
      await told(at, ['model', 'use', 'srv/test']);
    }
  }, 300_000);
  afterAll(async () => {
    await git?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
    server?.[Symbol.dispose]();
    team?.[Symbol.dispose]();
  });

  const told = async (at: number, args: readonly string[], stdin?: string): Promise<Ended> => {
    const ended = await team.cuervo(at, args, stdin);
    said.push(ended.stdout, ended.stderr);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    return ended;
  };
  /** Asks all repositories by all workers. */
  const asked = async (text: string, ...limits: string[]): Promise<{ status: Row; all: Row[] }> => {
    await told(person, ['fleet', 'ask', text, '--repos', 'repos.txt', ...limits]);
    const working = Array.from({ length: workers }, (_, at) => team.work(at));
    for (const { ended } of working) {
      const { code, stdout, stderr } = await ended;
      said.push(stdout, stderr);
      expect(code, stderr).toBe(0);
    }
    const [status = {}] = rowsOf(await told(person, ['fleet', 'status', '--json']));
    return { status, all: rowsOf(await told(person, ['fleet', 'results', '--json'])) };
  };

  /** What all repositories take where nothing limits them. */
  let free: Row = {};

  it('are none where none were set: each repository is fetched with a login, and asked', async () => {
    const { status, all } = await asked(question);
    for (const { content } of all) expect(content).toMatch(/^The limit is 7\. seven/);
    expect(all.length).toBe(count);
    expect(all.map(({ evidence }) => evidence)).toEqual(Array(count).fill(['limits.ts:1']));
    expect(status).toMatchObject({ ok: count, tokens: expect.any(Number) });
    expect(Number(status.usd)).toBeGreaterThan(0);
    free = status;
  });

  it.each([
    ['tokens', '--max-tokens', 1, 11_000],
    ['usd', '--max-cost', 1e6, 0.012],
  ])('hold across workers: %s', async (what, option, parts, least) => {
    // Less than all take; half of it, a job's share, is more than the 4,700 tokens of a first prompt.
    const most = Math.max(least, Math.floor(Number(free[what]) * 0.8 * parts) / parts);
    // An answer that memory has is not asked for again.
    const { status, all } = await asked(`${question} (${what})`, option, String(most));
    console.log(`${option} ${most}: ${status[what]} spent, ${status.ok} of ${count} answered`);
    expect(Number(status[what])).toBeLessThanOrEqual(most);
    expect(Number(status.ok)).toBeGreaterThan(0);
    expect(Number(status.failed)).toBeGreaterThan(0);
    const spent = all.filter(({ summary }) => /budget/.test(String(summary)));
    expect(spent.length).toBe(Number(status.failed));
  });

  it('hold across workers: time', async () => {
    const startedMs = performance.now();
    const { status, all } = await asked(`${question} slowly`, '--max-time', '5s');
    expect(all.length).toBe(count);
    expect(Number(status.failed)).toBeGreaterThan(0);
    const late = all.filter(({ summary }) => /time of the run was over/.test(String(summary)));
    console.log(
      `--max-time 5s: ${Math.round(performance.now() - startedMs)} ms, ${late.length} not begun`,
    );
    expect(late.length).toBeGreaterThan(0);
  });

  it('leave no password in a row, an event, a file or what was printed', async () => {
    writeFileSync(
      join(team.dir, 'bad.txt'),
      `${git.origin.replace('://', `://team:${gitPassword}@`)}/r0\n`,
    );
    const refused = await team.cuervo(person, ['fleet', 'ask', question, '--repos', 'bad.txt']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('line 1') });
    // One that the server does not have, so that git tells of an address.
    writeFileSync(join(team.dir, 'missing.txt'), `${git.origin}/nothing.git\n`);
    await told(person, ['fleet', 'index', '--repos', 'missing.txt']);
    said.push(
      ...Object.values(await team.work(0).ended).map(String),
      refused.stdout,
      refused.stderr,
    );
    expect(git.logins.filter((each) => each !== undefined).length).toBeGreaterThan(count);
    const dump = execFileSync(
      'pg_dump',
      ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'team', 'fleet'],
      { env: { ...process.env, PGPASSWORD: password }, maxBuffer: 2 ** 28 },
    ).toString();
    expect(dump).toContain(`${git.origin}/r0.git`);
    const places = ['home-0', 'home-1', `home-${person}`, 'cache-0', 'cache-1'];
    const files = places
      .flatMap((name) =>
        readdirSync(join(team.dir, name), { recursive: true, withFileTypes: true }),
      )
      .filter((each) => each.isFile() && each.name !== 'fleet-password')
      .map((each) => readFileSync(join(each.parentPath, each.name)));
    expect(files.length).toBeGreaterThan(20);
    for (const secret of [password, gitPassword]) {
      const hex = Buffer.from(secret).toString('hex');
      expect(dump.includes(secret) || dump.includes(hex)).toBe(false);
      expect(files.some((bytes) => bytes.includes(secret))).toBe(false);
      expect(said.join('\n')).not.toContain(secret);
    }
  });

  it('take a password from a file of its owner alone', async () => {
    const path = join(team.home(person), 'fleet-password');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    execFileSync('chmod', ['644', path]);
    const startedMs = performance.now();
    const open = await team.cuervo(person, ['fleet', 'status']);
    expect(open).toMatchObject({ code: 3, stderr: expect.stringContaining('others can read') });
    // The server would wait a minute for the password.
    expect(performance.now() - startedMs).toBeLessThan(45_000);
    execFileSync('chmod', ['600', path]);
    await told(person, ['fleet', 'status']);
  });

  it.skipIf(!hasKeychain)('take a password from the keychain of a session', async () => {
    const home = join(team.dir, 'home-3');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'config.toml'), `[fleet]\ndatabase = "${server.address}"\n`);
    const cuervo = `"${process.execPath}" "${join(root, 'dist/cuervo.cjs')}"`;
    const commands = [
      'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null',
      `echo ${password} | ${cuervo} fleet login`,
      `${cuervo} fleet status`,
    ];
    const session = (...lines: string[]) =>
      spawnSync('dbus-run-session', ['--', 'sh', '-c', lines.join('\n')], {
        encoding: 'utf8',
        env: { ...team.environment(3), XDG_RUNTIME_DIR: home },
      });
    const kept = session(...commands);
    expect(kept.stderr).toContain('kept in the keychain');
    expect(kept.status, kept.stderr).toBe(0);
    expect(readdirSync(home)).not.toContain('fleet-password');
    const closed = await team.cuervo(3, ['fleet', 'status']);
    expect(closed).toMatchObject({ code: 3, stderr: expect.stringContaining('fleet login') });
  });
});

/** Bare repositories of one commit that a server of git hands out. */
function makeRepositories(folder: string): void {
  const source = join(folder, 'source');
  mkdirSync(source, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', ['-C', source, ...args]);
  git('init', '-q');
  writeFileSync(join(source, 'limits.ts'), 'export const maxRetries = 7;\n');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one');
  for (let at = 0; at < count; at += 1)
    git('clone', '-q', '--bare', source, join(folder, `r${at}.git`));
}
