import type { Command } from 'commander';

/**
 * Shows the examples of a family of commands: all of them with the family itself, and with each
 * command those that call it.
 *
 * @param text `Examples:`, then a line each; what follows after an empty line is shown with all
 */
export function addFamilyExamples(family: Command, text: string): void {
  const [, examples = '', notes = ''] =
    /^\n?(Examples:\n(?: .*\n)*)(?:\n([\s\S]*))?$/.exec(text) ?? [];
  family.addHelpText('afterAll', ({ command }) => {
    const own = command === family ? examples : ownExamples(examples, pathOf(command));
    return [own, notes]
      .filter((part) => part !== '')
      .map((part) => `\n${part}`)
      .join('');
  });
}

/** `cuervo memory edit` */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

function ownExamples(text: string, path: string): string {
  const lines = text.split('\n').slice(1);
  const own = lines.filter((line) => `${line.trim()} `.includes(`${path} `));
  return own.length === 0 ? '' : `Examples:\n${own.join('\n')}\n`;
}

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
