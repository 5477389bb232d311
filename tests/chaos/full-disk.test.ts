import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program as cuervo } from '../e2e/support/run-cuervo.ts';
import { inStart } from '../escape/guests/loop-at-start/guest.ts';

let dir = '';
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-full-')));
  for (const name of ['work', 'home']) mkdirSync(join(dir, name), { mode: 0o700 });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const mount = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=2m none "$0" && exec "$@"'];
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
  const [program = '', ...args] = [...mount, join(dir, disk), process.execPath, script];
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
      message: expect.stringMatching(/^(?:.*: )?path .* is on a file system that is read-only$/),
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

  it('is what keeps the counts of words from being written', () => {
    const script = resolve(import.meta.dirname, 'children/count-on-full-disk.ts');
    const [work, home] = [join(dir, 'work'), join(dir, 'home')];
    const [program = '', ...args] = [...mount, home, process.execPath, script, work, home];
    const said: unknown = JSON.parse(execFileSync(program, args, { encoding: 'utf8' }));
    expect(said).toEqual({
      code: 'resource-exhausted',
      message: expect.stringMatching(/^the counts of words cannot be written to .*: ENOSPC$/),
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
