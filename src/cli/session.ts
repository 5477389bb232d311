import { type Command, InvalidArgumentError } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { SessionRow, StepRow, Store } from '../contracts/store.ts';
import { sessionEntries } from '../kernel/ask/session-entries.ts';
import { checkIdStart } from '../lib/ids-clock.ts';
import { ageText } from '../lib/text/amounts.ts';
import { shortenText } from '../lib/text/columns.ts';
import { addModelFlags, ask, type ModelFlags } from './ask.ts';
import { confirm } from './ask-person.ts';
import { chat } from './chat.ts';
import { addFamilyExamples } from './command-families.ts';
import { listenForInterrupt } from './interrupt.ts';
import { addCommonFlags, addDryRunFlag, type CommonFlags } from './kernel-options.ts';
import { openKernel, openKernelFor } from './open-kernel.ts';
import { noteLine, oneLine, print, printEach, printJson, printOne } from './output.ts';
import { sessionMarkdown } from './session-text.ts';

const examples = `
Examples:
  cuervo session list
  cuervo session show            the newest of this workspace
  cuervo session show ID --json
  cuervo session resume ID                a chat that goes on with all it knows
  cuervo session resume ID "and now the tests"   one question of it
  cuervo session export ID > talk.md      all that was said and done, numbered
  cuervo session fork ID --at 7           a copy that goes on apart, behind message 7
  cuervo session delete ID
`;

type Flags = { workspace?: string; all?: boolean; json?: boolean };

export function addSessionCommand(program: Command): void {
  const session = program
    .command('session')
    .description('list, show, continue and delete earlier sessions');
  addFamilyExamples(session, examples);
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
  const resume = session
    .command('resume <id> [question...]')
    .description('ask a further question in a session; without one, chat in it');
  addDryRunFlag(addCommonFlags(addModelFlags(resume))).action(
    async (id: string, words: string[], flags: CommonFlags & ModelFlags) => {
      const { id: whole, project } = await wholeSession(id);
      const workspace = flags.workspace ?? project;
      if (words.length === 0) {
        await chat({ ...flags, workspace, session: whole });
        return;
      }
      await ask(
        { question: words.join(' '), isTyped: true },
        { ...flags, workspace, session: whole },
      );
    },
  );
  session
    .command('fork <id>')
    .description('a copy of a session, which goes on apart from it')
    .option('--through <run>', 'up to and with this run (default: all of it)')
    .option(
      '--at <number>',
      'up to and with this message; session export numbers them',
      parseNumber,
    )
    .option('--json', 'the new session as one object')
    .action(fork);
  session
    .command('export [id]')
    .description('all of a session as Markdown (default: the newest of this workspace)')
    .option('-w, --workspace <dir>', 'the folder whose newest session is meant')
    .option('--json', 'one message, call or result a line')
    .action(exportSession);
  session
    .command('delete <id>')
    .description('forget a session: what was said in it, what models were shown, what its runs did')
    .option('--yes', 'do not ask')
    .action(async (id: string, flags: { yes?: boolean }) => {
      const { id: whole, title } = await wholeSession(id);
      if (!flags.yes) {
        const what = `Delete "${oneLine(title)}", what memory has of it and the undo of its changes?`;
        await confirm(what, 'nothing was deleted');
      }
      using interrupt = listenForInterrupt();
      const { signal } = interrupt;
      await using kernel = await openKernel({ onWarning: noteLine });
      await kernel.memoryCommands.forgetSession(whole, { signal });
      print(`deleted ${whole}`);
    });
}

function parseNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('it is a number from 1.');
}

/** A session by the beginning of its id. */
async function wholeSession(start: string): Promise<SessionRow> {
  checkIdStart(start, 'session', 'cuervo session list --all');
  await using kernel = await openKernel();
  const rows = (await kernel.store()).sessions({ limit: 10_000 });
  const found = rows.filter(({ id }) => id.startsWith(start));
  const [only, second] = found;
  if (only !== undefined && second === undefined) return only;
  const hint = 'See them with: cuervo session list --all';
  if (second !== undefined)
    throw new KernelError('not-found', `more than one session begins with "${start}"`, { hint });
  const names = rows.map(({ id }) => id.slice(0, start.length));
  throw KernelError.unknownName(`there is no session "${start}"`, { name: start, names, hint });
}

async function exportSession(id: string | undefined, flags: Flags): Promise<void> {
  const whole = id === undefined ? undefined : await wholeSession(id);
  await using kernel = await openKernelFor(flags);
  const store = await kernel.store();
  const found = whole ?? latestOf(store, kernel.config.workspace);
  const entries = sessionEntries(store, found.id).map(({ end: _, ...entry }) => entry);
  if (flags.json) for (const entry of entries) printJson(entry);
  else print(sessionMarkdown(found, entries).trimEnd());
}

function latestOf(store: Pick<Store, 'latestSession'>, workspace: string): SessionRow {
  const found = store.latestSession(workspace);
  if (found !== undefined) return found;
  throw new KernelError('not-found', 'this workspace has no session yet', {
    hint: 'See them with: cuervo session list --all',
  });
}

async function fork(
  id: string,
  flags: { through?: string; at?: number; json?: boolean },
): Promise<void> {
  if (flags.through !== undefined && flags.at !== undefined) {
    throw new KernelError('invalid-argument', '--through and --at were both given', {
      hint: `One of them says where the copy ends: cuervo session fork ${id} --at ${flags.at}`,
    });
  }
  const from = await wholeSession(id);
  await using kernel = await openKernel();
  const store = await kernel.store();
  const entries = flags.at === undefined ? [] : sessionEntries(store, from.id);
  const at = entries.find(({ number }) => number === flags.at);
  if (flags.at !== undefined && at === undefined) {
    throw new KernelError(
      'not-found',
      `the session ${from.id} has no message ${flags.at}, but ${entries.length}`,
      { hint: `See them with: cuervo session export ${from.id}` },
    );
  }
  const through = { throughRun: flags.through, end: at?.end };
  const made = store.forkSession(from, { ...through, nowMs: Date.now() });
  if (made === undefined) {
    throw new KernelError('not-found', `the session ${from.id} has no run "${flags.through}"`, {
      hint: `See its runs with: cuervo session show ${from.id} --json`,
    });
  }
  printOne(made, flags, `${made.id}  go on with: cuervo session resume ${made.id} "…"`);
}

async function list(flags: Flags): Promise<void> {
  await using kernel = await openKernelFor(flags);
  const store = await kernel.store();
  const project = flags.all ? {} : { project: kernel.config.workspace };
  const rows = store.sessions({ ...project, limit: 100 });
  const nothing = flags.all
    ? 'there are no sessions'
    : 'there are no sessions of this workspace; list all with: cuervo session list --all';
  const lineOf = ({ id, updatedMs, title }: SessionRow): string =>
    `${id}  ${ageText(Date.now() - updatedMs).padEnd(12)}  ${oneLine(title)}`;
  printEach(rows, flags, lineOf, nothing);
}

async function show(id: string | undefined, flags: Flags): Promise<void> {
  const whole = id === undefined ? undefined : await wholeSession(id);
  await using kernel = await openKernelFor(flags);
  const store = await kernel.store();
  const found = whole ?? latestOf(store, kernel.config.workspace);
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
  // The look-up of words leads to the evidence and is not part of it.
  const sources = steps.flatMap(({ tool, status, summary }) =>
    status === 'ok' && tool !== 'search.names' ? [`${tool} (${oneLine(summary)})`] : [],
  );
  if (sources.length === 0) return undefined;
  return shortenText(`its answer is not kept; found by ${sources.join(', ')}`, maxFound);
}
