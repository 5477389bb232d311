import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { StepRow } from '../contracts/store.ts';
import { checkIdStart } from '../kernel/check-id-start.ts';
import { ageText } from '../lib/text/age-text.ts';
import { shortenText } from '../lib/text/shorten-text.ts';
import { workspaceOption } from './kernel-options.ts';
import { note, noteLine, oneLine, print, printJson } from './output.ts';

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
  await using kernel = await openKernel({ onWarning: noteLine, ...workspaceOption(flags) });
  const store = await kernel.store();
  const project = flags.all ? {} : { project: kernel.config.workspace };
  const rows = store.sessions({ ...project, limit: 100 });
  for (const row of rows) {
    if (flags.json) printJson(row);
    else
      print(`${row.id}  ${ageText(Date.now() - row.updatedMs).padEnd(12)}  ${oneLine(row.title)}`);
  }
  if (rows.length === 0 && !flags.json) {
    note(
      flags.all
        ? 'there are no sessions'
        : 'there are no sessions of this workspace; list all with: cuervo session list --all',
    );
  }
}

async function show(id: string | undefined, flags: Flags): Promise<void> {
  if (id !== undefined) checkIdStart(id, 'session', 'cuervo session list --all');
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel({ onWarning: noteLine, ...workspaceOption(flags) });
  const store = await kernel.store();
  const found = id === undefined ? store.latestSession(kernel.config.workspace) : store.session(id);
  if (found === undefined) {
    const message =
      id === undefined ? 'this workspace has no session yet' : `there is no session "${id}"`;
    throw new KernelError('not-found', message, {
      hint: 'See them with: cuervo session list --all',
    });
  }
  const messages = store.messages(found.id);
  const answered = new Set(messages.flatMap(({ role, run }) => (role === 'user' ? [] : [run])));
  for (const message of messages) {
    if (flags.json) {
      printJson(message);
      continue;
    }
    print(`${message.role === 'user' ? '>' : ' '} ${oneLine(message.text)}`);
    if (answered.has(message.run)) continue;
    const found = foundBy(store.steps(message.run));
    if (found !== undefined) print(`  ${found}`);
  }
}

/** Characters of what the steps of a run say of themselves. */
const maxFound = 320;

/**
 * Passages, and answers that recalled turns went into, are not kept: the journal has what the
 * steps found. Undefined for a note, which has none, and where the journal was pruned.
 */
function foundBy(steps: readonly StepRow[]): string | undefined {
  const sources = steps.flatMap(({ tool, status, summary }) =>
    status === 'ok' ? [`${tool} (${oneLine(summary)})`] : [],
  );
  if (sources.length === 0) return undefined;
  return shortenText(`its answer is not kept; found by ${sources.join(', ')}`, maxFound);
}
