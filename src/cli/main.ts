import { KernelError } from '../contracts/error.ts';
import { fail } from './output.ts';
import { createProgram } from './program.ts';
import { runProgram } from './run-program.ts';

// LanceDB writes its warnings to standard error unless told not to.
process.env.LANCEDB_LOG ??= 'error';
export const ended = start();

async function start(): Promise<void> {
  try {
    await runProgram(createProgram(process.argv.slice(2)), process.argv);
  } catch (thrown) {
    // A program that is not whole cannot say its version.
    fail(KernelError.from(thrown, 'internal'), { json: false });
  }
}
