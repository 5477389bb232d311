import { setFlagsFromString } from 'node:v8';
import { type Command, Option } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { IndexProgress } from '../contracts/memory.ts';
import type { Indexed, IndexState } from '../contracts/output/parse-memory.ts';
import type { Kernel } from '../kernel.ts';
import { counted } from '../lib/text/amounts.ts';
import { escapeLine } from '../lib/text/escape.ts';
import { listenForInterrupt } from './interrupt.ts';
import { afterCommand, openKernelFor } from './open-kernel.ts';
import { note, print, printJson, unreadableLine } from './output.ts';
import { startProgress } from './progress.ts';

type Flags = {
  workspace?: string;
  status?: boolean;
  remove?: boolean;
  watch?: boolean;
  untilIdle?: boolean;
  json?: boolean;
};

const examples = `
Examples:
  cuervo index                  read new and changed files, drop deleted ones
  cuervo index --status         show how far it is behind the files
  cuervo index --watch          keep searches up with the files until Ctrl+C
  cuervo index --remove         remove the index

An interrupted run continues where it stopped. Later commands and
cuervo scheduler run keep the index up to date.
`;

export function addIndexCommand(program: Command): void {
  program
    .command('index')
    .description('read the files of the workspace into memory, so that ask finds more')
    .option('-w, --workspace <dir>', 'the folder that is indexed')
    .option('--status', 'show how far the index is behind the files; change nothing')
    .addOption(new Option('--remove', 'remove the index').conflicts('status'))
    .addOption(
      new Option(
        '--watch',
        'keep the part that searches use up with the files, until Ctrl+C',
      ).conflicts(['status', 'remove', 'json']),
    )
    .addOption(new Option('--until-idle', 'end when nobody asks for half an hour').hideHelp())
    .option('--json', 'the result, or the status, as one object')
    .addHelpText('after', examples)
    .action(indexFiles);
}

export async function indexFiles(flags: Flags): Promise<void> {
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const { json } = flags;
  await using kernel = await openKernelFor(flags);
  if (flags.status) {
    const state = await kernel.index.state({ signal });
    if (json) printJson(state);
    else tellState(state, kernel.config.workspace);
    return;
  }
  if (flags.watch) {
    await watch(kernel, { signal, untilIdle: flags.untilIdle === true });
    return;
  }
  if (flags.remove) {
    const { workspace } = kernel.config;
    const isThere = (await kernel.index.workspaces()).includes(workspace);
    const pieces = await kernel.index.remove({ signal });
    if (json) printJson({ rows: pieces });
    else if (!isThere) print(`${escapeLine(workspace)} has no index`);
    else print(`removed the index, ${counted(pieces, 'piece')}`);
    return;
  }
  let done: Indexed;
  {
    using progress = startProgress(json !== true);
    progress.set('checking the files');
    const onProgress = (now: IndexProgress) => progress.set(barText(now));
    try {
      done = await kernel.index.update({ signal, onProgress });
    } catch (thrown) {
      const error = KernelError.from(thrown, 'internal');
      if (error.code !== 'canceled') throw error;
      throw new KernelError('canceled', 'the index was interrupted; what was read is kept', {
        cause: thrown,
        hint: 'Continue with: cuervo index',
      });
    }
  }
  if (json) printJson(done);
  else tell(done);
  await afterCommand(kernel, { signal });
}

const barCells = 20;

function barText({ files, of, chunks }: IndexProgress): string {
  const filled = of === 0 ? barCells : Math.floor((barCells * files) / of);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(barCells - filled)}]`;
  return `${bar} ${files} of ${counted(of, 'file')}, ${counted(chunks, 'piece')} written`;
}

async function watch(
  kernel: Kernel,
  options: { signal: AbortSignal; untilIdle: boolean },
): Promise<void> {
  using progress = startProgress(true);
  progress.set('reading the files');
  const onWatching = (): void => {
    progress.clear();
    note(`watching ${escapeLine(kernel.config.workspace)}; Ctrl+C ends it`);
  };
  growNewSpace(false);
  try {
    const isOurs = await kernel.index.watch({ ...options, onWatching });
    if (!isOurs) note('another process watches these files');
  } catch (thrown) {
    if (options.signal.aborted) return;
    const { code } = thrown as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EMFILE') throw thrown;
    const message =
      'the system has no more watches for folders; searches look for changes themselves';
    throw new KernelError('resource-exhausted', message, {
      cause: thrown,
      hint: 'On Linux raise it with: sysctl fs.inotify.max_user_watches=524288',
    });
  } finally {
    growNewSpace(true);
  }
}

/**
 * The engine's space for new objects grows while an index is made, and never shrinks: a fifth of what
 * a process that watches would keep. Compiled code is kept for others at the end, and only code that
 * was made with the usual flags fits them.
 */
function growNewSpace(grows: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${grows ? 2 : 1}`);
}

function tell(done: Indexed): void {
  const { added, unchanged, skipped, unreadable, chunks, removed, gone, forgotten } = done;
  print(
    `read ${counted(added, 'file')}, wrote ${counted(chunks, 'piece')}; ${counted(unchanged, 'file')} unchanged`,
  );
  if (removed > 0)
    print(`removed missing files: ${counted(removed, 'piece')}, all of ${counted(gone, 'file')}`);
  if (skipped > 0) note(`skipped, not text or larger than 1 MB: ${counted(skipped, 'file')}`);
  if (unreadable > 0) note(unreadableLine(done));
  if (forgotten > 0) {
    const left = counted(forgotten, 'forgotten file');
    note(`skipped ${left}; bring one back with: cuervo memory add PATH`);
  }
}

/** How searches find files, by what `--status` says. */
const searchTexts = {
  watched: 'a process keeps it up with the files',
  walked: 'changes are looked for before each answer',
};

function tellState({ files, changed, added, gone, search }: IndexState, workspace: string): void {
  if (search.state !== 'none') {
    const { state, stale } = search;
    const behind = stale + search.gone === 0 ? '' : `, ${stale + search.gone} to be read`;
    print(`searches know ${counted(search.files, 'file')}${behind}; ${searchTexts[state]}`);
  }
  if (files === 0) {
    const what = search.state === 'none' ? 'has no index; make one' : 'has no pieces; make them';
    print(`${escapeLine(workspace)} ${what} with: cuervo index`);
    return;
  }
  const behind = changed + added + gone;
  print(`the index holds ${counted(files, 'file')}`);
  if (behind === 0) print('it is up to date');
  else print(`${changed} changed since, ${added} new, ${gone} gone: cuervo index`);
}
