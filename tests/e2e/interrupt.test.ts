import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inStart } from '../escape/guests/loop-at-start/guest.ts';
import { openPlace } from '../support/place.ts';
import { lineOf, linesOf, program } from '../support/run-cuervo.ts';

/** A second on a machine that does nothing else; what is not ended goes on for minutes. */
const soonMs = 10_000;
/** A pattern and a text with which a search in linear time is busy for some ten seconds. */
const endless = { pattern: '(a+)+$' };
const files = { 'a.txt': `${'a'.repeat(60)}!\n`.repeat(640_000) };
const args = ['run', 'search.grep', JSON.stringify(endless), '--json'];
const manyRules = Array.from({ length: 40_000 }, (_, at) => `dir${at}/**/file${at}*\n`).join('');
const manyFiles = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}.txt`, '']));
const nested = 'function f() {\n'.repeat(140_000);

describe.skipIf(!existsSync('/proc/self/stat'))('a guest that is running', () => {
  it.each([
    ['Ctrl+C, sent to the process', 'SIGINT', false],
    ['Ctrl+C, sent to the process group as a terminal does', 'SIGINT', true],
    ['SIGTERM', 'SIGTERM', false],
    ['SIGHUP, as when its terminal is closed', 'SIGHUP', false],
  ] as const)('is ended by %s: exit code 130, and soon', async (_, signal, toGroup) => {
    using place = openPlace(files);
    const guests: number[] = [];
    let sentMs = 0;
    const ran = await place.cuervo(args, {
      detached: true,
      onLine: (line, child) => {
        if (!line.includes('"step-started"')) return;
        void whenBusy(child).then((pids) => {
          guests.push(...pids);
          sentMs = performance.now();
          process.kill(toGroup ? -(child.pid as number) : (child.pid as number), signal);
        });
      },
    });
    expect(performance.now() - sentMs).toBeLessThan(soonMs);
    expect(ran.code).toBe(130);
    expect(lineOf(ran, 'step-finished').status).toBe('canceled');
    expect(lineOf(ran, 'error').code).toBe('canceled');
    expect(lineOf(ran, 'run-finished')).toMatchObject({ status: 'canceled', exitCode: 130 });
    expect(guests.length).toBeGreaterThan(0);
    // The system takes back the memory of a killed process before its end shows.
    await expect.poll(() => guests.filter(isAlive)).toEqual([]);
  });

  it.each([
    ['40,000 ignore rules', 'file.tree', { '.gitignore': manyRules, ...manyFiles }],
    ['2 MB of functions in functions', 'search.complexity', { 'a.js': nested }],
  ])('and busy with %s is ended by Ctrl+C, too', async (_, tool, hostile) => {
    using place = openPlace(hostile);
    let sentMs = 0;
    const ran = await place.cuervo(['run', tool, '{}', '--json'], {
      onLine: (line, child) => {
        if (!line.includes('"step-started"')) return;
        void whenBusy(child).then(() => {
          sentMs = performance.now();
          child.kill('SIGINT');
        });
      },
    });
    expect(performance.now() - sentMs).toBeLessThan(soonMs);
    expect(ran.code).toBe(130);
    expect(lineOf(ran, 'error').code).toBe('canceled');
  });

  it('is gone soon after cuervo itself was killed', async () => {
    using place = openPlace(files);
    const guests: number[] = [];
    const ran = await place.cuervo(args, {
      onLine: (line, child) => {
        if (!line.includes('"step-started"')) return;
        void whenBusy(child).then((pids) => {
          guests.push(...pids);
          child.kill('SIGKILL');
        });
      },
    });
    try {
      expect(ran.code).toBe(null);
      expect(guests.length).toBeGreaterThan(0);
      await expect.poll(() => guests.filter(isAlive)).toEqual([]);
    } finally {
      for (const pid of guests.filter(isAlive)) process.kill(pid, 'SIGKILL');
    }
  });

  it('of a plugin that is looked at is gone, too, where no sandbox ends it', async () => {
    using place = openPlace();
    mkdirSync(place.home, { mode: 0o700 });
    writeFileSync(join(place.home, 'config.toml'), '[plugins]\nsandbox = "none"\n');
    const child = spawn(process.execPath, [program, 'plugin', 'inspect', await inStart()], {
      env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home },
      stdio: 'ignore',
    });
    // More than what makes its program takes before.
    const guests = await whenBusy(child, 150);
    child.kill('SIGKILL');
    try {
      await expect.poll(() => guests.filter(isAlive)).toEqual([]);
    } finally {
      for (const pid of guests.filter(isAlive)) process.kill(pid, 'SIGKILL');
    }
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'of a plugin that is built is gone after %s',
    async (signal) => {
      using place = openPlace({ 'plugin.ts': 'for (;;);\n' });
      const child = spawn(process.execPath, [program, 'plugin', 'build', place.work], {
        env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home },
        stdio: 'ignore',
      });
      const guests = await whenBusy(child, 150);
      child.kill(signal);
      try {
        await expect.poll(() => guests.filter(isAlive)).toEqual([]);
      } finally {
        for (const pid of guests.filter(isAlive)) process.kill(pid, 'SIGKILL');
      }
    },
  );

  it('of ask is ended by Ctrl+C, too, and the run is journaled as canceled', async () => {
    using place = openPlace(files);
    const question = `search.grep ${JSON.stringify(endless)}`;
    const ran = await place.cuervo(['ask', question, '--json'], {
      onLine: (line, child) => {
        if (line.includes('"step-started"')) child.kill('SIGINT');
      },
    });
    expect(ran.code).toBe(130);
    expect(linesOf(ran, 'answer')).toEqual([]);
    // Nothing is kept of a turn that was not answered, and the next one works.
    place.write({ 'a.txt': 'the retry limit is three\n' });
    const next = await place.cuervo(['ask', 'what is the retry limit?', '--json']);
    expect(next.code).toBe(0);
  });
});

const hasSandbox =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

describe('a run that is interrupted (needs: sudo apt-get install bubblewrap)', () => {
  it.skipIf(!hasSandbox)('says how to take back what its program had changed by then', async () => {
    using place = openPlace({ 'a.txt': 'a\n' });
    const made = join(place.work, 'half.txt');
    const input = JSON.stringify({ command: 'sh -c "echo x > half.txt; sleep 60"' });
    const ran = await place.cuervo(['run', 'shell.run', input, '--json', '--allow', 'exec:sh'], {
      onLine: (line, child) => {
        if (!line.includes('"step-started"')) return;
        void expect
          .poll(() => existsSync(made), { timeout: 10_000 })
          .toBe(true)
          .finally(() => child.kill('SIGINT'));
      },
    });
    expect(ran.code).toBe(130);
    const { run, hint } = lineOf(ran, 'error');
    expect(hint).toBe(`It changed files before it ended; undo that with: cuervo undo ${run}`);
    expect((await place.cuervo(['undo', run ?? '', '--yes'])).code).toBe(0);
    expect(existsSync(made)).toBe(false);
  });
});

describe('a run whose time is over', () => {
  it.skipIf(!hasSandbox)('says how to take back what its program had changed by then', async () => {
    using place = openPlace({ 'a.txt': 'a\n' });
    const input = JSON.stringify({ command: 'sh -c "echo x > half.txt; sleep 60"' });
    const args = ['run', 'shell.run', input, '--json', '--allow', 'exec:sh', '--timeout', '2'];
    const ran = await place.cuervo(args);
    expect(ran.code).toBe(5);
    const { run, hint } = lineOf(ran, 'error');
    expect(hint).toBe(
      `Give it more time with --timeout SECONDS (now 2), or less to do: a regular expression of the plugin itself may have no end. It changed files before it ended; undo that with: cuervo undo ${run}`,
    );
  });
});

/**
 * Plugin processes of this child that have taken processor time since they were first seen.
 *
 * @param ticks of 10 ms; 0.3 s are far more than it takes to start and be idle
 */
async function whenBusy(child: ChildProcess, ticks = 30): Promise<number[]> {
  const started = new Map<number, number>();
  for (;;) {
    const pids = descendantsOf(child.pid as number);
    for (const pid of pids) if (!started.has(pid)) started.set(pid, ticksOf(pid));
    if (pids.some((pid) => ticksOf(pid) - (started.get(pid) ?? 0) > ticks)) return pids;
    // No event tells that another process computes.
    await setTimeout(10);
  }
}

/** A sandbox of the operating system puts processes of its own between. */
function descendantsOf(ancestor: number): number[] {
  const found = [ancestor];
  for (const parent of found) found.push(...childrenOf(parent));
  return found.slice(1);
}

/** Each thread knows what it started. */
function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const texts = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'));
    return texts.flatMap((text) => text.split(' ').filter(Boolean).map(Number));
  } catch {
    return []; // it has ended
  }
}

/** Processor time in ticks of 10 ms. */
function ticksOf(pid: number): number {
  return statOf(pid)?.ticks ?? 0;
}

/** A zombie waits for its parent and does nothing more. */
function isAlive(pid: number): boolean {
  const state = statOf(pid)?.state;
  return state !== undefined && state !== 'Z';
}

function statOf(pid: number): { state: string; ticks: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // it has ended
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', ticks: Number(fields[11]) + Number(fields[12]) };
}
