import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeSandbox } from '../../src/kernel/doctor/doctor-plugins.ts';
import { openPlace, type Place } from '../support/place.ts';
import { type Ran, type Row, root } from '../support/run-cuervo.ts';

const doctor = ['doctor', '--json'];
const find = (ran: Ran, name: string): Row | undefined => ran.rows.find((row) => row.name === name);

/** Everything that a home can hold, and nothing wrong in it; made once. */
let healthy: Place;
beforeAll(async () => {
  healthy = openPlace();
  const wasm = join(healthy.dir, "it's word count.wasm");
  const folder = join(root, 'examples/plugins/wordcount');
  await healthy.cuervo(['plugin', 'build', folder, '-o', wasm]);
  const ran = await healthy.cuervo(['plugin', 'install', wasm, '--yes', '--grant', 'fs:work']);
  expect({ code: ran.code, text: ran.stderr }).toMatchObject({ code: 0 });
  writeFileSync(join(healthy.home, 'config.toml'), 'model = "none"\n');
});
afterAll(() => healthy[Symbol.dispose]());

/** A place with a home like the healthy one. */
function openHealthy(): Place {
  const place = openPlace({ 'a.txt': 'one two\n' });
  execFileSync('cp', ['-a', healthy.home, place.home]);
  return place;
}

/** Pastes the command that a finding names. */
function paste(place: Place, row: Row | undefined): void {
  const { status } = spawnSync('/bin/sh', ['-c', String(row?.fix)], { cwd: place.work });
  expect(status, String(row?.fix)).toBe(0);
}

describe('cuervo doctor', () => {
  it('finds nothing wrong where nothing is, and makes nothing', async () => {
    using place = openPlace();
    const ran = await place.cuervo(doctor);
    expect(ran.code).toBe(0);
    expect(ran.rows.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(find(ran, 'plugin process')).toMatchObject({ status: 'ok' });
    expect(find(ran, 'plugin search')).toMatchObject({ status: 'ok' });
    expect(find(ran, 'installed plugins')).toMatchObject({ finding: 'none' });
    expect(find(ran, 'home')?.finding).toContain('does not exist yet');
    expect(existsSync(place.home)).toBe(false);
  });

  it('looks at everything that is there, a line each', async () => {
    using place = openHealthy();
    const ran = await place.cuervo(doctor);
    expect(ran.code).toBe(0);
    expect(ran.rows.map(({ name }) => name)).toEqual([
      'node',
      'plugin process',
      'plugin sandbox',
      'user',
      'paths',
      'programs',
      'plugin file',
      'plugin git',
      'plugin script',
      'plugin search',
      'plugin shell',
      'plugin web',
      'plugin wordcount',
      'parts',
      'home',
      'grants.toml',
      'cuervo.db',
      'store',
      'grants',
      'config',
      'model',
      'memory',
      'index',
    ]);
    // What the machine has, and who runs the tests.
    const others = ran.rows.filter(({ name }) => name !== 'plugin sandbox' && name !== 'user');
    const isRoot = process.geteuid?.() === 0;
    expect(find(ran, 'user')).toMatchObject({ status: isRoot ? 'warn' : 'ok' });
    expect(others.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(find(ran, 'grants')?.finding).toBe('1 granted by you');
    const text = await place.cuervo(['doctor']);
    expect(text.stdout).toMatch(/^ok {4}node: v\d+\.\d+\.\d+; 26 or later is needed$/m);
  });

  it('says what plugins are confined by, and how to change it', async () => {
    using place = openPlace();
    mkdirSync(place.home);
    writeFileSync(join(place.home, 'config.toml'), '[plugins]\nsandbox = "none"\n');
    expect(find(await place.cuervo(doctor), 'plugin sandbox')).toEqual({
      name: 'plugin sandbox',
      status: 'warn',
      finding: expect.stringMatching(/without a sandbox .*: plugins\.sandbox is "none"/),
      fix: 'take that line out of config.toml',
    });
  });

  it.each([
    ['home', '', 0o755, 0o700],
    ['grants.toml', 'grants.toml', 0o644, 0o600],
    ['cuervo.db', 'cuervo.db', 0o660, 0o600],
  ])('fails for an open %s until its command was pasted', async (name, file, open, mended) => {
    using place = openHealthy();
    const path = join(place.home, file);
    chmodSync(path, open);
    const ran = await place.cuervo(doctor);
    expect(ran.code).toBe(1);
    expect(ran.rows.filter(({ status }) => status === 'fail')).toMatchObject([{ name }]);
    expect(find(ran, name)?.finding).toContain(`open to others (0${open.toString(8)})`);
    paste(place, find(ran, name));
    expect(statSync(path).mode & 0o777).toBe(mended);
    expect((await place.cuervo(doctor)).code).toBe(0);
  });

  it('fails for a binary that was changed on disk, and names the command that fixes it', async () => {
    using place = openHealthy();
    const list = await place.cuervo(['plugin', 'list', '--json']);
    const { sha256 } = list.rows.find(({ name }) => name === 'wordcount') ?? {};
    const glue = join(place.home, 'plugins', String(sha256), 'component.js');
    writeFileSync(glue, `${readFileSync(glue, 'utf8')}\n`);
    const ran = await place.cuervo(['doctor']);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^fail {2}plugin wordcount: .*component\.js changed on disk/m);
    const [, fix = ''] = /^ +fix: (cuervo plugin install .*)$/m.exec(ran.stdout) ?? [];
    expect(fix).toMatch(/ --grant fs:work$/);
    const program = `'${process.execPath}' '${join(root, 'dist/cuervo.cjs')}'`;
    const command = `${fix.replace(/^cuervo/, () => program)} --yes`;
    const env = { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home };
    expect(spawnSync('/bin/sh', ['-c', command], { cwd: place.work, env }).status).toBe(0);
    const { rows } = await place.cuervo(['plugin', 'grants', 'wordcount', '--json']);
    expect(rows).toMatchObject([{ grant: 'fs:work', status: 'held' }]);
    expect((await place.cuervo(doctor)).code).toBe(0);
  });

  it.each([
    ['home/config.toml', '[capabilities]\ndeny = ["FS"]\n', /"FS" .*denies nothing$/],
    ['home/config.toml', '[jobs.nosuch]\nevery-minutes = 5\n', /there is no job "nosuch"$/],
    ['work/cuervo.toml', '[capabilities]\ndeny = ["FS"]\n', /"FS" .*denies nothing$/],
    ['work/cuervo.toml', 'model = "none"\n', /"model" cannot be set by a project/],
  ])('fails for %s with what no command takes: %j', async (file, text, words) => {
    using place = openPlace();
    mkdirSync(place.home, { mode: 0o700 });
    const path = join(place.dir, file);
    writeFileSync(path, text);
    const ran = await place.cuervo(doctor);
    expect(ran.code).toBe(1);
    expect(find(ran, 'config')).toMatchObject({
      status: 'fail',
      finding: expect.stringMatching(words),
      fix: `\${EDITOR:-vi} ${path}`,
    });
  });

  it('keeps the very bytes of a damaged database before it makes it whole again', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    for (let at = 0; at < 30; at += 1) await place.cuervo(['run', 'file.read', 'path=a.txt']);
    const path = join(place.home, 'cuervo.db');
    const none = await place.cuervo([...doctor, '--repair']);
    expect(find(none, 'repair')).toMatchObject({ status: 'ok' });
    const bytes = readFileSync(path);
    // The last pages: what was written last is lost, and the schema is not.
    bytes.fill(0xa7, bytes.length - 3 * 4096);
    writeFileSync(path, bytes);
    expect(find(await place.cuervo(doctor), 'store')).toMatchObject({ status: 'fail' });
    const ran = await place.cuervo([...doctor, '--repair']);
    expect(find(ran, 'repair')).toMatchObject({ status: 'warn' });
    expect(find(ran, 'store')).toMatchObject({ status: 'ok' });
    const [copy = '', ...others] = readdirSync(place.home).filter((name) =>
      name.startsWith('cuervo.db.damaged'),
    );
    expect(others).toEqual([]);
    expect(readFileSync(join(place.home, copy)).equals(bytes)).toBe(true);
    const runs = await place.cuervo(['runs', 'list', '--json']);
    expect(runs.code, runs.stderr).toBe(0);
    expect(runs.rows.length).toBeGreaterThan(0);
    await place.cuervo(['jobs', 'run', 'prune']);
    await place.cuervo(['jobs', 'run', 'prune_blobs']);
    expect(readdirSync(place.home)).toContain(copy);
    // Words that a person wants gone may stand in the copy, which nobody can search.
    await place.cuervo(['memory', 'forget', '--run', `${runs.rows[0]?.run}`, '--yes']);
    expect(readdirSync(place.home)).not.toContain(copy);
    // Nothing at all can be read: the copy is kept just as well.
    writeFileSync(path, 'no database at all, but longer than the header of one'.repeat(9));
    expect(find(await place.cuervo([...doctor, '--repair']), 'repair')).toMatchObject({
      finding: expect.stringContaining('0 rows taken over; not all of the tables'),
    });
    expect((await place.cuervo(['run', 'file.read', 'path=a.txt'])).code).toBe(0);
  });

  it('moves a cuervo.toml away that is a link, in place of opening what it leads to', async () => {
    using place = openPlace();
    const path = join(place.work, 'cuervo.toml');
    writeFileSync(join(place.dir, 'elsewhere'), '');
    symlinkSync('../elsewhere', path);
    const found = find(await place.cuervo(doctor), 'config');
    expect(found).toMatchObject({
      finding: `${path} is a link`,
      fix: `mv ${path} ${path}.old`,
    });
    paste(place, found);
    expect(find(await place.cuervo(doctor), 'config')).toMatchObject({ status: 'ok' });
  });

  it.each([
    ['plugins.lock', 'installed plugins', 'mv '],
    ['grants.toml', 'grants', 'EDITOR'],
    ['secrets.toml', 'secrets', 'EDITOR'],
    ['config.toml', 'config', 'EDITOR'],
    ['rules.toml', 'rules', 'EDITOR'],
    ['cuervo.db', 'store', 'mv '],
  ])('fails for a damaged %s and looks at the rest', async (file, name, fix) => {
    using place = openHealthy();
    writeFileSync(join(place.home, file), 'no = = sense\n', { mode: 0o600 });
    const ran = await place.cuervo(doctor);
    expect(ran.code).toBe(1);
    expect(ran.rows.filter(({ status }) => status === 'fail')).toMatchObject([{ name }]);
    expect(find(ran, name)?.fix).toContain(fix);
    expect(ran.rows.length).toBeGreaterThan(9);
  });

  it.each([
    ['a file that is not a GGUF', 'model.gguf', {}, 'fail', 'does not begin with "GGUF"'],
    ['a file that is not there', 'none.gguf', {}, 'fail', 'there is no model file'],
    ['a provider without its key', 'claude-x', {}, 'fail', 'ANTHROPIC_API_KEY is not set'],
    ['a provider', 'claude-x', { ANTHROPIC_API_KEY: 'x-y-z' }, 'ok', 'was not asked'],
    ['a name that nobody has', 'gpt-x', {}, 'fail', 'there is no model "gpt-x"'],
  ])('says of the model what can be told without it: %s', async (_, model, env, status, words) => {
    using place = openPlace({ 'model.gguf': 'no model' });
    const ran = await place.cuervo(doctor, { env: { CUERVO_MODEL: model, ...env } });
    expect(ran.code).toBe(status === 'fail' ? 1 : 0);
    expect(find(ran, 'model')).toMatchObject({ status });
    expect(find(ran, 'model')?.finding).toContain(words);
    expect(ran.stdout).not.toContain('x-y-z');
  });

  it('names a command with every warning and failure', async () => {
    using place = openPlace({ 'home/plugins.lock': '{', 'home/config.toml': '=' });
    const home = join(place.work, 'home');
    chmodSync(home, 0o777);
    const ran = await place.cuervo(doctor, { env: { CUERVO_HOME: home, PATH: '' } });
    const wrong = ran.rows.filter(({ status }) => status !== 'ok');
    expect(wrong.length).toBeGreaterThan(2);
    expect(wrong.filter(({ fix }) => typeof fix !== 'string' || fix === '')).toEqual([]);
  });

  it('reports a home that is not a folder', async () => {
    using place = openPlace({ file: 'text\n' });
    const home = join(place.work, 'file');
    const ran = await place.cuervo(doctor, { env: { CUERVO_HOME: home } });
    expect(ran.code).toBe(1);
    expect(find(ran, 'home')?.finding).toBe(`${home} is not a folder`);
  });
});

describe('describeSandbox()', () => {
  const features = { disableUserns: true, size: true, bindFd: true };
  const works = { tier: 'bubblewrap', bwrap: '/usr/bin/bwrap', features } as const;

  it('says what programs run in, and what brings them a network', () => {
    const fix = 'sudo apt-get install socat';
    const base = { folder: '/sys/fs/cgroup', holdsMemory: true };
    const whole = { ...works, forwarder: '/usr/bin/socat', forwarderFix: fix };
    expect(describeSandbox(whole, base)).toEqual({
      name: 'programs',
      status: 'ok',
      finding: 'they run in bubblewrap, which works here; the kernel bounds their memory',
    });
    const counted = describeSandbox(whole, { ...base, holdsMemory: false });
    expect(counted.finding).toContain('cuervo measures their memory every 50 ms');
    const without = describeSandbox({ ...works, forwarderFix: fix });
    expect(without).toMatchObject({ status: 'warn', fix });
    expect(without.finding).toContain('socat is not installed');
  });

  it('says why none is run, with the command that fixes it', () => {
    const fix = 'sudo apt-get install bubblewrap';
    const missing = { tier: 'missing', reason: 'bubblewrap is not installed', fix } as const;
    expect(describeSandbox(missing)).toEqual({
      name: 'programs',
      status: 'warn',
      finding: 'none is run: bubblewrap is not installed',
      fix,
    });
  });
});
