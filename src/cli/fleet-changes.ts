import { resolve } from 'node:path';
import { exitCodes, KernelError } from '../contracts/error.ts';
import type { FleetChange } from '../contracts/output/parse-jobs.ts';
import type { FleetCommands, PatchedResult } from '../kernel/fleet/fleet-commands.ts';
import { errorBody } from '../kernel/run-events.ts';
import { counted } from '../lib/text/amounts.ts';
import { escapeTerminal } from '../lib/text/escape.ts';
import { confirm } from './ask-person.ts';
import { note, oneLine, printOne, tellError } from './output.ts';
import { diffLine } from './style.ts';

type Flags = { json?: boolean; yes?: boolean; patches?: string };

/** Prints the patches of a run: for a terminal with colours, for a file as they are. */
export async function showPatches(commands: FleetCommands, run: string | undefined): Promise<void> {
  let count = 0;
  for await (const each of commands.patches(run)) {
    count += 1;
    showPatch(each, 'stdout');
  }
  if (count === 0) note('this run changed nothing');
}

function showPatch({ result, patch }: PatchedResult, stream: 'stdout' | 'stderr'): void {
  process[stream].write(`# ${oneLine(result.repository)}\n`);
  if (process[stream].isTTY !== true) {
    process[stream].write(patch);
    return;
  }
  const lines = Buffer.from(patch).toString('utf8').replace(/\n$/, '').split('\n');
  for (const line of lines) process[stream].write(`${diffLine(escapeTerminal(line), stream)}\n`);
}

/** Makes a branch or a file of each patch. One that cannot be made does not stop the others. */
export async function applyPatches(
  commands: FleetCommands,
  run: string | undefined,
  flags: Flags,
): Promise<void> {
  const patched: PatchedResult[] = [];
  for await (const each of commands.patches(run)) patched.push(each);
  if (patched.length === 0)
    throw new KernelError('not-found', 'this run changed nothing', {
      hint: 'See what came of it: cuervo fleet results',
    });
  const folder = flags.patches === undefined ? undefined : resolve(flags.patches);
  if (!flags.yes) {
    for (const each of patched) showPatch(each, 'stderr');
    const what = folder === undefined ? 'a branch for each' : `files in ${folder}`;
    await confirm(
      `Make ${what} of ${counted(patched.length, 'patched repository job')}?`,
      'nothing was applied',
    );
  }
  let done = 0;
  for (const each of patched) {
    try {
      tell(await commands.apply(each, folder), 'made', flags);
      done += 1;
    } catch (thrown) {
      const error = KernelError.from(thrown, 'internal');
      process.exitCode = exitCodes[error.code];
      tellError(errorBody(error), { json: flags.json === true });
    }
  }
  const [first] = patched;
  if (done > 0 && first !== undefined)
    note(`take it back with: cuervo fleet undo ${first.result.run}`);
}

/** Takes back what apply made, unless somebody changed it since. */
export async function undoPatches(
  commands: FleetCommands,
  run: string,
  flags: Flags,
): Promise<void> {
  if (!flags.yes)
    await confirm(`Remove the branches and files of ${run}?`, 'nothing was taken back');
  const changes = await commands.undo(run);
  for (const each of changes) tell(each, 'removed', flags);
  if (changes.some(({ left }) => left !== undefined)) process.exitCode = exitCodes.conflict;
}

function tell(change: FleetChange, deed: string, flags: Flags): void {
  const { kind, name, repository, left } = change;
  const where = kind === 'file' ? oneLine(name) : `${oneLine(name)} in ${oneLine(repository)}`;
  printOne(change, flags, left === undefined ? `${deed} ${where}` : `left ${where}: ${left}`);
}
