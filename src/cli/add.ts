import { Argument, type Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { ListedPart } from '../contracts/output/parse-setup.ts';
import type { PartCommands } from '../kernel/packages/part-commands.ts';
import { partNames } from '../lib/parts/parts.ts';
import { sizeText } from '../lib/text/amounts.ts';
import { confirm } from './ask-person.ts';
import { listenForInterrupt } from './interrupt.ts';
import { collect } from './kernel-options.ts';
import { note, print, printJson, printOne } from './output.ts';
import { startProgress } from './progress.ts';

const examples = `
Examples:
  cuervo add --list                              the parts, their sizes, and which are there
  cuervo add sentence                            says the size and asks first
  cuervo add node --yes                          does not ask
  cuervo add build --download parts              the files alone, for a machine without a network
  cuervo add build --from parts                  from those files

Packages come from the npm registry, or the one of your ~/.npmrc, through the proxy of
HTTPS_PROXY. Each has the version and the bytes that cuervo was tested with. No script of a
package runs.
`;

type Flags = {
  list?: boolean;
  yes?: boolean;
  from?: string[];
  download?: string;
  quiet?: boolean;
  json?: boolean;
};

export function addAddCommand(program: Command): void {
  program
    .command('add')
    .addArgument(partArgument('[part]'))
    .description('bring a part that cuervo is installed without')
    .option('--list', 'what can be added, its size, and what is there')
    .option('--yes', 'do not ask')
    .option('--from <path>', 'take the packages from a folder or a tarball (repeatable)', collect)
    .option('--download <dir>', 'bring the packages into a folder and add nothing')
    .option('-q, --quiet', 'no progress on standard error')
    .option('--json', 'one part a line')
    .addHelpText('after', examples)
    .action(async (name: string | undefined, flags: Flags) => {
      const { createPartCommands } = await import('../kernel/packages/part-commands.ts');
      const parts = createPartCommands(process.env);
      if (flags.list) return listAll(parts, flags);
      if (name === undefined) {
        throw new KernelError('invalid-argument', 'no part is named', {
          hint: `Name one of ${partNames.join(', ')}; see: cuervo add --list`,
        });
      }
      if (flags.from !== undefined && flags.download !== undefined)
        throw new KernelError('invalid-argument', '--from and --download contradict each other');
      await bring(parts, parts.find(name), flags);
    });
}

/** Checked where it is used, with an error of ours; the choices are for completion. */
function partArgument(form: string): Argument {
  const argument = new Argument(form, partNames.join(', '));
  argument.argChoices = [...partNames];
  return argument;
}

async function bring(parts: PartCommands, part: ListedPart, flags: Flags): Promise<void> {
  const { name, state, downloadBytes = 0, bytes = 0 } = part;
  if (flags.download === undefined && (state === 'added' || state === 'clone')) {
    tell(
      part,
      flags,
      state === 'added'
        ? `${name} is already there`
        : `${name} is already there, in node_modules of this clone`,
    );
    return;
  }
  if (state === 'other')
    note(`${name} belongs to another version of cuervo and is downloaded again`);
  const sizes = `${sizeText(downloadBytes)} to download, ${sizeText(bytes)} on the disk`;
  const question = flags.download === undefined ? sizes : `${sizeText(downloadBytes)} to download`;
  if (flags.yes) note(`${name}: ${flags.from === undefined ? question : sizeText(bytes)}`);
  else if (flags.from === undefined)
    await confirm(`Add ${name}, ${part.about}: ${question}?`, 'nothing was added');
  using interrupt = listenForInterrupt();
  using progress = startProgress(!flags.quiet);
  const options = {
    signal: interrupt.signal,
    from: flags.from,
    onProgress: (came: number) =>
      progress.set(`${name}: ${sizeText(came)} of ${sizeText(downloadBytes)}`),
  };
  progress.set(`adding ${name}`);
  if (flags.download === undefined) await parts.add(name, options);
  else await parts.download(name, flags.download, options);
  progress.clear();
  const done =
    flags.download === undefined
      ? `added ${name}`
      : `downloaded the packages of ${name} into ${flags.download}`;
  tell(parts.find(name), flags, done);
}

function tell(part: ListedPart, flags: Flags, sentence: string): void {
  printOne(part, flags, sentence);
}

const words: Readonly<Record<ListedPart['state'], string>> = {
  added: 'added',
  clone: 'in this clone',
  other: 'of another version; download it again with cuervo add',
  absent: '-',
  refused: 'not here',
};

function listAll(parts: PartCommands, flags: Flags): void {
  for (const each of parts.list()) {
    if (flags.json) {
      printJson(each);
      continue;
    }
    const { name, about, state, reason, downloadBytes = 0, bytes = 0 } = each;
    const size =
      state === 'refused'
        ? ''
        : `, ${sizeText(downloadBytes)} to download, ${sizeText(bytes)} on the disk`;
    const why = reason === undefined ? '' : ` (${reason})`;
    print(`${name.padEnd(9)} ${words[state]}${why}: ${about}${size}`);
  }
}

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
