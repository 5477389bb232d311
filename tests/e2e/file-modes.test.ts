import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';
import { runMany } from '../support/run-many.ts';

let place: Place;
beforeEach(() => {
  place = openPlace({ 'a.txt': 'one\n' });
});
afterEach(() => place[Symbol.dispose]());

const at = (path: string) => join(place.work, path);
const mode = (path: string) => (statSync(at(path)).mode & 0o7777).toString(8);
const allow = ['fs:work', 'fs-write:work'];
const run = async (tool: string, input: JsonObject) => {
  const args = ['run', tool, JSON.stringify(input), ...allow.flatMap((each) => ['--allow', each])];
  return await place.cuervo(args);
};

/** A shell below which the command line has what the shell sets. */
function below(before: string, ...args: string[]): void {
  const script = `${before}; exec "$0" "$@"`;
  const words = ['-c', script, process.execPath, program, ...args];
  const options = { cwd: place.work, encoding: 'utf8' } as const;
  const ran = spawnSync('sh', words, {
    ...options,
    env: { PATH: '/usr/bin:/bin', CUERVO_HOME: place.home },
  });
  expect([ran.status, ran.stderr]).toEqual([0, expect.anything()]);
}

const hasAcl = spawnSync('setfacl', ['--version']).status === 0;

describe('a file that is made', () => {
  const write = [
    'run',
    'file.write',
    '{"path":"made/deep/a.txt","text":"x"}',
    '--allow',
    'fs-write:work',
  ];
  const asSystem = (before: string) => {
    const script = `${before}; mkdir -p own/deep && : > own/deep/a.txt`;
    expect(spawnSync('sh', ['-c', script], { cwd: place.work }).status).toBe(0);
    return ['', '/deep', '/deep/a.txt'].map((path) => mode(`own${path}`));
  };

  it.each(['umask 077', 'umask 002', 'umask 022', 'umask 027'])(
    'has with %s the mode that a shell gives, as have its folders, and so after undo and redo',
    (umask) => {
      below(umask, ...write);
      const modes = () => ['', '/deep', '/deep/a.txt'].map((path) => mode(`made${path}`));
      const own = asSystem(umask);
      expect(modes()).toEqual(own);
      below(umask, 'undo', '--yes');
      below('umask 077', 'undo', '--yes', lastRun());
      expect(modes()).toEqual(own);
    },
  );

  it.skipIf(!hasAcl)(
    'has what the default ACL of its folder leaves (needs: apt-get install acl)',
    () => {
      spawnSync('setfacl', ['-d', '-m', 'u::rwx,g::rw,o::-', place.work]);
      below('umask 022', ...write);
      expect(mode('made/deep/a.txt')).toBe(asSystem('umask 022').at(-1));
      below('umask 022', 'undo', '--yes');
    },
  );

  const lastRun = (): string => {
    const list = spawnSync(process.execPath, [program, 'undo', '--list'], {
      cwd: place.work,
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', CUERVO_HOME: place.home },
    });
    return list.stdout.trim().split(/\s/)[0] ?? '';
  };
});

describe('a file that is changed', () => {
  it.each(['644', '600', '755', '660', '4755', '2755'])(
    'of mode %s keeps it, without what lends rights',
    async (bits) => {
      chmodSync(at('a.txt'), Number.parseInt(bits, 8));
      const inputs = [
        { path: 'a.txt', text: 'two\n' },
        { path: 'a.txt', old: 'two', new: 'three' },
        { path: 'a.txt', start: 1, end: 1, text: 'four' },
      ];
      const tools = ['file.write', 'file.edit', 'file.edit-lines'];
      const ended = await runMany(place, tools, inputs, allow);
      expect(ended.map(({ exit }) => exit)).toEqual([0, 0, 0]);
      expect(mode('a.txt')).toBe(bits.slice(-3));
    },
  );

  it('and read-only is refused by every tool, and its folder gives its mode back on undo', async () => {
    mkdirSync(at('d'));
    writeFileSync(at('d/b.txt'), 'one\n');
    chmodSync(at('d/b.txt'), 0o444);
    const path = 'd/b.txt';
    const calls: [string, JsonObject][] = [
      ['file.write', { path, text: 'x' }],
      ['file.edit', { path, old: 'one', new: 'two' }],
      ['file.edit-lines', { path, start: 1, end: 1, text: 'two' }],
      ['file.insert', { path, text: 'two' }],
      ['file.multi-edit', { edits: [{ path, old: 'one', new: 'two' }] }],
      ['file.delete', { path }],
    ];
    for (const [tool, input] of calls) {
      const ran = await run(tool, input);
      expect([tool, ran.code]).toEqual([tool, 3]);
      expect(ran.stderr).toContain('path "d/b.txt" is read-only (mode 0444)');
      expect(ran.stderr).toContain('chmod u+w');
    }
    expect(readFileSync(at(path), 'utf8')).toBe('one\n');
    // The control: what the owner lets be written is written.
    chmodSync(at(path), 0o640);
    expect((await run('file.edit', calls[1]?.[1] ?? {})).code).toBe(0);
    expect((await run('file.move', { from: path, to: 'e/b.txt' })).code).toBe(0);
    expect(mode('e/b.txt')).toBe('640');
    expect((await run('file.delete', { path: 'e/b.txt' })).code).toBe(0);
    expect((await place.cuervo(['undo', '--yes'])).code).toBe(0);
    expect(mode('e/b.txt')).toBe('640');
  });

  it('comes apart from its other names, which the result says', async () => {
    linkSync(at('a.txt'), at('b.txt'));
    const ran = await run('file.write', { path: 'a.txt', text: 'two\n' });
    expect(ran.stderr).toContain(
      'path "a.txt" had another name (a hard link), which still has the old content',
    );
    expect(readFileSync(at('b.txt'), 'utf8')).toBe('one\n');
    rmSync(at('b.txt'));
    const again = await run('file.write', { path: 'a.txt', text: 'three\n' });
    expect(again.stderr).toBe('a.txt changed: 1 line added, 1 removed\n');
  });

  it.each([
    ['a byte order mark', '\uFEFFone\n', 'two\n', '\uFEFFtwo\n', /kept the byte order mark/],
    ['\\r\\n', 'one\r\ntwo\r\n', 'x\ny\n', 'x\r\ny\r\n', /kept \\r\\n as line end/],
    ['both', '\uFEFFa\r\n', 'x\n', '\uFEFFx\r\n', /kept the byte order mark, kept \\r\\n/],
    ['mixed line ends', 'a\r\nb\n', 'x\ny\n', 'x\ny\n', undefined],
  ])('keeps %s when all of it is written', async (_, before, text, after, said) => {
    writeFileSync(at('a.txt'), before);
    const ran = await run('file.write', { path: 'a.txt', text });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe(after);
    if (said !== undefined) expect(ran.stderr).toMatch(said);
    else expect(ran.stderr).not.toContain('kept');
  });

  it('in UTF-16 says that it is UTF-8 now', async () => {
    writeFileSync(at('a.txt'), Buffer.from('\uFEFFone\n', 'utf16le'));
    const ran = await run('file.write', { path: 'a.txt', text: 'two\n' });
    expect(ran.stderr).toContain('its encoding was utf-16le and is UTF-8 now');
  });
});
