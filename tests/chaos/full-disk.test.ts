import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inStart } from '../escape/guests/loop-at-start/guest.ts';
import { program as cuervo } from '../support/run-cuervo.ts';

let dir = '';
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-full-')));
  for (const name of ['work', 'home']) mkdirSync(join(dir, name), { mode: 0o700 });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const mount = [
  'unshare',
  '-rm',
  'sh',
  '-c',
  'mount -t tmpfs -o size=2m,mode=700 none "$0" && exec "$@"',
];
const canMount = spawnSync(mount[0]!, [...mount.slice(1), tmpdir(), 'true']).status === 0;

type Said = {
  full: {
    failed?: { code: string; message: string; hint?: string };
    files: Record<string, number>;
  };
  again: Said['full'];
  runs: { command: string; status: string; changes: number }[];
};

function change(what: string, disk: string, how: 'full' | 'read-only' = 'full'): Said {
  const script = resolve(import.meta.dirname, 'children/change-on-full-disk.ts');
  const [work, home] = [join(dir, 'work'), join(dir, 'home')];
  const room = mount.map((word) => word.replace('size=2m', 'size=4m'));
  const [program = '', ...args] = [...room, join(dir, disk), process.execPath, script];
  const more = [work, home, join(dir, disk), what, how];
  return JSON.parse(execFileSync(program, [...args, ...more], { encoding: 'utf8' })) as Said;
}

describe.skipIf(!canMount)('a disk that is full (skipped where a tmpfs cannot be mounted)', () => {
  it.each(['undo', 'apply'])('changes nothing in the middle of %s, and all of it later', (what) => {
    const [from, to] = what === 'undo' ? ['newer', 'old'] : ['old', 'newer'];
    const { full, again, runs } = change(what, 'work');
    expect(full.failed).toMatchObject({
      code: 'resource-exhausted',
      message: expect.stringMatching(/^path "d\d\/f\d+\.txt" was not written: the disk is full$/),
      hint: 'Free some space there, then run the command again.',
    });
    expect(full.files).toEqual({ old: 0, newer: 0, neither: 0, parts: 0, [from]: 12 });
    expect(again).toEqual({ files: { old: 0, newer: 0, neither: 0, parts: 0, [to]: 12 } });
    expect(runs.slice(0, 2)).toEqual([
      { command: what, status: 'ok', changes: 12 },
      { command: what, status: 'resource-exhausted', changes: 0 },
    ]);
  });

  it.each(['edit', 'undo', 'apply'])('where the pre-images lie changes nothing by %s', (what) => {
    const [from, to] = what === 'undo' ? ['newer', 'old'] : ['old', 'newer'];
    const { full, again } = change(what, 'home');
    expect(full.failed).toMatchObject({ code: 'resource-exhausted' });
    expect(full.files).toEqual({ old: 0, newer: 0, neither: 0, parts: 0, [from]: 12 });
    expect(again).toEqual({ files: { old: 0, newer: 0, neither: 0, parts: 0, [to]: 12 } });
  });

  it.each(['edit', 'undo', 'apply'])('that cannot be written refuses %s, until it can', (what) => {
    const [from, to] = what === 'undo' ? ['newer', 'old'] : ['old', 'newer'];
    const { full, again } = change(what, 'work', 'read-only');
    expect(full.failed).toMatchObject({
      code: 'permission-denied',
      message: expect.stringMatching(/^(?:.*: )?path .* is on a read-only file system$/),
      ...(what === 'edit' ? {} : { hint: expect.stringContaining('Make it writable for you') }),
    });
    expect(full.files).toEqual({ old: 0, newer: 0, neither: 0, parts: 0, [from]: 12 });
    expect(again).toEqual({ files: { old: 0, newer: 0, neither: 0, parts: 0, [to]: 12 } });
  });

  it('in the middle of an edit of many files leaves all of them as they were', () => {
    const { full, again, runs } = change('edit', 'work');
    expect(full.failed).toMatchObject({ code: 'resource-exhausted' });
    // What was written of it was put back, so that the edit is made whole or not at all.
    expect(full.files).toEqual({ old: 12, newer: 0, neither: 0, parts: 0 });
    expect(runs[1]).toMatchObject({ command: 'run', status: 'resource-exhausted' });
    expect(again).toEqual({ files: { old: 0, newer: 12, neither: 0, parts: 0 } });
  });

  it.each([
    ['read-only', 'ro', 7, /^error: the home \S+ cannot hold the copy for a dry run: EROFS\n/],
    [
      'too small for the store',
      'size=64k',
      5,
      /^error: the store \S+ cannot grow: the disk is full/,
    ],
    [
      'too small',
      'size=512k',
      5,
      /^error: the home \S+ cannot hold the copy for a dry run: ENOSPC\n/,
    ],
  ])(
    'where the home is %s is named once by a dry run, which leaves no copy',
    (_, how, code, said) => {
      const home = join(dir, 'home');
      const sized = mount.map((word) => word.replace('size=2m', how));
      writeFileSync(
        join(dir, 'work', 'a.txt'),
        how === 'size=512k' ? randomBytes(1024 * 1024) : 'one\n',
      );
      const input = JSON.stringify({ path: 'b.txt', text: 'two' });
      const words = ['run', 'file.write', input, '--dry-run', '--allow', 'fs-write:work'];
      // The disk is gone with its process, so that looks at it, too.
      const look = '"$@"; code=$?; ls "$CUERVO_HOME/dry-runs" 2>/dev/null; exit $code';
      const [program = '', ...args] = [...sized, home, 'sh', '-c', look, 'sh', process.execPath];
      const env = { PATH: process.env.PATH, CUERVO_HOME: home };
      const options = { env, cwd: join(dir, 'work'), encoding: 'utf8' } as const;
      const ran = spawnSync(program, [...args, cuervo, ...words], options);
      expect(ran.stderr).toMatch(said);
      expect(ran.stderr.match(/^error: /gm)).toHaveLength(1);
      expect(ran).toMatchObject({ status: code, stdout: '' });
    },
  );

  it.each([
    ['full', 'head -c 4m /dev/zero > "$CUERVO_HOME/fill" 2>/dev/null'],
    ['read-only', 'mount -o remount,ro "$CUERVO_HOME"'],
  ])('where the home is %s answers questions, keeps nothing and changes nothing', (_, close) => {
    writeFileSync(join(dir, 'work', 'a.txt'), 'the limit of retries is 7\n');
    const home = join(dir, 'home');
    const write = `run file.write '{"path": "b.txt", "text": "two"}' --allow fs-write:work`;
    const script = [
      'node=$0; cuervo() { "$node" "$program" "$@" 2>&1; echo "exit $?"; }; program=$1',
      'cuervo ask "remember that the port is 8080"',
      close,
      'cuervo ask "what is the port?"',
      'cuervo ask "what is the limit of retries?"',
      'cuervo ask "remember that the host is kestrel"',
      `cuervo ${write}`,
      'cuervo run shell.run "touch c.txt" --allow exec:touch',
      'cuervo runs',
    ].join('\n');
    const inHome = mount.map((word) => word.replace('size=2m', 'size=4m'));
    const [program = '', ...args] = [...inHome, home, 'sh', '-c', script, process.execPath, cuervo];
    const env = { PATH: process.env.PATH, CUERVO_HOME: home };
    const options = { env, cwd: join(dir, 'work'), encoding: 'utf8' } as const;
    const said = spawnSync(program, args, options).stdout.split(/^exit (\d)$\n/m);
    const [, kept, port, ofPort, limit, ofLimit, host, ofHost, written, ofWrite, , ofTouch, runs] =
      said;
    expect([kept, ofPort, ofLimit]).toEqual(['0', '0', '0']);
    expect(port).toContain('note: nothing of this run is kept, and it can only read: the store');
    expect(port).toMatch(/From memory:\n.*the port is 8080/);
    expect(limit).toContain('the limit of retries is 7');
    expect(ofHost).toMatch(/5|7/);
    expect(host).toMatch(/^error: the store \S+ cannot (?:grow|be written)/m);
    expect(written).toMatch(/^error: file\.write: the store \S+ cannot (?:grow|be written)/m);
    expect(ofWrite).toBe(ofTouch);
    expect(ofWrite).toMatch(/3|5/);
    expect(readdirSync(join(dir, 'work'))).toEqual(['a.txt']);
    expect(runs?.match(/ ask /g)).toHaveLength(1);
  });

  it.each([
    ['full', 'head -c 8m /dev/zero > "$CUERVO_HOME/fill" 2>/dev/null', 5, 'the disk is full'],
    ['read-only', 'mount -o remount,ro "$CUERVO_HOME"', 7, 'read-only|EROFS'],
  ])(
    'where the home is %s leaves searches right, whatever the index holds',
    (_, close, code, why) => {
      writeFileSync(join(dir, 'work', 'a.txt'), 'a kestrel\n');
      const home = join(dir, 'home');
      const script = [
        'node=$0; program=$1',
        'cuervo() { "$node" "$program" "$@" 2>&1; echo "exit $?"; }',
        'cuervo index',
        close,
        'echo "another kestrel" > b.txt',
        'cuervo run search.grep pattern=kestrel',
        'cuervo index',
      ].join('\n');
      const inHome = mount.map((word) => word.replace('size=2m', 'size=6m'));
      const [program = '', ...args] = [...inHome, home, 'sh', '-c', script];
      const env = { PATH: process.env.PATH, CUERVO_HOME: home };
      const options = { env, cwd: join(dir, 'work'), encoding: 'utf8' } as const;
      const ran = spawnSync(program, [...args, process.execPath, cuervo], options);
      const [made, ofMade, found, ofFound, again, ofAgain] = ran.stdout.split(/^exit (\d)$\n/m);
      expect([made, ofMade]).toEqual([expect.stringContaining('read 1 file'), '0']);
      expect(found).toContain('2 matches in 2 files');
      expect(found).toMatch(new RegExp(`the index of files is not used: .*(?:${why})`));
      expect(ofFound).toBe('0');
      expect(again).toMatch(new RegExp(`^error: .*(?:${why})`, 'm'));
      expect(again).not.toContain('bug of cuervo');
      expect(ofAgain).toBe(String(code));
    },
  );

  it('is a gap of the journal that is counted, where only words are lost, and refuses decisions', () => {
    const script = resolve(import.meta.dirname, 'children/journal-on-full-disk.ts');
    const home = join(dir, 'home');
    const [program = '', ...args] = [...mount, home, process.execPath, script, home];
    expect(JSON.parse(execFileSync(program, args, { encoding: 'utf8' }))).toEqual({
      refused: 'resource-exhausted',
      kinds: ['run', 'reading', 'gap', 'run-finished'],
      gaps: 1,
      missing: [expect.stringMatching(/^1 events could not be written: .*the disk is full/)],
      whole: true,
    });
  });

  it('or read-only is what an install names, not something that is missing', async () => {
    const home = join(dir, 'home');
    const readOnly = mount.map((word) => word.replace('size=2m', 'ro'));
    const install = [process.execPath, cuervo, 'plugin', 'install', await inStart(1), '--yes'];
    const [program = '', ...args] = [...readOnly, home, ...install];
    const env = { PATH: process.env.PATH, CUERVO_HOME: home };
    const ran = spawnSync(program, args, { env });
    expect(ran.stderr.toString()).toContain(`${home}/plugins cannot be used: EROFS at mkdir\n`);
    expect(ran.status).toBe(7);
  });
});
