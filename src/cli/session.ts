import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { ageText } from '../lib/age-text.ts';
import { oneLine, print, printJson } from './output.ts';

const examples = `
Examples:
  cuervo session list
  cuervo session show            the newest of this workspace
  cuervo session show ID --json
`;

type Flags = { workspace?: string; all?: boolean; json?: boolean };

export function addSessionCommand(program: Command): void {
  const session = program
    .command('session')
    .description('list and show earlier sessions')
    .addHelpText('afterAll', examples);
  session
    .command('list')
    .description('sessions of this workspace, newest first')
    .option('-w, --workspace <dir>', 'the folder whose sessions are listed')
    .option('--all', 'sessions of every workspace')
    .option('--json', 'one object a line')
    .action(list);
  session
    .command('show [id]')
    .description('the turns of a session (default: the newest of this workspace)')
    .option('-w, --workspace <dir>', 'the folder whose newest session is shown')
    .option('--json', 'one message a line')
    .action(show);
}

async function list(flags: Flags): Promise<void> {
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel(
    flags.workspace === undefined ? {} : { workspace: flags.workspace },
  );
  const store = await kernel.store();
  const project = flags.all ? {} : { project: kernel.config.workspace };
  for (const row of store.sessions({ ...project, limit: 100 })) {
    if (flags.json) printJson(row);
    else
      print(`${row.id}  ${ageText(Date.now() - row.updatedMs).padEnd(12)}  ${oneLine(row.title)}`);
  }
}

async function show(id: string | undefined, flags: Flags): Promise<void> {
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel(
    flags.workspace === undefined ? {} : { workspace: flags.workspace },
  );
  const store = await kernel.store();
  const found = id === undefined ? store.latestSession(kernel.config.workspace) : store.session(id);
  if (found === undefined) {
    const message =
      id === undefined ? 'this workspace has no session yet' : `there is no session "${id}"`;
    throw new KernelError('not-found', message, {
      hint: 'See them with: cuervo session list --all',
    });
  }
  for (const message of store.messages(found.id)) {
    if (flags.json) printJson(message);
    else print(`${message.role === 'user' ? '>' : ' '} ${oneLine(message.text)}`);
  }
}
