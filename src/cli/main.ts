import { type Command, CommanderError } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { toKernelError } from '../kernel/to-kernel-error.ts';
import { onLostOutput } from './lost-output.ts';
import { fail } from './output.ts';
import { createProgram } from './program.ts';

/** Runs the command line; the exit code is `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  // LanceDB writes its warnings to standard error unless told not to.
  process.env.LANCEDB_LOG ??= 'error';
  onLostOutput();
  const json = argv.includes('--json');
  try {
    await createProgram().parseAsync(argv);
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      // Help and version are asked for by an error of code 0.
      if (thrown.exitCode === 0) return;
      fail(usageError(thrown, argv), { json });
      return;
    }
    fail(toKernelError(thrown), { json });
  }
}

function usageError(thrown: CommanderError, argv: readonly string[]): KernelError {
  const command = argv.slice(2).filter((word) => /^[a-z]+$/.test(word));
  const known = createProgram().commands.find((each) => each.name() === command[0]);
  const path = known !== undefined ? `cuervo ${command[0]}` : 'cuervo';
  const reason = thrown.message.replace(/^error: /, '').replace(/\n/g, ' ');
  const taken = thrown.code === 'commander.missingArgument' ? takenBy(argv, known) : '';
  const message = `${reason}${taken}`;
  return new KernelError(
    'invalid-argument',
    message === '(outputHelp)' ? 'no command given' : message,
    {
      hint: `See the usage with: ${path} --help`,
    },
  );
}

/** The last flag that took a value, which may have been meant as the argument that is missing. */
function takenBy(argv: readonly string[], command: Command | undefined): string {
  const valued = command?.options.filter(({ required }) => required) ?? [];
  const at = argv.findLastIndex((word) =>
    valued.some(({ long, short }) => word === long || word === short),
  );
  if (at === -1) return '';
  return `: ${argv[at]} takes a value, and took ${JSON.stringify(argv[at + 1])}`;
}

void main(process.argv);
