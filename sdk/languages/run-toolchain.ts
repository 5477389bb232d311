import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { BuildError } from '../build/build-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type ToolchainOptions = {
  /** where it runs */
  folder: string;
  env: Environment;
  /** is called for each process that is started, to end it where this one is killed */
  watch?: ((child: ChildProcess) => void) | undefined;
  /** hears what the compiler is doing, a line at a time */
  tell?: ((line: string) => void) | undefined;
};

/** Characters of a compiler's words that are kept: the first ones name the first mistake. */
const maxWords = 8_000;

/** A compiler that failed. `words` are its own, with their lines. */
export class ToolchainError extends BuildError {
  readonly words: string;

  constructor(message: string, words: string) {
    super(message);
    this.words = words;
  }
}

/** What cargo says of its work before anything is wrong. */
const doing = /^\s+(?:Compiling|Downloading|Downloaded|Updating|Locking|Adding|Finished)\b.*$\n?/gm;

/**
 * Runs a compiler to its end.
 *
 * @returns its standard output
 * @throws {BuildError} with what it wrote
 */
export async function runToolchain(
  command: readonly string[],
  { folder, env, watch, tell }: ToolchainOptions,
): Promise<string> {
  const [program = '', ...args] = command;
  tell?.(basename(program));
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  watch?.(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
    const line = text.trim().split('\n').at(-1)?.trim() ?? '';
    if (line !== '') tell?.(`${basename(program)}: ${line}`);
  });
  const ended = Promise.withResolvers<number | null>();
  child.on('error', ended.reject);
  child.on('close', ended.resolve);
  const code = await ended.promise.catch((thrown: unknown) => {
    throw new BuildError(`${program} could not be started`, { cause: thrown });
  });
  if (code === 0) return output.stdout;
  const words = (output.stderr.trim() || output.stdout.trim())
    .replace(doing, '')
    .slice(0, maxWords);
  const first = words.split('\n').find((line) => /error/i.test(line)) ?? words.split('\n')[0] ?? '';
  const name = `${basename(program)} ${args.find((word) => !word.startsWith('-')) ?? ''}`.trim();
  throw new ToolchainError(`${name} failed: ${first.trim() || `it ended with ${code}`}`, words);
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
