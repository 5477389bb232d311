import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Files, openPlace, type Place } from '../support/place.ts';

const hasSandbox = process.platform !== 'linux' || existsSync('/usr/bin/bwrap');

function withHooks(files: Files, config: string): Place {
  const place = openPlace(files);
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, 'config.toml'), config);
  return place;
}

const hook = (on: string, run: readonly string[], more = '') =>
  `[[hooks]]\non = "${on}"\nrun = ${JSON.stringify(run)}\n${more}\n`;

const sh = (on: string, script: string, more = '') => hook(on, ['sh', '-c', script], more);

const write = (
  place: Place,
  text = 'new\n',
  flags: readonly string[] = ['--allow', 'fs-write:work'],
) => place.cuervo(['run', 'file.write', JSON.stringify({ path: 'a.txt', text }), ...flags]);

const textOf = (place: Place) => readFileSync(join(place.work, 'a.txt'), 'utf8');

describe.skipIf(!hasSandbox)('hooks (need: sudo apt-get install bubblewrap)', () => {
  it('before a tool sees its input, and refuses it by exit 2 with its words', async () => {
    const judge = 'grep -q forbidden && { echo "no such word" >&2; exit 2; }; exit 0';
    using place = withHooks({ 'a.txt': 'old\n' }, sh('before-tool', judge, 'tools = "file.*"'));
    const refused = await write(place, 'forbidden\n');
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/refuses file.write: no such word/),
    });
    expect(textOf(place)).toBe('old\n');
    expect(await write(place, 'fine\n')).toMatchObject({ code: 0 });
    expect(textOf(place)).toBe('fine\n');
  });

  it('of other tools are left alone', async () => {
    using place = withHooks({ 'a.txt': 'old\n' }, sh('before-tool', 'exit 2', 'tools = "shell.*"'));
    expect(await write(place)).toMatchObject({ code: 0 });
    expect((await place.cuervo(['run', 'shell.run', '{"command":"ls"}'])).code).toBe(3);
  });

  it.each([
    ['is missing', hook('before-tool', ['no-such-program']), 'no-such-program'],
    ['hangs', sh('before-tool', 'sleep 60', 'timeout-ms = 300'), 'took longer than 300 ms'],
    ['prints 100 MB', sh('before-tool', 'head -c 104857600 /dev/zero'), 'SIGKILL'],
    ['ends with another code', sh('before-tool', 'echo broken; exit 7'), 'it ended with 7: broken'],
    ['changes files', sh('before-tool', 'echo x > a.txt'), 'Read-only'],
    [
      'leaves the sandbox with a file of the workspace',
      hook('before-tool', ['./judge.sh'], 'sandbox = false'),
      'a file of the workspace runs in the sandbox alone',
    ],
  ])('refuse the call where one that judges %s', async (_, config, why) => {
    using place = withHooks({ 'a.txt': 'old\n', 'judge.sh': '#!/bin/sh\nexit 0\n' }, config);
    const ran = await write(place);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(why) });
    expect(textOf(place)).toBe('old\n');
  });

  it('after an edit get its paths, change files, and are undone with the run', async () => {
    const format = 'cat > told.json; tr a-z A-Z < a.txt > b.txt; cat b.txt > a.txt';
    using place = withHooks({ 'a.txt': 'old\n' }, sh('after-edit', format));
    expect(await place.cuervo(['run', 'file.read', '{"path":"a.txt"}'])).toMatchObject({ code: 0 });
    expect(existsSync(join(place.work, 'told.json'))).toBe(false);
    expect(await write(place)).toMatchObject({ code: 0 });
    expect(textOf(place)).toBe('NEW\n');
    const told = JSON.parse(readFileSync(join(place.work, 'told.json'), 'utf8'));
    expect(told).toMatchObject({ on: 'after-edit', tool: 'file.write', paths: ['a.txt'] });
    expect(await place.cuervo(['undo', '--yes'])).toMatchObject({ code: 0 });
    expect(textOf(place)).toBe('old\n');
    expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
  });

  it('after an edit tell who made it what is wrong, and the edit stands', async () => {
    using place = withHooks({ 'a.txt': 'old\n' }, sh('after-edit', 'echo "2 tests fail"; exit 2'));
    const ran = await write(place);
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('objects: 2 tests fail'),
    });
    expect(textOf(place)).toBe('new\n');
  });

  it('at the end run once, and a dry run changes nothing by them', async () => {
    using place = withHooks({ 'a.txt': 'old\n' }, sh('end', 'cat >> told.json'));
    expect(await write(place, 'new\n', ['--allow', 'fs-write:work', '--dry-run'])).toMatchObject({
      code: 0,
    });
    expect(existsSync(join(place.work, 'told.json'))).toBe(false);
    expect(await write(place)).toMatchObject({ code: 0 });
    const told = JSON.parse(readFileSync(join(place.work, 'told.json'), 'utf8'));
    expect(told).toMatchObject({ on: 'end', paths: ['a.txt'] });
  });

  it('are confined unless the person says otherwise', async () => {
    const outside = (place: Place) => join(place.dir, 'outside');
    const script = 'echo x > ../outside';
    using confined = withHooks({ 'a.txt': 'old\n' }, sh('after-edit', script));
    await write(confined);
    expect(existsSync(outside(confined))).toBe(false);
    using free = withHooks({ 'a.txt': 'old\n' }, sh('after-edit', script, 'sandbox = false'));
    await write(free);
    expect(existsSync(outside(free))).toBe(true);
  });

  it('are not taken from a project', async () => {
    using place = openPlace({ 'cuervo.toml': sh('before-tool', 'exit 0') });
    const ran = await place.cuervo(['tools']);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('hooks') });
  });
});
