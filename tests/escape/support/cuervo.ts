import { spawn } from 'node:child_process';
import { cuervo } from './paths.ts';

/** An event of `--json`; the fields depend on the type. */
export type Event = { type: string } & Record<string, unknown>;
export type ErrorEvent = { code: string; message: string; hint: string };

export type Ran = {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  durationMs: number;
  events: Event[];
  /** of the `result` event */
  result: { content: string; summary: string } | undefined;
  /** of the `error` event */
  error: ErrorEvent | undefined;
};

export type RunOptions = {
  home: string;
  cwd: string;
  /** besides PATH and CUERVO_HOME */
  env?: Record<string, string>;
  /** another program than the command line, which then is a script */
  program?: string;
  /** what comes on standard input */
  input?: string;
  /** after this it is killed, with all that it started */
  giveUpMs?: number;
  /** called with the process id once it runs */
  onStart?(pid: number): void;
};

/** The command line as a person starts it, with an environment of its own. */
export async function runCuervo(args: readonly string[], options: RunOptions): Promise<Ran> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [options.program ?? cuervo, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: options.home, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that giving up ends its plugin processes with it.
    detached: true,
  });
  // A program that ends before it has read all of it is none of the test's business.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, options.giveUpMs ?? 50_000);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  if (child.pid !== undefined) options.onStart?.(child.pid);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearTimeout(timer));
  const stdout = Buffer.concat(out).toString('utf8');
  const events = args.includes('--json') ? parseLines(stdout) : [];
  return {
    exitCode,
    stdout,
    stderr: Buffer.concat(err).toString('utf8'),
    durationMs: performance.now() - startedMs,
    events,
    result: events.find(({ type }) => type === 'result') as unknown as Ran['result'],
    error: events.find(({ type }) => type === 'error') as unknown as Ran['error'],
  };
}

function parseLines(text: string): Event[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Event);
}
