import { join, relative, resolve } from 'node:path';
import { diffArrays } from 'diff';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import type { FileChange } from '../../contracts/file-changes.ts';
import type { BlamedLines } from '../../contracts/output/parse-journal.ts';
import { openRootFiles } from '../../host/root-files.ts';
import { rootFolders } from '../../lib/files/paths.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { createBlobStore } from '../../workspace/blob-store.ts';
import { createChangeKeeper } from '../../workspace/keep-changes.ts';

/** A longer comparison of two states is given up, and the later one's lines are all of its run. */
const maxDiffMs = 2_000;

type BlamePorts = { config: Config; store: StoreWithJournal; clock: Clock };

/** Who wrote a line: a change, and whether nothing else could have. */
type Writer = { change: FileChange; isSure: boolean } | undefined;

/** A state of the file; undefined for bytes that are not kept any more. */
type State = { lines: readonly string[] | undefined; by: Writer };

/**
 * Which run wrote each line of a file, by the states that were kept before each change of a run.
 * Nothing of the file is shown.
 *
 * @throws {KernelError} `not-found` where no run changed it, or it is not there
 */
export function blameFile(typed: string, { config, store, clock }: BlamePorts): BlamedLines[] {
  const { workspace } = config;
  const path = relative(workspace, resolve(workspace, typed)).split('\\').join('/');
  const changes = store.changes
    .ofPath(workspace, 'work', path)
    .filter(({ kind, afterHash }) => kind !== 'rename' && afterHash !== undefined);
  if (changes.length === 0)
    throw new KernelError('not-found', `no run of this workspace wrote ${typed}`, {
      hint: 'See the files that runs changed with: cuervo undo --list, and cuervo runs diff ID',
    });
  const now = readNow(path, { config, store, clock });
  if (now === undefined)
    throw new KernelError('not-found', `there is no file ${typed} any more`, {
      hint: 'See what runs did to it with: cuervo undo --list',
    });
  const writers = attribute(statesOf(changes, { now, config }));
  return grouped(writers).map(({ line, endLine, by }) => {
    if (by === undefined) return { line, endLine, isSure: true };
    const { run = '', ts } = by.change;
    const { command, question } = store.run(run) ?? {};
    return {
      ...{ line, endLine, run, ts, isSure: by.isSure },
      ...(command === undefined ? {} : { command }),
      ...(question === undefined ? {} : { question }),
    };
  });
}

/** By way of what undo reads with: no link leads out of the workspace. */
function readNow(path: string, { config, store, clock }: BlamePorts): Uint8Array | undefined {
  const blobs = join(config.home, 'blobs');
  const keeper = createChangeKeeper({ blobs, changes: store.changes, clock, flush: false });
  using files = openRootFiles(rootFolders(['work'], config), { keeper, run: undefined });
  return files.read({ root: 'work', path });
}

/** The file before the first change, and behind each. */
function statesOf(
  changes: readonly FileChange[],
  { now, config }: { now: Uint8Array; config: Config },
): State[] {
  const blobs = createBlobStore(join(config.home, 'blobs'));
  const linesOf = (hash: string | undefined): readonly string[] | undefined => {
    if (hash === undefined) return [];
    try {
      return splitLines(Buffer.from(blobs.read(hash)).toString());
    } catch {
      // It was pruned, or is damaged: its lines are those of the state behind it.
      return undefined;
    }
  };
  const nowHash = sha256(now);
  return [
    { lines: linesOf(changes[0]?.beforeHash), by: undefined },
    ...changes.map((change, at): State => {
      const next = changes[at + 1];
      const isLast = next === undefined;
      const behind = isLast ? nowHash : next.beforeHash;
      const lines = isLast ? splitLines(Buffer.from(now).toString()) : linesOf(behind);
      return { lines, by: { change, isSure: behind === change.afterHash } };
    }),
  ];
}

const splitLines = (text: string): string[] =>
  text === '' ? [] : text.replace(/\n$/, '').split('\n');

/** The writer of each line of the last state. */
function attribute(states: readonly State[]): Writer[] {
  let lines: readonly string[] = [];
  let writers: Writer[] = [];
  for (const state of states) {
    if (state.lines === undefined) continue;
    const parts = diffArrays([...lines], [...state.lines], { timeout: maxDiffMs });
    const next: Writer[] = [];
    let at = 0;
    if (parts === undefined) next.push(...state.lines.map(() => state.by));
    else
      for (const { added, removed, count } of parts) {
        if (removed) at += count;
        else if (added) for (let each = 0; each < count; each += 1) next.push(state.by);
        else {
          next.push(...writers.slice(at, at + count));
          at += count;
        }
      }
    lines = state.lines;
    writers = next;
  }
  return writers;
}

/** Lines of one writer that follow each other. */
function grouped(writers: readonly Writer[]): { line: number; endLine: number; by: Writer }[] {
  const groups: { line: number; endLine: number; by: Writer }[] = [];
  for (const [at, by] of writers.entries()) {
    const last = groups.at(-1);
    if (last !== undefined && last.by === by) last.endLine = at + 1;
    else groups.push({ line: at + 1, endLine: at + 1, by });
  }
  return groups;
}
