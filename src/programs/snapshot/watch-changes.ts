import type { ProtectedCheck, RunnerCheck } from '../../contracts/content-gate.ts';
import type { StateKeeper } from '../../contracts/file-changes.ts';
import {
  type Change,
  changesOf,
  compareWalks,
  type Difference,
  loadKnownHashes,
} from './copy-changes.ts';
import { sweepParts } from './copy-root.ts';
import { gitHistory } from './git-history.ts';
import {
  judgeWalk,
  listed,
  openReader,
  type RootWalk,
  type SnapshotLimits,
  type Walked,
  type WalkVerdict,
  walkRoot,
} from './walk-root.ts';

/** Which program changes what, for the rows of its changes. */
export type WatchedRun = {
  run?: string | undefined;
  step?: string | undefined;
  program: string;
  /** true where no sandbox holds it to the roots */
  isUnconfined: boolean;
  /** what it does that no undo takes back, one sentence each */
  lasting?: readonly string[];
};

export type ChangeWatcher = {
  /** Changes that an undo of the program would not cover if it ran now, one sentence each. */
  foresee(folders: Readonly<Record<string, string>>): Promise<string[]>;
  /**
   * Keeps the state of the roots before a program that may write runs.
   *
   * @returns what is called when it has ended, however it ended: finds and records what it did,
   *   and returns what of it no undo takes back, one sentence each
   */
  watch(
    folders: Readonly<Record<string, string>>,
    by: WatchedRun,
  ): Promise<() => Promise<string[]>>;
};

export type WatchPorts = {
  keeper(): Promise<StateKeeper>;
  isProtected: ProtectedCheck;
  /** who runs a file without being asked to; a person gets a note when such a file changed */
  runnerOf: RunnerCheck;
  /** tells a person one sentence */
  warn(text: string): void;
  /** folder of what is remembered of files that were read, `CUERVO_HOME/snapshots` */
  known: string;
  limits: SnapshotLimits;
};

/** A root before the program runs. */
type RootState = {
  name: string;
  folder: string;
  takenAtMs: number;
  walk: RootWalk;
  verdict: WalkVerdict;
  /** path -> SHA-256 of what is kept */
  hashes: ReadonlyMap<string, string>;
  history: string;
};

type Found = { changes: Change[]; lasting: string[] };

/** Files between two turns of the event loop. */
const filesPerTurn = 100;
const shownPaths = 5;

/** Finds changes of programs below the roots by a look before and after. */
export function createChangeWatcher(ports: WatchPorts): ChangeWatcher {
  const { isProtected, limits, runnerOf, warn } = ports;
  const maxAfter = limits.entries * 10;

  const walk = (name: string, folder: string, closed?: RootWalk['closed']): Promise<RootWalk> =>
    walkRoot(name, folder, {
      isProtected,
      // A root that grew above the limit is still searched for additions.
      maxEntries: closed === undefined ? limits.entries : maxAfter,
      entersIgnored: limits.ignoredBytes > 0,
      ...(closed === undefined ? {} : { closed }),
    });

  async function take(name: string, folder: string, keeper: StateKeeper): Promise<RootState> {
    const takenAtMs = Date.now();
    const found = await walk(name, folder);
    sweepParts(folder, found.entries, takenAtMs);
    const verdict = judgeWalk(found, limits);
    const history = historyOf(folder, found);
    const kept = verdict.beyond === undefined;
    const hashes = kept ? await keepAll(name, folder, found, verdict, keeper) : new Map();
    return { name, folder, takenAtMs, walk: found, verdict, hashes, history };
  }

  async function keepAll(
    name: string,
    folder: string,
    found: RootWalk,
    verdict: WalkVerdict,
    keeper: StateKeeper,
  ): Promise<Map<string, string>> {
    const known = loadKnownHashes(ports.known, folder);
    const kept = keeper.kept();
    const hashes = new Map<string, string>();
    using reader = openReader(name, folder);
    let count = 0;
    for (const [path, entry] of found.entries) {
      if (!isKept(entry, verdict)) continue;
      const before = known.of(path, entry);
      if (before !== undefined && kept.has(before)) {
        hashes.set(path, before);
        continue;
      }
      const readAtMs = Date.now();
      const read = reader.read(path);
      if (read === undefined) continue;
      hashes.set(path, keeper.keep(read.bytes));
      known.set(path, entry, readAtMs, read.hash);
      count += 1;
      if (count % filesPerTurn === 0) await nextTurn();
    }
    known.save(new Set(hashes.keys()));
    return hashes;
  }

  async function find(state: RootState): Promise<Found> {
    const now = await walk(state.name, state.folder, state.walk.closed);
    const found: Found = { changes: [], lasting: [] };
    const { beyond } = state.verdict;
    if (state.walk.isCut || now.isCut) {
      const why = beyond ?? `the workspace has more than ${maxAfter} files now`;
      found.lasting.push(`its changes are unknown: ${why}`);
    } else {
      const differences = compareWalks(state.walk.entries, now.entries, state.takenAtMs);
      if (beyond === undefined) await findKept(state, differences, found);
      else {
        const paths = differences
          .filter(({ before, after }) => !isOnlyYoung(before, after))
          .map(({ path }) => path);
        const changed = listed(paths, shownPaths);
        if (paths.length > 0)
          found.lasting.push(`nothing was kept, as ${beyond}; changed: ${changed}`);
      }
    }
    if (historyOf(state.folder, now) !== state.history) {
      found.lasting.push('the repository changed (.git); see how with: git reflog');
    }
    return found;
  }

  function tellRun(program: string, changes: readonly Change[]): void {
    const paths = Map.groupBy(changes, ({ root, path }) => runnerOf(path, root));
    for (const [runner, files] of paths) {
      if (runner === undefined) continue;
      const changed = listed([...new Set(files.map(({ path }) => path))], shownPaths);
      warn(`program "${program}" changed what ${runner} runs without being asked to: ${changed}`);
    }
  }

  return {
    foresee: async (folders) => {
      const sentences: string[] = [];
      for (const [name, folder] of Object.entries(folders)) {
        const { beyond, uncovered } = judgeWalk(await walk(name, folder), limits);
        if (beyond !== undefined) sentences.push(`cannot be undone: ${beyond}`);
        else if (uncovered !== undefined) sentences.push(uncovered);
      }
      return sentences;
    },
    watch: async (folders, by) => {
      const keeper = await ports.keeper();
      const whose = {
        ...(by.run === undefined ? {} : { run: by.run }),
        ...(by.step === undefined ? {} : { step: by.step }),
      };
      const states: RootState[] = [];
      for (const [name, folder] of Object.entries(folders)) {
        states.push(await take(name, folder, keeper));
      }
      // Taken out again when it is known; it stays when cuervo itself is ended in between.
      const forget = keeper.recordLasting({
        ...whose,
        text: `${by.program} ended together with cuervo; its changes until then are unknown`,
      });
      return async () => {
        const sentences: string[] = [];
        if (by.isUnconfined)
          sentences.push(`${by.program} ran without a sandbox, and could write anywhere`);
        sentences.push(...(by.lasting ?? []).map((text) => `${by.program}: ${text}`));
        for (const state of states) {
          const { changes, lasting } = await find(state);
          tellRun(by.program, changes);
          if (changes.length > 0) keeper.record(changes.map((change) => ({ ...whose, ...change })));
          sentences.push(...lasting.map((text) => `${by.program}: ${text}`));
          const { uncovered } = state.verdict;
          if (uncovered !== undefined)
            keeper.recordLasting({
              ...whose,
              text: uncovered,
              isPossible: true,
            });
        }
        for (const text of sentences) keeper.recordLasting({ ...whose, text });
        forget();
        return sentences;
      };
    },
  };
}

/** Changes of kept files, and apart from them those that cannot be undone. */
async function findKept(
  state: RootState,
  differences: readonly Difference[],
  { changes, lasting }: Found,
): Promise<void> {
  using reader = openReader(state.name, state.folder);
  const lost: string[] = [];
  let count = 0;
  for (const { path, before, after } of differences) {
    const at = { root: state.name, path };
    const beforeHash = state.hashes.get(path);
    const isLost =
      (before !== undefined && before.kind !== 'directory' && beforeHash === undefined) ||
      after?.kind === 'other';
    const read = after?.kind === 'directory' ? undefined : after && reader.read(path);
    // A removed folder takes along the files in it that were not looked at.
    if (after === undefined && state.walk.closed.has(path)) lost.push(path);
    if (isLost || (after !== undefined && after.kind !== 'directory' && read === undefined)) {
      if (!isOnlyYoung(before, after)) lost.push(path);
      continue;
    }
    changes.push(...changesOf(at, { before, after, beforeHash, afterHash: read?.hash }));
    count += 1;
    if (count % filesPerTurn === 0) await nextTurn();
  }
  if (lost.length > 0) lasting.push(`changed and not kept: ${listed(lost, shownPaths)}`);
}

function isKept({ kind, uncovered }: Walked, { keepsIgnored }: WalkVerdict): boolean {
  if (kind !== 'file' && kind !== 'link') return false;
  return uncovered === undefined || (uncovered === 'git-ignored' && keepsIgnored);
}

/** Told apart only because it is too young to be trusted: nothing says that it changed. */
function isOnlyYoung(before: Walked | undefined, after: Walked | undefined): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    before.kind === after.kind &&
    before.mode === after.mode &&
    before.ino === after.ino &&
    before.size === after.size &&
    before.mtimeNs === after.mtimeNs &&
    before.ctimeNs === after.ctimeNs
  );
}

function historyOf(folder: string, { repositories }: RootWalk): string {
  return repositories
    .toSorted()
    .map((path) => `${path} ${gitHistory(`${folder}/${path}`)}`)
    .join('\n');
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
