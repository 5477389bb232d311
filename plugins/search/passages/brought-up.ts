import { escapePattern } from '../escape-pattern.ts';
import type { Mentioned } from './find-mentioned.ts';
import type { PassageFs } from './passage-fs.ts';
import { type PathKind, pathFactor } from './path-factor.ts';
import { byScore, type RankedFile } from './ranked-file.ts';
import { neverCounted, ownRoot } from './walked-files.ts';

/** Lines with a message that are looked at: a log may have thousands of them before any source. */
const maxMatches = 10_000;
/** Files that a message, and those that a mention, brings up in place of the last that words do. */
const maxHolders = 8;
const maxMentioned = 8;
/** Lines in front of a match that are scored with it. */
const linesBefore = 8;
/** Files that repeat messages but do not define them. */
const neverSaying = ['*.log', '*.csv', '*.tsv', '*.jsonl', '*.ndjson'] as const;

type Known = {
  ranked: readonly RankedFile[];
  best: readonly RankedFile[];
  kinds: ReadonlySet<PathKind>;
  messages: readonly string[];
  mentioned: ReadonlyMap<string, Mentioned>;
};

/** Files that words alone do not bring up: they hold a message, define a name or are named by a path. */
export function broughtUp(files: PassageFs, root: string, known: Known): RankedFile[] {
  const read = new Set(known.best.map(({ path }) => path));
  const counted = new Map(known.ranked.map((file) => [file.path, file]));
  const toFile = ([path, line]: [string, number]): RankedFile => {
    const file = counted.get(path);
    const window = { line: Math.max(1, line - linesBefore), length: 1, score: 0, order: 0 };
    return { path, score: file?.score ?? 0, windows: [window, ...(file?.windows ?? [])] };
  };
  const held = new Map<string, number>();
  for (const { path: full, line } of linesWith(files, root, known.messages)) {
    const path = full.replace(ownRoot, '');
    if (!read.has(path) && !held.has(path)) held.set(path, line);
  }
  const worth = ({ path }: RankedFile) => pathFactor(path, known.kinds);
  const holders = [...held]
    .map(toFile)
    .sort((left, right) => worth(right) - worth(left) || byScore(left, right))
    .slice(0, maxHolders);
  for (const { path } of holders) read.add(path);
  const mentioned = [...known.mentioned]
    .filter(([path]) => !read.has(path))
    .sort(([, one], [, other]) => other.place + other.names - one.place - one.names)
    .slice(0, maxMentioned)
    .map(([path, { line }]) => toFile([path, line]));
  return [...holders, ...mentioned];
}

/** None where the tree cannot be searched for them: the words still find something. */
function linesWith(
  files: PassageFs,
  root: string,
  messages: readonly string[],
): readonly { path: string; line: number }[] {
  if (messages.length === 0) return [];
  try {
    return files.scan(root, {
      // With the case as it stands, because only then files are searched as bytes.
      pattern: messages.map(escapePattern).join('|'),
      limit: maxMatches,
      walk: { exclude: [...neverCounted, ...neverSaying] },
    }).matches;
  } catch {
    return [];
  }
}
