import { Command } from 'commander';
import { addAddCommand, addRemoveCommand } from './add.ts';
import { runProgram } from './run-program.ts';

/**
 * `cuervo add` and `cuervo remove` alone, for a Node that is too old for the rest: it brings a newer
 * one. Built for Node 20, with all that it needs in one file.
 */
const program = new Command('cuervo').configureOutput({ writeErr: () => {} }).exitOverride();
addAddCommand(program);
addRemoveCommand(program);
void runProgram(program, process.argv);
