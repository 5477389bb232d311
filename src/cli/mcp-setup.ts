import { copyFileSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Argument, type Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { homeFolder } from '../lib/files/paths.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import { workspaceOption } from './kernel-options.ts';
import { openKernel } from './open-kernel.ts';
import { note, oneLine, print } from './output.ts';
import { showDiffs } from './show-diffs.ts';

/** Their setups are in src/mcp/setup-client.ts; the choices are for completion. */
const names = ['claude-code', 'codex', 'vscode', 'zed'];

const examples = `
Examples:
  cuervo mcp setup vscode           what to put into .vscode/mcp.json of this workspace
  cuervo mcp setup codex --write    puts it into ~/.codex/config.toml
`;

export function addMcpSetup(mcp: Command): void {
  const client = new Argument('<client>', names.join(', '));
  client.argChoices = names;
  mcp
    .command('setup')
    .description('print what to put where for a client to start cuervo')
    .addArgument(client)
    .option(
      '-w, --workspace <dir>',
      'the folder whose file it is, where the client has one for each',
    )
    .option('--write', 'put it there: shows the difference, and keeps the old file beside it')
    .addHelpText('after', examples)
    .action(setup);
}

async function setup(name: string, flags: { workspace?: string; write?: boolean }): Promise<void> {
  const { setupOf } = await import('../mcp/setup-client.ts');
  await using kernel = await openKernel(workspaceOption(flags));
  const { workspace } = kernel.config;
  const user = homeFolder();
  const config = kernel.config.environment().XDG_CONFIG_HOME || join(user, '.config');
  const { title, file, alone, withCuervo } = setupOf(name, { workspace, user, config });
  if (!flags.write) {
    note(`${title} reads ${oneLine(file)}:`);
    print(alone.trimEnd());
    note(`To put it there: cuervo mcp setup ${name} --write`);
    return;
  }
  refuseLink(file);
  const before = readTextIfPresent(file);
  const after = withCuervo(before ?? '');
  if (after === before) {
    note(`cuervo is in ${oneLine(file)} already`);
    return;
  }
  const bytes = before === undefined ? undefined : Buffer.from(before);
  await showDiffs([{ path: file, before: bytes, after: Buffer.from(after) }], 'stdout');
  mkdirSync(dirname(file), { recursive: true });
  if (before !== undefined) copyFileSync(file, `${file}.before-cuervo`);
  const mode = before === undefined ? 0o644 : lstatSync(file).mode & 0o777;
  writeFileWhole(file, after, { mode });
  note(
    `written to ${oneLine(file)}; ${before === undefined ? 'there was none' : `the old one is ${oneLine(file)}.before-cuervo`}`,
  );
}

/** A link may lead anywhere; whoever made it knows what is to be written there. */
function refuseLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new KernelError('conflict', `${file} is a link, and is left as it is`, {
    hint: 'Put it where the link leads yourself; without --write the text is printed.',
  });
}
