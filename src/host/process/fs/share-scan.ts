import { fsLimits } from '../../below/fs-limits.ts';
import type { ProtectedCheck } from '../../below/protected-check.ts';
import type { ScanOptions, ScanResult } from './fs-types.ts';
import { createReach } from './reach-path.ts';
import { charactersOf, type ScanPart, scanTree } from './scan-tree.ts';
import type { SearchPlace } from './search-place.ts';

/**
 * Every second file from a number on; a sibling of the process takes it, which reaches the same
 * roots and nothing else.
 */
export type ScanShare = { from: number };

/**
 * Hands a share to a sibling and comes back at once.
 *
 * @returns undefined when no sibling is free, else a function that waits for the sibling's part
 *   and gives undefined when it was lost
 */
export type AskHelp = (share: ScanShare) => (() => ScanPart | undefined) | undefined;

/** Files after which a search is long enough to be worth a sibling's help: about 5 ms. */
const helpFromFile = 500;

/** Whether a file, by its number in the order of the walk, belongs to a share. */
export function isInShare({ from }: ScanShare, file: number): boolean {
  return file >= from && (file - from) % 2 === 1;
}

/** The other side of a share: what a process does for its sibling. */
export function createShareScanner(options: {
  roots: ReadonlyMap<string, number>;
  isProtected: ProtectedCheck;
}): (path: string, scan: ScanOptions, share: ScanShare) => ScanPart | null {
  const reach = createReach(options.roots, options.isProtected);
  return (path, scan, share) => {
    try {
      return scanTree(reach.place(path), scan, (file) => isInShare(share, file));
    } catch {
      // The sibling meets the same fault, and tells it.
      return null;
    }
  };
}

/**
 * `scanTree`, with help where a tree turns out to be large.
 *
 * @throws {HostFailure} as `scanTree`
 */
export function scanWithHelp(
  place: SearchPlace,
  options: ScanOptions,
  askHelp: AskHelp = () => undefined,
): ScanResult {
  const share = { from: helpFromFile };
  let theirs: ReturnType<AskHelp>;
  let mine: ScanPart;
  try {
    mine = scanTree(place, options, (file) => {
      if (file === share.from) theirs = askHelp(share);
      return theirs === undefined || !isInShare(share, file);
    });
  } catch (thrown) {
    // Its answer is on the way, and nothing else can be heard before it was taken.
    theirs?.();
    throw thrown;
  }
  if (theirs === undefined) return withoutFiles(mine);
  const part = theirs() ?? scanTree(place, options, (file) => isInShare(share, file));
  return mergeParts([mine, part], options.limit);
}

/** What one scan of all their files would have found; each part is in the order of the walk. */
export function mergeParts(parts: readonly ScanPart[], limit: number): ScanResult {
  const all = parts
    .flatMap(({ matches, files }) =>
      matches.map((match, index) => ({ match, file: files[index] as number })),
    )
    .toSorted((one, other) => one.file - other.file);
  const matches: ScanResult['matches'] = [];
  let charactersLeft: number = fsLimits.scanCharacters;
  for (const { match } of all) {
    charactersLeft -= charactersOf(match);
    if (matches.length === limit || charactersLeft < 0) break;
    matches.push(match);
  }
  return {
    matches,
    filesScanned: sum(parts.map(({ filesScanned }) => filesScanned)),
    bytesScanned: sum(parts.map(({ bytesScanned }) => bytesScanned)),
    truncated: matches.length < all.length || parts.some(({ truncated }) => truncated),
  };
}

function withoutFiles({ files: _, ...result }: ScanPart): ScanResult {
  return result;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
