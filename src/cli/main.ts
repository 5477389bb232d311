import { createProgram } from './program.ts';
import { runProgram } from './run-program.ts';

// LanceDB writes its warnings to standard error unless told not to.
process.env.LANCEDB_LOG ??= 'error';
void runProgram(createProgram(), process.argv);
