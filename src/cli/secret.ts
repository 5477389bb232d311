import type { Command } from 'commander';
import { createAskPassphrase, readHidden } from './ask-person.ts';
import { addFamilyExamples } from './command-families.ts';
import { listenForInterrupt } from './interrupt.ts';
import { collect } from './kernel-options.ts';
import { openKernel } from './open-kernel.ts';
import { print, printEach, printOne } from './output.ts';

const examples = `
Examples:
  cuervo secret set API_TOKEN --for https://api.example.org      typed, not shown
  pass show api | cuervo secret set API_TOKEN --for https://api.example.org
  cuervo secret list                                  names and origins, never values
  cuervo secret remove API_TOKEN

A plugin writes {{secret:API_TOKEN}} into a header. cuervo puts the value in as the request
leaves, only for the origins named with --for, and removes it from the answer.
`;

export function addSecretCommand(program: Command): void {
  const secret = program
    .command('secret')
    .description('keep secrets that plugins can send but never see');
  addFamilyExamples(secret, examples);
  secret
    .command('set <name>')
    .description('keep a secret, typed or from standard input')
    .requiredOption('--for <origin>', 'where it may be sent, e.g. https://api.example.org', collect)
    .option('--json', 'name and origins as one object')
    .action(async (name: string, flags: { for: string[]; json?: boolean }) => {
      using interrupt = listenForInterrupt();
      const askPassphrase = createAskPassphrase();
      await using kernel = await openKernel(askPassphrase === undefined ? {} : { askPassphrase });
      const value = await readHidden(`Secret ${name} (not shown): `, interrupt.signal);
      const secret = { name, value, origins: [...new Set(flags.for)] };
      const kept = await kernel.secrets.set(secret, { signal: interrupt.signal });
      printOne(kept, flags, `kept ${kept.name} for ${kept.origins.join(' ')}`);
    });
  secret
    .command('list')
    .description('list the names of secrets and where each may be sent')
    .option('--json', 'one object a line')
    .action(async (flags: { json?: boolean }) => {
      await using kernel = await openKernel();
      const listed = kernel.secrets.list();
      printEach(
        listed,
        flags,
        (each) => `${each.name}  ${each.origins.join(' ')}`,
        'there are no secrets',
      );
    });
  secret
    .command('remove <name>')
    .description('forget a secret')
    .action(async (name: string) => {
      await using kernel = await openKernel();
      await kernel.secrets.remove(name);
      print(`removed ${name}`);
    });
}
