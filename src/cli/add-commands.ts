import type { Command } from 'commander';

/**
 * Adds commands to a program or a family of commands.
 *
 * @param commands by name, in the order of the help
 * @param word where it names one of them, that one is made alone, which takes a tenth of the time
 */
export function addCommands(
  to: Command,
  commands: Readonly<Record<string, (to: Command, next?: string) => unknown>>,
  word = '',
  next?: string,
): void {
  const isAlone = Object.hasOwn(commands, word);
  for (const [name, add] of Object.entries(commands)) if (!isAlone || name === word) add(to, next);
}
