import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchOf } from '../../src/fleet/keep-changes.ts';
import { root } from '../support/run-cuervo.ts';
import { endOf, openTeam, type Row, rowsOf, type Team } from './support/open-team.ts';
import { openPostgres, type Postgres, withPostgres } from './support/postgres.ts';

const count = 40;
const workers = 4;
const password = 'a-pass-word';
/** Runs a program with a disk of 32 KB at a folder: FOLDER PROGRAM ARGUMENTS. */
const smallDisk = [
  ...(process.getuid?.() === 0 ? [] : ['-Ur']),
  ...['--mount', '--propagation', 'private', '/bin/sh', '-c'],
  'mount -t tmpfs -o size=32k,mode=700 none "$0" && exec "$@"',
];
const canMount = spawnSync('unshare', [...smallDisk, tmpdir(), 'true']).status === 0;

describe.skipIf(withPostgres !== undefined)('a fleet', { timeout: 400_000 }, () => {
  let team: Team;
  let dir: string;
  let server: Postgres;
  let repositories: string[];
  beforeAll(async () => {
    server = await openPostgres();
    server.requirePassword(password);
    team = openTeam(server.address, {
      workers,
      worker: (folder) => [`repositories = ["${folder}"]`, 'jobs = 1'],
    });
    ({ dir } = team);
    repositories = makeRepositories(join(dir, 'repos'));
    writeFileSync(join(dir, 'repos.txt'), `# all\n${repositories.join('\n')}\n`);
    const script = "tools.file.write({ path: 'NOTICE.md', text: 'made by a script\\n' });\n";
    writeFileSync(join(dir, 'add-licence.js'), script);
  });
  afterAll(() => {
    server?.[Symbol.dispose]();
    team?.[Symbol.dispose]();
  });

  const person = workers;
  const home = (at: number): string => team.home(at);
  const work = (at: number) => team.work(at);
  const cuervo = (at: number, args: readonly string[], stdin?: string) =>
    team.cuervo(at, args, stdin);

  it('asks for the password, and keeps it in a file that only its owner reads', async () => {
    const without = await cuervo(person, ['fleet', 'status']);
    expect(without).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('cuervo fleet login'),
    });
    for (let at = 0; at <= workers; at += 1) {
      expect(await cuervo(at, ['fleet', 'login'], `${password}\n`)).toMatchObject({ code: 0 });
      expect(statSync(join(home(at), 'fleet-password')).mode & 0o777).toBe(0o600);
    }
    expect(await cuervo(person, ['fleet', 'status'])).toMatchObject({ code: 0 });
    writeFileSync(join(home(person), 'fleet-password'), 'another', { mode: 0o600 });
    const wrong = await cuervo(person, ['fleet', 'status']);
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('refused') });
    expect(wrong.stderr).not.toContain('another');
    writeFileSync(join(home(person), 'fleet-password'), password);
    // The person's home grants no repository.
    const idle = await work(person).ended;
    expect(idle).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('may fetch no repository'),
    });
  });

  it('answers a question over 40 repositories, though two workers are killed', async () => {
    const queued = rowsOf(
      await cuervo(person, [
        'fleet',
        'ask',
        'what is this project?',
        '--repos',
        'repos.txt',
        '--json',
      ]),
    );
    expect(queued).toMatchObject([{ kind: 'ask', jobs: count, waiting: count }]);
    const first = Array.from({ length: workers }, (_, at) => work(at));
    await Promise.all(first.map(({ child }) => lineOf(child)));
    for (const { child } of first.slice(0, 2)) child.kill('SIGKILL');
    expect((await first[0]?.ended)?.signal).toBe('SIGKILL');
    await first[1]?.ended;
    const again = [work(0), work(1)];
    for (const { ended } of [...first.slice(2), ...again])
      expect(await ended).toMatchObject({ code: 0 });
    const results = rowsOf(await cuervo(person, ['fleet', 'results', '--json']));
    expect(results.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    expect(results.map(({ repository }) => repository)).toEqual([...repositories].sort());
    expect(results.filter(({ evidence }) => (evidence as string[]).length === 0)).toEqual([]);
    const again2 = results.filter(({ attempts }) => attempts !== 1).length;
    const names = new Set(results.map(({ worker }) => worker));
    console.log(`${count} answers by ${names.size} workers, ${again2} taken again`);
    expect(names.size).toBeGreaterThanOrEqual(workers);
    const table = await cuervo(person, ['fleet', 'results']);
    expect(table.stdout.split('\n').length).toBe(count + 2);
    expect(await cuervo(person, ['fleet', 'status'])).toMatchObject({
      stdout: expect.stringContaining(`${count} of ${count}  ${count} ok`),
    });
  });

  it('changes 40 repositories only where the home of a worker grants it', async () => {
    const submit = ['fleet', 'run', 'add-licence.js', '--repos', 'repos.txt', '--json'];
    writeFileSync(join(dir, 'few.txt'), repositories.slice(0, 3).join('\n'));
    const few = submit.map((word) => (word === 'repos.txt' ? 'few.txt' : word));
    const denied = rowsOf(await cuervo(person, few));
    expect(denied).toHaveLength(1);
    await work(0).ended;
    const [status] = rowsOf(
      await cuervo(person, ['fleet', 'status', String(denied[0]?.run), '--json']),
    );
    expect(status).toMatchObject({ ok: 0, failures: { 'permission-denied': 3 } });

    for (let at = 0; at < workers; at += 1)
      expect(await cuervo(at, ['plugin', 'grant', 'file', 'fs-write:work'])).toMatchObject({
        code: 0,
      });
    const [queued] = rowsOf(await cuervo(person, submit));
    const run = String(queued?.run);
    const all = Array.from({ length: workers }, (_, at) => work(at));
    await lineOf((all[0] as { child: ChildProcess }).child);
    // It finishes what it began, and takes no more.
    all[0]?.child.kill('SIGTERM');
    for (const { ended } of all) expect(await ended).toMatchObject({ code: 0 });
    const diff = await cuervo(person, ['fleet', 'diff', run]);
    expect(diff.stdout.match(/^\+made by a script$/gm)?.length).toBe(count);

    const applied = rowsOf(await cuervo(person, ['fleet', 'apply', run, '--yes', '--json']));
    expect(applied.length).toBe(count);
    const shown = (repository: string) =>
      execFileSync('git', ['-C', repository, 'show', `${branchOf(run)}:NOTICE.md`], {
        stdio: 'pipe',
      });
    for (const each of repositories) expect(shown(each).toString()).toBe('made by a script\n');
    const undone = await cuervo(person, ['fleet', 'undo', run, '--yes', '--json']);
    expect(rowsOf(undone).filter(({ left }) => left !== undefined)).toEqual([]);
    for (const each of repositories)
      expect(() => shown(each)).toThrow(/invalid object name|bad revision/);

    const files = rowsOf(
      await cuervo(person, ['fleet', 'apply', run, '--yes', '--json', '--patches', 'patches']),
    );
    expect(files.length).toBe(count);
    expect(readdirSync(join(dir, 'patches')).length).toBe(count);
    await cuervo(person, ['fleet', 'undo', run, '--yes']);
    expect(readdirSync(join(dir, 'patches'))).toEqual([]);
  });

  it('takes back what nobody has begun, and has workers index repositories', async () => {
    writeFileSync(join(dir, 'some.txt'), repositories.slice(0, 3).join('\n'));
    const queue = async (): Promise<Row | undefined> =>
      rowsOf(await cuervo(person, ['fleet', 'index', '--repos', 'some.txt', '--json']))[0];
    const canceled = await queue();
    const gone = await cuervo(person, ['fleet', 'cancel', String(canceled?.run)]);
    expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining('3 jobs') });
    expect((await cuervo(person, ['fleet', 'cancel', 'nosuch'])).code).toBe(4);
    expect(await work(0).ended).toMatchObject({ code: 0 });
    expect(
      (await cuervo(person, ['fleet', 'results', String(canceled?.run), '--json'])).stdout,
    ).toBe('');
    expect(await queue()).toMatchObject({ kind: 'index', jobs: 3, waiting: 3 });
    expect(await work(0).ended).toMatchObject({ code: 0 });
    const results = rowsOf(await cuervo(person, ['fleet', 'results', '--json']));
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
    expect(results[0]?.summary).toMatch(/\d+ files?/);
  });

  it.skipIf(!canMount)('tells of a worker whose disk is full, and loses no job', async () => {
    writeFileSync(join(dir, 'some.txt'), String(repositories[0]));
    await cuervo(person, ['fleet', 'index', '--repos', 'some.txt']);
    const full = join(dir, 'full');
    mkdirSync(full, { recursive: true });
    const worker = [process.execPath, join(root, 'dist/cuervo.cjs'), 'worker', '--until-empty'];
    const child = spawn('unshare', [...smallDisk, full, ...worker], {
      cwd: dir,
      env: { ...team.environment(0), XDG_CACHE_HOME: full },
    });
    const ended = await endOf(child);
    expect(ended.code, ended.stderr).toBe(0);
    const results = rowsOf(await cuervo(person, ['fleet', 'results', '--json']));
    expect(results).toMatchObject([
      { outcome: 'failed', summary: expect.stringMatching(/space|full/i) },
    ]);
    expect(results[0]?.attempts).toBe(3);
  });

  it('refuses what a worker was not told to fetch, and effects outside', async () => {
    writeFileSync(join(dir, 'two.txt'), `/etc\n${repositories[0]}\n`);
    await cuervo(person, [
      'fleet',
      'run',
      'web.fetch',
      'url=http://127.0.0.1/',
      '--repos',
      'two.txt',
    ]);
    await work(0).ended;
    const results = rowsOf(await cuervo(person, ['fleet', 'results', '--json']));
    expect(results).toMatchObject([
      {
        repository: '/etc',
        code: 'permission-denied',
        summary: expect.stringContaining('may not fetch'),
      },
      { code: 'permission-denied', summary: expect.stringContaining('--external') },
    ]);
  });

  it('does what docs/fleet.md shows', async () => {
    const page = readFileSync(resolve(root, 'docs/fleet.md'), 'utf8');
    const blocks = [...page.matchAll(/^```sh\n(cuervo fleet [\s\S]*?)^```$/gm)].map(
      ([, text = '']) => text,
    );
    expect(blocks.length).toBe(2);
    writeFileSync(join(dir, 'repos.txt'), repositories.slice(0, 2).join('\n'));
    for (const line of blocks.join('').trim().split('\n')) {
      const at = line.includes('worker') ? 0 : person;
      const ran = await team.start(at, '/bin/sh', ['-c', line]).ended;
      expect(ran, line).toMatchObject({ code: 0 });
      expect(ran.stdout + ran.stderr).not.toContain(password);
    }
  });
});

/** Installed packages as repositories of one commit. */
function makeRepositories(folder: string): string[] {
  const modules = join(root, 'node_modules');
  const small = readdirSync(modules).filter((name) => {
    if (/^[.@]/.test(name)) return false;
    const files = readdirSync(join(modules, name), { recursive: true, withFileTypes: true });
    return files.some(({ name: file }) => /^readme/i.test(file)) && files.length < 30;
  });
  expect(small.length).toBeGreaterThanOrEqual(count);
  return small.slice(0, count).map((name) => {
    const target = join(folder, name);
    cpSync(join(modules, name), target, { recursive: true });
    const git = (...args: string[]) => execFileSync('git', ['-C', target, ...args]);
    git('init', '-q');
    git('add', '-A', '-f');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one');
    return target;
  });
}

/** The first line of standard output, or the end. */
async function lineOf(child: ChildProcess): Promise<void> {
  await new Promise<void>((done) => {
    child.stdout?.once('data', () => done());
    child.once('close', () => done());
  });
}
