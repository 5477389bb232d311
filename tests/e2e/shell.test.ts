import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { openTerminal, tmuxMissing } from '../fixtures/terminal/in-tmux.ts';
import { watchMemory } from '../fixtures/watch-memory.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';
import { runHere } from '../support/run-here.ts';

const files = { 'src/a.txt': 'one TODO\ntwo\n', 'b c.txt': 'three TODO\n', '.env': 'KEY=1\n' };

/** What `shell.run` gave, or its failure. */
async function run(place: Place, input: JsonObject, flags: readonly string[] = []) {
  const allow = flags.filter((flag) => flag !== '--allow');
  // Other flags than grants are those of the command line.
  const ran = allow.some((flag) => flag.startsWith('--'))
    ? await place.cuervo(['run', 'shell.run', JSON.stringify(input), '--json', ...flags])
    : await runHere(place, 'shell.run', input, allow);
  const result = ran.lines.find(({ type }) => type === 'result') as { content: string } | undefined;
  const error = ran.lines.find(({ type }) => type === 'error') as { message: string } | undefined;
  return {
    code: ran.code,
    message: error?.message,
    content: result === undefined ? undefined : JSON.parse(result.content),
  };
}

function bytesBelow(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

const hasSandbox = process.platform !== 'linux' || existsSync('/usr/bin/bwrap');

describe.skipIf(!hasSandbox)('shell.run (needs: sudo apt-get install bubblewrap)', () => {
  it('runs readers of a line without a grant, piped and in their folder', async () => {
    using place = openPlace(files);
    const ran = await run(place, { command: 'cd src && grep -n TODO *.txt | wc -l' });
    expect(ran).toMatchObject({ code: 0, content: { exitCode: 0, stdout: '1\n', cwd: 'src' } });
    const named = await run(place, { command: 'cat *.txt' });
    expect(named.content).toMatchObject({ stdout: 'three TODO\n' });
  });

  it('gives the exit code of the last program as an answer', async () => {
    using place = openPlace(files);
    const ran = await run(place, { command: 'grep nothing src/a.txt' });
    expect(ran).toMatchObject({ code: 1, content: { exitCode: 1, stdout: '', stderr: '' } });
  });

  it('runs what a set of rules allows where the command line names that set', async () => {
    using place = openPlace(files);
    mkdirSync(place.home);
    const rule = [
      '[[rule]]\nname = "makes"\nset = "makes"\ndecision = "allow"\nreason = "makes files"',
      'program = "touch"\nargs = ["*"]\nmatch = ["touch a"]\nnot_match = ["touch a b"]\n',
    ].join('\n');
    writeFileSync(join(place.home, 'rules.toml'), rule);
    const command = { command: 'touch made.txt' };
    expect(await run(place, command, ['--allow', 'fs-write:work'])).toMatchObject({ code: 3 });
    expect(existsSync(join(place.work, 'made.txt'))).toBe(false);
    const named = await run(place, command, ['--allow', 'fs-write:work', '--yes', 'makes']);
    expect(named).toMatchObject({ code: 0, content: { exitCode: 0 } });
    expect(existsSync(join(place.work, 'made.txt'))).toBe(true);
    // It allows nothing else.
    expect(await run(place, { command: 'rm made.txt' }, ['--yes', 'makes'])).toMatchObject({
      code: 3,
    });
  });

  it('is denied a program that writes, and runs it where that is granted', async () => {
    using place = openPlace(files);
    const denied = await run(place, { command: 'touch made.txt' });
    expect(denied).toMatchObject({ code: 3 });
    expect(denied.message).toContain('was not granted exec for "touch"');
    expect(existsSync(join(place.work, 'made.txt'))).toBe(false);
    const granted = await run(place, { command: 'touch made.txt' }, [
      ...['--allow', 'exec:touch', '--allow', 'fs-write:work'],
    ]);
    expect(granted).toMatchObject({ code: 0, content: { exitCode: 0 } });
    expect(existsSync(join(place.work, 'made.txt'))).toBe(true);
  });

  it('is denied a reader that would read outside, whatever stands before it', async () => {
    using place = openPlace(files);
    const denied = await run(place, { command: 'ls; cat /etc/hostname' });
    expect(denied).toMatchObject({ code: 3 });
    const control = await run(place, { command: 'ls; cat src/a.txt' });
    expect(control.content.stdout).toContain('one TODO\n');
  });

  it('redirects into the workspace where writing is granted, and not elsewhere', async () => {
    using place = openPlace(files);
    const line = { command: 'cat src/a.txt > out.txt' };
    expect(await run(place, line)).toMatchObject({ code: 3 });
    expect(existsSync(join(place.work, 'out.txt'))).toBe(false);
    expect(await run(place, line, ['--allow', 'fs-write:work'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(place.work, 'out.txt'), 'utf8')).toBe(files['src/a.txt']);
    const outside = await run(place, { command: 'ls > ../out' }, ['--allow', 'fs-write:work']);
    expect(outside).toMatchObject({ code: 2, message: expect.stringContaining('outside') });
  });

  it('goes on with folder and variables of a session, and of no other', async () => {
    using place = openPlace(files);
    await run(place, { command: 'X="a.txt"; cd src', session: 'one' });
    const same = await run(place, { command: 'cat $X', session: 'one' });
    expect(same.content).toMatchObject({ stdout: files['src/a.txt'], cwd: 'src' });
    const other = await run(place, { command: 'cat $X', session: 'two' });
    expect(other).toMatchObject({ code: 2, message: expect.stringContaining('X has no value') });
  });

  it('runs nothing of a line that it does not understand', async () => {
    using place = openPlace(files);
    const ran = await run(place, { command: 'touch x; echo $((1+1))' }, ['--allow', 'exec:touch']);
    expect(ran).toMatchObject({ code: 2, message: expect.stringContaining('arithmetic') });
    expect(existsSync(join(place.work, 'x'))).toBe(false);
  });

  it.skipIf(tmuxMissing())(
    'shows what a program prints while it runs (needs: apt-get install tmux)',
    async () => {
      using place = openPlace({
        'slow.sh': 'echo step one; while [ ! -e go ]; do sleep 0.1; done; echo end',
      });
      const env = { PATH: '/usr/bin:/bin', HOME: place.dir, CUERVO_HOME: place.home };
      using terminal = openTerminal({ cwd: place.work, env });
      const input = JSON.stringify({ command: 'sh slow.sh' });
      terminal.type(`'${process.execPath}' '${program}' run shell.run '${input}' --allow exec:sh`);
      await terminal.waitFor('shell.run: sh: step one');
      writeFileSync(join(place.work, 'go'), '');
      await terminal.waitFor('exit code 0');
      // The line of progress is gone, and the whole output is there.
      expect(terminal.screen()).not.toContain('shell.run: sh: step one');
      expect(terminal.screen()).toMatch(/step one\s*\n.*\bend\b/);
    },
  );

  it.skipIf(tmuxMissing())(
    'says what runs and how long it has (needs: apt-get install tmux)',
    async () => {
      using place = openPlace();
      const env = { PATH: '/usr/bin:/bin', HOME: place.dir, CUERVO_HOME: place.home };
      using terminal = openTerminal({ cwd: place.work, env });
      const input = JSON.stringify({ command: 'sleep 3' });
      terminal.type(`'${process.execPath}' '${program}' run shell.run '${input}'`);
      await terminal.waitFor('shell.run: sleep (1.');
      await terminal.waitFor('shell.run: sleep (2.');
      await terminal.waitFor('exit code 0');
    },
  );

  it('writes a line every five seconds where standard error is not a terminal', async () => {
    using place = openPlace();
    const input = JSON.stringify({ command: 'sleep 6' });
    const [ran, quiet] = await Promise.all([
      place.cuervo(['run', 'shell.run', input]),
      place.cuervo(['run', 'shell.run', input, '--quiet']),
    ]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/^shell\.run: sleep \([5-9] s\)\n/);
    expect(quiet).toMatchObject({ code: 0, stderr: '' });
  });

  it('keeps what is longer than a call hands on, for the model and for a person', async () => {
    using place = openPlace();
    const whole = Array.from({ length: 400_000 }, (_, at) => `${at + 1}\n`).join('');
    const { content } = await run(place, { command: 'seq 400000' });
    const id = createHash('sha256').update(whole).digest('hex');
    expect(content).toMatchObject({ exitCode: 0, kept: id });
    expect(content.stderr).toContain(`all ${whole.length} bytes are kept as ${id}`);
    // The line lies behind all that the plugin itself was handed.
    const asked = { id, start: 399_998, end: 399_999 };
    const part = await place.cuervo(['run', 'shell.output', JSON.stringify(asked)]);
    expect(JSON.parse(part.stdout)).toEqual({ lines: '399998: 399998\n399999: 399999' });
    const [row] = (await place.cuervo(['runs', 'list', '--json'])).rows.slice(-1);
    for (const args of [[id], [String(row?.run)], [String(row?.run), 's1']]) {
      const shown = await place.cuervo(['runs', 'output', ...args]);
      expect(shown.code).toBe(0);
      expect(shown.stdout === whole).toBe(true);
      expect(shown.stderr).toContain(`seq, ${whole.length} bytes: cuervo runs output`);
    }
    const none = await place.cuervo(['runs', 'output', String(row?.run), 's2']);
    expect(none).toMatchObject({ code: 4, stdout: '' });
  });

  it('ends a program that never ends or prints without an end, and says so', async () => {
    using place = openPlace();
    const sleeping = await run(place, { command: 'sleep 60' }, ['--timeout', '1']);
    expect(sleeping).toMatchObject({ code: 5, message: expect.stringContaining('1000 ms') });
    using memory = watchMemory();
    await run(place, { command: 'cat' });
    const quiet = memory.child();
    const flood = await run(place, { command: 'head -c 1000000000 /dev/zero' }, [
      '--allow',
      'exec:head',
    ]);
    expect(flood).toMatchObject({ code: 1, content: { exitCode: 128 } });
    expect(flood.content.stderr).toContain('head: ended by SIGKILL');
    expect(flood.content.stderr).toContain('its first 67108864 bytes are kept as');
    expect(flood.content.kept).toMatch(/^[0-9a-f]{64}$/);
    // A billion bytes fill neither the memory of the program nor its disk.
    expect(memory.child()).toBeLessThan(quiet + 150 * 2 ** 20);
    expect(bytesBelow(place.home)).toBeLessThan(80 * 2 ** 20);
    expect(statSync(join(place.home, 'blobs', flood.content.kept)).size).toBe(64 * 1024 * 1024);
    // What would read from a person finds an end instead.
    const reading = await run(place, { command: 'cat; sort -' });
    expect(reading).toMatchObject({ code: 0, content: { exitCode: 0, stdout: '' } });
  });
});
