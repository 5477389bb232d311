import { type Command, CommanderError } from 'commander';
import { exitCodes, KernelError } from '../contracts/error.ts';
import { toKernelError } from '../kernel/to-kernel-error.ts';
import { findCommand, resolveBare, resolveHelp, usageHint } from './find-command.ts';
import { onLostOutput } from './lost-output.ts';
import { fail, note } from './output.ts';

/** Runs a command line; the exit code is `process.exitCode`. */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  onLostOutput();
  const json = argv.includes('--json');
  const words = argv.slice(2);
  try {
    await program.parseAsync(resolveBare(program, resolveHelp(program, words)), { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      // Help and version are asked for by an error of code 0.
      if (thrown.exitCode === 0) return;
      const { command } = findCommand(program, words);
      if (thrown.message === '(outputHelp)' && !json) {
        // A command name without arguments asks what there is.
        command.configureOutput({ writeErr: (text) => note(text.trimEnd()) });
        command.outputHelp({ error: true });
        process.exitCode = exitCodes['invalid-argument'];
        return;
      }
      const taken = thrown.code === 'commander.missingArgument' ? takenBy(words, command) : '';
      fail(usageError(thrown, taken, usageHint(program, words)), { json });
      return;
    }
    const error = toKernelError(thrown);
    const isBare = error.code === 'invalid-argument' && error.hint === undefined;
    fail(isBare ? withHint(error, usageHint(program, words)) : error, { json });
  }
}

function usageError(thrown: CommanderError, taken: string, hint: string): KernelError {
  const message = `${thrown.message.replace(/^error: /, '').replace(/\n/g, ' ')}${taken}`;
  return new KernelError(
    'invalid-argument',
    message === '(outputHelp)' ? 'no command given' : message,
    { hint },
  );
}

/** The last flag that took a value, which may have been meant as the argument that is missing. */
function takenBy(words: readonly string[], command: Command): string {
  const valued = command.options.filter(({ required }) => required);
  const at = words.findLastIndex((word) =>
    valued.some(({ long, short }) => word === long || word === short),
  );
  if (at === -1) return '';
  return `: ${words[at]} takes a value and got ${JSON.stringify(words[at + 1])}`;
}

function withHint(error: KernelError, hint: string): KernelError {
  return new KernelError(error.code, error.message, { cause: error, hint });
}
