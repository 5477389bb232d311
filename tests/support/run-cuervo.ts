import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { RunEvent } from '../../src/contracts/events.ts';
import { checkLine } from './check-line.ts';
import { canRunHere, commandHere } from './command-here.ts';
import { shareComponents } from './shared-components.ts';
import { sharePrepared } from './shared-prepared.ts';

/** The folder of package.json: of the clone, or of the copy in which a defence was taken away. */
export const root = resolve(import.meta.dirname, '../..');
export const program = resolve(root, 'dist/cuervo.cjs');

/** Just below the time limit of a test. */
const giveUpMs = 110_000;

export type RunOptions = {
  cwd: string;
  home: string;
  /** besides PATH and CUERVO_HOME; nothing else is inherited */
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  /** other flags of Node, or another Node */
  node?: string;
  /** another script than the command line */
  program?: string;
  /** number of the user it runs as, and of its group; only root can say */
  user?: number;
  /** called with the process id once it runs */
  onStart?(pid: number): void;
  /** called for every line of standard output as it comes */
  onLine?(line: string, child: ChildProcess): void;
  /** called with what it printed to standard error by now */
  onStderr?(text: string, pid: number): void;
  /** until it is killed, with its process group where it leads one */
  giveUpMs?: number;
  /** makes the child the leader of a process group, as a shell does */
  detached?: boolean;
  /**
   * true: starts a process even where a test could not tell; false: `giveUpMs` and `detached` are
   * for the case that there is one
   */
  ownProcess?: boolean;
  /** takes lines of `--json` that no schema describes, as another script prints them */
  unchecked?: boolean;
};

export type Row = Readonly<Record<string, unknown>>;

/** A line of `--json` as a case about hostile code reads it; the fields depend on the type. */
export type Event = { type: string } & Record<string, unknown>;
export type ErrorEvent = { code: string; message: string; hint: string };

export type Ran = {
  /** null when a signal ended it */
  code: number | null;
  /** the same as `code`: a call that failed has an error code, too */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** with `--json`: lines of standard output that are events, parsed and checked */
  lines: RunEvent[];
  /** with `--json`: the other lines, rows of a command that lists, parsed and checked */
  rows: Row[];
  /** with `--json`: all lines */
  events: Event[];
  /** of the `result` event */
  result: { content: string; summary: string } | undefined;
  /** of the `error` event */
  error: ErrorEvent | undefined;
  pid: number;
  durationMs: number;
};

/**
 * Runs the command line as a person does, with an environment of its own: in this process where no
 * option speaks of another. With `--json`, every line it prints is checked against the schema of
 * what it claims to be.
 */
export async function runCuervo(args: readonly string[], options: RunOptions): Promise<Ran> {
  const isOwn = options.user === undefined;
  if (isOwn) shareComponents(args, options.home);
  const keepPrepared = isOwn ? sharePrepared(args, options) : undefined;
  const ended = await (canRunHere(options) ? commandHere : runScript)(args, options);
  keepPrepared?.();
  const isJson = args.includes('--json') && (ended.code !== null || options.unchecked === true);
  const printed = isJson ? parseLines(ended.stdout) : [];
  if (options.unchecked !== true) for (const line of printed) checkLine(line, args);
  const events = printed as Event[];
  return {
    ...ended,
    exitCode: ended.code,
    lines: printed.filter((line): line is RunEvent => 'type' in line),
    rows: printed.filter((line) => !('type' in line)),
    events,
    result: events.find(({ type }) => type === 'result') as unknown as Ran['result'],
    error: events.find(({ type }) => type === 'error') as unknown as Ran['error'],
  };
}

export type Ended = Pick<Ran, 'code' | 'stdout' | 'stderr' | 'pid' | 'durationMs'>;

async function runScript(args: readonly string[], options: RunOptions): Promise<Ended> {
  const startedMs = performance.now();
  const detached = options.detached ?? false;
  const child = spawn(options.node ?? process.execPath, [options.program ?? program, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: options.home, ...options.env },
    ...(options.user === undefined ? {} : { uid: options.user, gid: options.user }),
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached,
  });
  const { stdout, stderr } = child as {
    stdout: NodeJS.ReadableStream;
    stderr: NodeJS.ReadableStream;
  };
  stdout.setEncoding('utf8');
  stderr.setEncoding('utf8');
  const ran = { stdout: '', stderr: '' };
  let rest = '';
  stdout.on('data', (chunk: string) => {
    ran.stdout += chunk;
    if (options.onLine === undefined) return;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) options.onLine(line, child);
  });
  stderr.on('data', (chunk: string) => {
    ran.stderr += chunk;
    if (child.pid !== undefined) options.onStderr?.(ran.stderr, child.pid);
  });
  if (options.stdin !== undefined) {
    // A program may end before it has read its input; the test does not fail for that.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.stdin);
  }
  if (child.pid !== undefined) options.onStart?.(child.pid);
  // A program that hangs fails its test by the time limit; it must not live on after it.
  const overdue = setTimeout(() => kill(child, detached), options.giveUpMs ?? giveUpMs);
  const code = await new Promise<number | null>((done, reject) => {
    child.once('error', reject);
    child.once('close', done);
  }).finally(() => clearTimeout(overdue));
  return { code, ...ran, pid: child.pid ?? 0, durationMs: performance.now() - startedMs };
}

/** Ends the process, and its plugin processes where they are in its group. */
function kill(child: ChildProcess, isGroup: boolean): void {
  if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  else child.kill('SIGKILL');
}

function parseLines(stdout: string): Row[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The lines of one type, with the type's fields. */
export function linesOf<Type extends RunEvent['type']>(
  ran: Pick<Ran, 'lines'>,
  type: Type,
): Extract<RunEvent, { type: Type }>[] {
  return ran.lines.filter((line): line is Extract<RunEvent, { type: Type }> => line.type === type);
}

/** The only line of this type. @throws when there is none, or a second */
export function lineOf<Type extends RunEvent['type']>(
  ran: Pick<Ran, 'code' | 'lines' | 'stdout' | 'stderr'>,
  type: Type,
): Extract<RunEvent, { type: Type }> {
  const [line, second] = linesOf(ran, type);
  if (line !== undefined && second === undefined) return line;
  const wrong = line === undefined ? 'no' : 'more than one';
  throw new Error(`${wrong} ${type} line; code ${ran.code}\n${ran.stdout}\n${ran.stderr}`);
}

/** The two lines that say what is wrong and what to type next. */
export function twoLines(ran: Pick<Ran, 'code' | 'stdout' | 'stderr'>): {
  error: string;
  hint: string;
} {
  const match = /^error: (.+)\nhint: (.+)\n$/.exec(ran.stderr);
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new Error(`not two lines; code ${ran.code}\n${ran.stdout}\n${ran.stderr}`);
  }
  return { error: match[1], hint: match[2] };
}
