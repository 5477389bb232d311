import type { Command } from 'commander';
import { partArgument } from './add.ts';
import { print } from './output.ts';

export function addRemoveCommand(program: Command): void {
  program
    .command('remove')
    .addArgument(partArgument('<part>'))
    .description('remove a part that was added')
    .addHelpText('after', '\nExamples:\n  cuervo remove gpu\n')
    .action(async (name: string) => {
      const { createPartCommands } = await import('../kernel/packages/part-commands.ts');
      createPartCommands(process.env).remove(name);
      print(`removed ${name}`);
    });
}
