import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { RunEvent } from '../../../src/contracts/events.ts';
import { checkLine } from './check-line.ts';

export const root = resolve(import.meta.dirname, '../../..');
export const program = resolve(root, 'dist/cuervo.cjs');

/** Just below the time limit of a test. */
const maxDurationMs = 110_000;

export type CuervoOptions = {
  cwd: string;
  home: string;
  /** besides PATH and CUERVO_HOME; nothing else is inherited */
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  /** other flags of Node, or another Node */
  node?: string;
  /** called for every line of standard output as it comes */
  onLine?(line: string, child: ChildProcess): void;
  /** until it is killed; just below the time limit of a test when absent */
  maxDurationMs?: number;
  /** makes the child the leader of a process group, as a shell does */
  detached?: boolean;
};

export type Row = Readonly<Record<string, unknown>>;

export type Ran = {
  /** null when a signal ended it */
  code: number | null;
  stdout: string;
  stderr: string;
  /** with `--json`: lines of standard output that are events, parsed and checked */
  lines: RunEvent[];
  /** with `--json`: the other lines, rows of a command that lists, parsed and checked */
  rows: Row[];
  pid: number;
  durationMs: number;
};

/**
 * Runs the command line as a person does, with an environment of its own. With `--json`, every
 * line it prints is checked against the schema of what it claims to be.
 */
export async function runCuervo(args: readonly string[], options: CuervoOptions): Promise<Ran> {
  const startedMs = performance.now();
  const child = spawn(options.node ?? process.execPath, [program, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: options.home, ...options.env },
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: options.detached ?? false,
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
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) options.onLine?.(line, child);
  });
  stderr.on('data', (chunk: string) => {
    ran.stderr += chunk;
  });
  if (options.stdin !== undefined) {
    // Who does not read its input closes the pipe; that is no failure of the test.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.stdin);
  }
  // A program that hangs fails its test by the time limit; it must not live on after it.
  const overdue = setTimeout(() => child.kill('SIGKILL'), options.maxDurationMs ?? maxDurationMs);
  const code = await new Promise<number | null>((done, reject) => {
    child.once('error', reject);
    child.once('close', done);
  });
  clearTimeout(overdue);
  const printed = args.includes('--json') && code !== null ? parseLines(ran.stdout, args) : [];
  return {
    code,
    ...ran,
    lines: printed.filter((line): line is RunEvent => 'type' in line),
    rows: printed.filter((line) => !('type' in line)),
    pid: child.pid ?? 0,
    durationMs: performance.now() - startedMs,
  };
}

function parseLines(stdout: string, args: readonly string[]): Row[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => checkLine(JSON.parse(line), args));
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
  ran: Ran,
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
