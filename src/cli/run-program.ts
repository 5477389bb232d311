import { type Command, CommanderError } from 'commander';
import type { BuildError } from '../../sdk/build/build-error.ts';
import { exitCodes, KernelError } from '../contracts/error.ts';
import { toKernelError } from '../kernel/run-events.ts';
import { shellWord } from '../lib/text/escape.ts';
import { onLostOutput } from './lost-output.ts';
import { fail, note, print } from './output.ts';

/** Shown to a person who typed only the name: what to type first. */
const firstScreen = `cuervo answers questions about this folder, and does what you allow.

  cuervo ask "what is this project?"       answers with lines of your files
  cuervo chat                              one question after the other
  cuervo ask "remember that …"             kept, and found again
  cuervo undo                              takes back what the last run changed
  cuervo init                              finds a model, and makes an index
  cuervo doctor                            what protects you on this machine

All commands: cuervo --help`;

/** Runs a command line; the exit code is `process.exitCode`. */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  onLostOutput();
  const json = argv.includes('--json');
  const words = argv.slice(2);
  if (words.length === 0) {
    print(firstScreen);
    return;
  }
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
      fail(usageError(thrown, taken, questionHint(thrown, words) ?? usageHint(program, words)), {
        json,
      });
      return;
    }
    const error = toKernelError(isAuthors(thrown) ? asKernelError(thrown) : thrown);
    const isBare = error.code === 'invalid-argument' && error.hint === undefined;
    fail(isBare ? withHint(error, usageHint(program, words)) : error, { json });
  }
}

/** Compared by name, since only few commands load the class. */
function isAuthors(thrown: unknown): thrown is BuildError {
  return thrown instanceof Error && thrown.name === 'BuildError';
}

function asKernelError(cause: BuildError): KernelError {
  const { code, message, hint = '' } = cause;
  return new KernelError(code, message, { cause, ...(hint === '' ? {} : { hint }) });
}

function usageError(thrown: CommanderError, taken: string, hint: string): KernelError {
  const message = `${thrown.message.replace(/^error: /, '').replace(/\n/g, ' ')}${taken}`;
  return new KernelError(
    'invalid-argument',
    message === '(outputHelp)' ? 'no command given' : message,
    { hint },
  );
}

/** The last flag with a value, which the person may have meant as the missing argument. */
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

/** The deepest command at the start of the words, its path, and the words after it. */
type FoundCommand = { command: Command; path: string[]; rest: string[] };

/** @param words without flags */
function findCommand(program: Command, words: readonly string[]): FoundCommand {
  const path: string[] = [];
  let command = program;
  for (const word of words) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) break;
    command = child;
    path.push(word);
  }
  return { command, path, rest: words.slice(path.length) };
}

/** Words in the place of a command are a question. */
function questionHint(
  { code, message }: CommanderError,
  words: readonly string[],
): string | undefined {
  const said = words.filter(isNoFlag).join(' ').trim();
  const isCommand = code !== 'commander.unknownCommand' || message.includes('Did you mean');
  const isQuestion = !isCommand && /\s|\?$/.test(said);
  return isQuestion ? `Ask it with: cuervo ask ${shellWord(said)}` : undefined;
}

/** The command that shows the usage of what these words mean. */
function usageHint(program: Command, words: readonly string[]): string {
  const { path } = findCommand(program, words.filter(isNoFlag));
  return `See the usage with: ${['cuervo', ...path].join(' ')} --help`;
}

/**
 * `help plugin install` and `plugin help install` as `plugin install --help`: commander itself
 * looks one level deep, and takes a name that it does not know for none.
 *
 * @param words of the command line, behind the program
 * @returns the words as they are where nobody asks for help by that command
 * @throws {KernelError} `invalid-argument` with the name that is not a command
 */
function resolveHelp(program: Command, words: readonly string[]): readonly string[] {
  const asked = findCommand(program, words);
  if (asked.rest[0] !== 'help' || asked.command.commands.length === 0) return words;
  const names = asked.rest.filter((word) => isNoFlag(word) && word !== 'help');
  const wanted = findCommand(asked.command, names);
  const path = [...asked.path, ...wanted.path];
  const [unknown] = wanted.rest;
  if (unknown === undefined) return [...path, '--help'];
  const parent = ['cuervo', ...path].join(' ');
  throw new KernelError('invalid-argument', `${parent} has no command "${unknown}"`, {
    hint: usageHint(program, path),
  });
}

/**
 * A group of commands on its own lists what it is about: `runs` as `runs list`, `policy` as
 * `policy rules`. A word that is not a command stays one that is not known.
 */
function resolveBare(program: Command, words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, index) => isNoFlag(word) && words[index - 1] !== '--color');
  const group = program.commands.find((each) => each.name() === words[at]);
  const lister = group?.commands.find((each) => ['list', 'rules'].includes(each.name()));
  const next = words[at + 1];
  const isBare = next === undefined || (!isNoFlag(next) && next !== '--help' && next !== '-h');
  if (lister === undefined || !isBare) return words;
  return [...words.slice(0, at + 1), lister.name(), ...words.slice(at + 1)];
}

function isNoFlag(word: string): boolean {
  return !word.startsWith('-');
}
