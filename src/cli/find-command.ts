import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';

/** The deepest command that the words begin with, its path, and the words behind it. */
type FoundCommand = { command: Command; path: string[]; rest: string[] };

/** @param words without flags */
export function findCommand(program: Command, words: readonly string[]): FoundCommand {
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

/** How a person comes to the usage of the command that these words mean. */
export function usageHint(program: Command, words: readonly string[]): string {
  const { path } = findCommand(program, words.filter(isNoFlag));
  return `See the usage with: ${['cuervo', ...path].join(' ')} --help`;
}

/**
 * `help plugin install` and `plugin help install` as `plugin install --help`: commander itself
 * looks one level deep, and takes a name that it does not know for none.
 *
 * @param words of the command line, behind the program
 * @returns the words as they are where nobody asks for help by that command
 * @throws {KernelError} `invalid-argument` with the name that is no command
 */
export function resolveHelp(program: Command, words: readonly string[]): readonly string[] {
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

function isNoFlag(word: string): boolean {
  return !word.startsWith('-');
}
