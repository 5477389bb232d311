import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';

/** The deepest command at the start of the words, its path, and the words after it. */
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

/** The command that shows the usage of what these words mean. */
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
 * @throws {KernelError} `invalid-argument` with the name that is not a command
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

/**
 * A group of commands on its own lists what it is about: `runs` as `runs list`, `policy` as
 * `policy rules`. A word that is not a command stays one that is not known.
 */
export function resolveBare(program: Command, words: readonly string[]): readonly string[] {
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
