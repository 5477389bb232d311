import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { fail } from './output.ts';
import { createProgram } from './program.ts';
import { runProgram } from './run-program.ts';

// LanceDB writes its warnings to standard error unless told not to.
process.env.LANCEDB_LOG ??= 'error';
let running: Command | null = null;
export const ended = start();

async function start(): Promise<void> {
  try {
    const program = createProgram(process.argv.slice(2));
    program.hook('preAction', (_, command) => {
      running = command;
    });
    await runProgram(program, process.argv);
  } catch (thrown) {
    // An incomplete installation cannot tell its version.
    fail(KernelError.from(thrown, 'internal'), { json: false });
  }
}

/** @returns which command runs, such as `cuervo plugin list`; empty for help and what is not run */
export function commandName(): string {
  const names: string[] = [];
  for (let at = running; at !== null; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}
