import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BuildError } from '../build/build-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type ToolchainOptions = {
  /** where it runs */
  folder: string;
  env: Environment;
  /** is told of each process that is started, to end it where this one is killed */
  watch?: ((child: ChildProcess) => void) | undefined;
};

/** Characters of a compiler's words that an error holds: the first ones name the first mistake. */
const maxWords = 4_000;

/**
 * Runs a compiler to its end.
 *
 * @returns its standard output
 * @throws {BuildError} with what it wrote
 */
export async function runToolchain(
  command: readonly string[],
  { folder, env, watch }: ToolchainOptions,
): Promise<string> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  watch?.(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = Promise.withResolvers<number | null>();
  child.on('error', ended.reject);
  child.on('close', ended.resolve);
  const code = await ended.promise.catch((thrown: unknown) => {
    throw new BuildError(`${program} could not be started`, { cause: thrown });
  });
  if (code === 0) return output.stdout;
  const words = (output.stderr.trim() || output.stdout.trim()).slice(0, maxWords);
  throw new BuildError(`${command.slice(0, 2).join(' ')} failed:\n${words}`);
}

/** Where a program lies on the path; undefined where it does not. */
export function findProgram(name: string, env: Environment): string | undefined {
  if (name.includes('/')) return existsSync(name) ? name : undefined;
  return (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** @throws {BuildError} that says how to install it */
export function requireProgram(name: string, env: Environment, install: string): string {
  const found = findProgram(name, env);
  if (found !== undefined) return found;
  throw new BuildError(`${name} is not installed: ${install}`);
}
