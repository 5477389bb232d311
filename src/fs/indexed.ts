import type { ScanOptions, TallyOptions, WalkOptions } from './fs-types.ts';
import type { SearchPlace } from './glob-filter.ts';

/** Files in which a walk, scan or tally can find something; paths relative to the root. */
export type Candidates = {
  /** in the order of a walk, all below the place that was asked for */
  paths: readonly string[];
};

/**
 * Counts for the text files that cannot match: for each of `paths` the sums over such files before
 * it in the walk, and as the last entry the sums over all.
 */
export type IndexedScan = Candidates & { files: readonly number[]; bytes: readonly number[] };

/** The files with the best windows, and counts over all windows of all files. */
export type IndexedTally = Candidates & {
  total: number;
  totalLength: number;
  /** one number for each of the asked words */
  holding: readonly number[];
  /** windows that hold any of the words */
  windows: number;
};

/** Where a search begins, as an index knows it. */
export type AskedPlace = Pick<SearchPlace, 'root' | 'start'>;

/**
 * Asks an index about the current files. Undefined where it cannot tell; then the call looks at the
 * files one by one.
 */
export type AskIndex = {
  walk(place: AskedPlace, options: WalkOptions): Candidates | undefined;
  scan(place: AskedPlace, options: ScanOptions): IndexedScan | undefined;
  tally(place: AskedPlace, options: TallyOptions): IndexedTally | undefined;
};

/** For `visitTree()`: the names on the ways to some paths. */
export function namesOnWay({ paths }: Candidates): (folder: string) => readonly string[] {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    for (let end = path.length; end > 0; ) {
      const slash = path.lastIndexOf('/', end - 1);
      const folder = path.slice(0, Math.max(0, slash));
      const name = path.slice(slash + 1, end);
      const inside = names.get(folder);
      // Paths come in order, so a name that is there is the last one, and so are those above.
      if (inside?.at(-1) === name) break;
      if (inside === undefined) names.set(folder, [name]);
      else inside.push(name);
      end = slash;
    }
  }
  return (folder) => names.get(folder) ?? [];
}
