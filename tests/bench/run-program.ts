import { spawn } from 'node:child_process';

export type ProgramResult = {
  /** null when it was ended by a signal */
  code: number | null;
  stdout: string;
  stderr: string;
  /** from before the start until it ended and all output was read */
  wallMs: number;
};

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<ProgramResult> {
  const startedMs = performance.now();
  const env = { ...process.env, ...options.env };
  const child = spawn(program, args, { cwd: options.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const wallMs = performance.now() - startedMs;
  const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
  return { code, stdout: textOf(stdout), stderr: textOf(stderr), wallMs };
}
