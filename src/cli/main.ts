import { createProgram } from './program.ts';
import { runProgram } from './run-program.ts';

// LanceDB writes its warnings to standard error unless told not to.
process.env.LANCEDB_LOG ??= 'error';
export const ended = runProgram(createProgram(), process.argv);
