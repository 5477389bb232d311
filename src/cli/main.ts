import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { findCommand } from './find-command.ts';
import { fail } from './output.ts';
import { createProgram } from './program.ts';
import { runProgram } from './run-program.ts';

// LanceDB writes its warnings to standard error unless told not to.
process.env.LANCEDB_LOG ??= 'error';
const words = process.argv.slice(2);
let program: Command | undefined;
export const ended = start();

async function start(): Promise<void> {
  try {
    program = createProgram(words);
    await runProgram(program, process.argv);
  } catch (thrown) {
    // A program that is not whole cannot say its version.
    fail(KernelError.from(thrown, 'internal'), { json: false });
  }
}

/** @returns which command this is, such as `plugin list`; empty where it does not run one */
export function commandName(): string {
  const asksHelp = words.some((word) => ['--help', '-h', 'help'].includes(word));
  if (program === undefined || asksHelp) return '';
  return findCommand(program, words).path.join(' ');
}
