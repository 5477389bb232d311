import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, expect } from 'vitest';
import { closedFlags } from '../../src/sandbox/engine-flags.ts';
import { escapeCase } from './support/escape-case.ts';
import { cuervo } from './support/paths.ts';

const linux = { file: '/proc/self/net/tcp', install: 'a Linux with /proc' };
const home = mkdtempSync(join(tmpdir(), 'cuervo-debugger-'));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

const waits = ['-e', 'console.log("there"); process.stdin.resume();'];

/** A process that has said something, so that it runs, and goes on. */
async function start(args: readonly string[]): Promise<ChildProcess> {
  // A port of its own, so that one that is taken is no reason to be silent.
  const env = { CUERVO_HOME: home, PATH: '/usr/bin:/bin', NODE_OPTIONS: '--inspect-port=0' };
  const child = spawn(process.execPath, args, { stdio: 'pipe', env, cwd: '/' });
  started.push(child);
  // The scheduler tells persons that it runs, and a script its output.
  const said = [child.stdout, child.stderr].map((stream) => once(stream as Readable, 'data'));
  await Promise.race(said);
  return child;
}

/** Whether the process has a socket on which it takes connections. */
function listens(child: ChildProcess): boolean {
  const folder = `/proc/${child.pid}/fd`;
  const open = readdirSync(folder).map((name) => linkOf(join(folder, name)));
  return readFileSync(`/proc/${child.pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .some(([, , , state, , , , , , inode]) => state === '0A' && open.includes(`socket:[${inode}]`));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Closed meanwhile.
    return '';
  }
}

/** Signals the process first, and then another one of which it is known that its debugger opens. */
async function opensDebugger(child: ChildProcess): Promise<boolean> {
  child.kill('SIGUSR1');
  const other = await start(waits);
  other.kill('SIGUSR1');
  const [said] = await once(other.stderr as Readable, 'data');
  expect(String(said)).toContain('Debugger listening');
  expect(listens(other)).toBe(true);
  expect(child.exitCode).toBe(null);
  return listens(child);
}

escapeCase('debugger opened by a signal', {
  needs: linux,
  denied: [
    [
      'not that of the command line',
      async () => {
        const child = await start([cuervo, 'scheduler', 'run']);
        expect(await opensDebugger(child)).toBe(false);
      },
    ],
    [
      'not that of a child with the flags that all of them have',
      async () => expect(await opensDebugger(await start([...closedFlags, ...waits]))).toBe(false),
    ],
  ],
  control: [
    'that of any other Node is',
    async () => {
      const child = await start(waits);
      child.kill('SIGUSR1');
      await once(child.stderr as Readable, 'data');
      expect(listens(child)).toBe(true);
    },
  ],
});
