import type { Command } from 'commander';
import type { FileDiff } from '../kernel/undo-commands.ts';
import { escapeTerminal } from '../lib/escape-terminal.ts';
import { note, print } from './output.ts';

const examples = `
Examples:
  cuervo undo --list             runs that changed files
  cuervo runs diff ID            what one of them did to each file
`;

type Flags = { workspace?: string };

export function addRunsCommand(program: Command): void {
  const runs = program
    .command('runs')
    .description('what earlier runs did')
    .addHelpText('afterAll', examples);
  runs
    .command('diff <run>')
    .description('what a run changed, as a unified diff')
    .option('-w, --workspace <dir>', 'the folder the run worked in')
    .action(diff);
}

async function diff(run: string, flags: Flags): Promise<void> {
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel(
    flags.workspace === undefined ? {} : { workspace: flags.workspace },
  );
  const { createTwoFilesPatch } = await import('diff');
  for (const change of await kernel.undo.diff(run)) {
    if (change.isAfterLost) {
      note(`${change.path}: changed by something else since; what the run left is not kept`);
      continue;
    }
    if (change.isBeforeLost) {
      note(`${change.path}: what it was before is not kept any more`);
      continue;
    }
    const { before, after, modes } = change;
    if (modes !== undefined) print(`${escapeTerminal(change.path)}: mode ${modes.join(' -> ')}`);
    if (modes !== undefined && textOf(before) === textOf(after)) continue;
    if (isBinary(before) || isBinary(after)) {
      print(`Binary file ${escapeTerminal(change.path)} differs`);
      continue;
    }
    const [from, to] = names(change);
    const patch = createTwoFilesPatch(from, to, textOf(before), textOf(after), '', '');
    print(escapeTerminal(patch.replace(/^=+\n/, '').trimEnd()));
  }
}

function names({ path, before, after }: FileDiff): [string, string] {
  const nothing = '/dev/null';
  return [
    before === undefined ? nothing : `a/${path}`,
    after === undefined ? nothing : `b/${path}`,
  ];
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
}

function isBinary(bytes: Uint8Array | undefined): boolean {
  return bytes?.subarray(0, 8192).includes(0) ?? false;
}
