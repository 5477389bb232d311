import type { Config } from '../../contracts/config.ts';
import type { KeptChange, PathState, RootFiles } from '../../contracts/file-changes.ts';
import { openRootFiles } from '../../host/root-files.ts';
import { holderPid, isHolderGone } from '../../lib/files/lock-file.ts';
import { rootFolders } from '../../lib/files/paths.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { isSameState, statesOf, statesPastLinks } from '../../workspace/undo-changes.ts';

/** Status of a run whose process was ended before it could say how it ended. */
export const cutOff = 'cut-off';

/**
 * Closes the records of runs of this workspace whose process is gone: rows of changes that were not
 * made any more are taken out, and what was written beside a file and not put in its place is
 * removed. The files themselves stay as they are, each the old one or the new one.
 */
export function settleRuns(store: StoreWithJournal, config: Config): void {
  for (const { run, holder, startedMs } of store.leftOpen(config.workspace)) {
    if (!isHolderGone(holder)) continue;
    const rows = store.changes.rowsOf(run);
    if (rows.length > 0 && !settleRows(store, config, { rows, owner: holderPid(holder) })) continue;
    store.finishRun(run, cutOff, rows.at(-1)?.ts ?? startedMs);
  }
}

/** False where the workspace cannot be looked at: the record stays open until it can. */
function settleRows(
  store: StoreWithJournal,
  config: Config,
  { rows, owner }: { rows: readonly KeptChange[]; owner: number },
): boolean {
  try {
    using files = openReading(config);
    const gone = rowsNotMade(rows, files);
    if (gone.length > 0) store.changes.remove(...gone);
    files.removeParts(rows.flatMap(placesOf), owner);
    return true;
  } catch {
    return false;
  }
}

/** Files to remove a temporary file without keeping it: it never was the user's. */
function openReading(config: Config): RootFiles {
  const keeper = { keep: sha256, recordAll: async () => {} };
  return openRootFiles(rootFolders(['work'], config), { keeper });
}

/**
 * Numbers of the rows whose change was not made: the rows after the last state that matches the
 * file. If no state matches, something else changed the file, and all rows stay.
 *
 * @param rows of one run, oldest first
 */
function rowsNotMade(rows: readonly KeptChange[], files: RootFiles): number[] {
  const steps = new Map<string, { seq: number; before: PathState; after: PathState }[]>();
  const places = new Map<string, { root: string; path: string }>();
  for (const row of rows) {
    for (const { path, before, after } of statesOf(row)) {
      const key = `${row.root}:${path}`;
      places.set(key, { root: row.root, path });
      steps.set(key, [...(steps.get(key) ?? []), { seq: row.seq, before, after }]);
    }
  }
  const folders = [...places].flatMap(([key, place]) => {
    const states = steps.get(key)?.flatMap(({ before, after }) => [before.kind, after.kind]);
    return states?.includes('directory') ? [place] : [];
  });
  const stateOf = statesPastLinks(folders, files);
  const gone = new Set<number>();
  for (const [key, ofPath] of steps) {
    const place = places.get(key);
    if (place === undefined) continue;
    const now = stateOf(place);
    for (const { seq, before, after } of ofPath.toReversed()) {
      if (isSameState(now, after)) break;
      gone.add(seq);
      if (isSameState(now, before)) break;
      // The file is as before the run: none of these changes was made.
      if (seq === ofPath[0]?.seq) for (const each of ofPath) gone.delete(each.seq);
    }
  }
  return [...gone];
}

/** Where temporary files may lie: beside the path, or above it if its folder did not exist. */
function placesOf({ root, path, target }: KeptChange): { root: string; path: string }[] {
  return [path, ...(target === undefined ? [] : [target])].flatMap((each) => {
    const segments = each.split('/');
    return segments.map((_, index) => ({ root, path: segments.slice(0, index + 1).join('/') }));
  });
}
