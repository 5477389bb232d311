/** A line that matched, with those around it. */
export type GrepMatch = {
  path: string;
  /** 1-based */
  line: number;
  text: string;
  before: readonly string[];
  after: readonly string[];
};

/** Lines of a file that stand together: matches whose surroundings touch are one block. */
export type GrepBlock = {
  line: number;
  endLine: number;
  /** lines of it that matched */
  hits: number[];
  text: string;
};

export type GrepFile = { path: string; matches: number; blocks: GrepBlock[] };

/**
 * Matches by file, each line once however many matches it stands around.
 *
 * @param matches in the order of files and lines, as a search gives them
 */
export function groupMatches(matches: readonly GrepMatch[]): GrepFile[] {
  const files: GrepFile[] = [];
  for (const match of matches) {
    let file = files.at(-1);
    if (file?.path !== match.path) {
      file = { path: match.path, matches: 0, blocks: [] };
      files.push(file);
    }
    file.matches += 1;
    addMatch(file.blocks, match);
  }
  return files;
}

function addMatch(blocks: GrepBlock[], match: GrepMatch): void {
  const first = match.line - match.before.length;
  const lines = [...match.before, match.text, ...match.after];
  const open = blocks.at(-1);
  if (open === undefined || first > open.endLine + 1) {
    blocks.push({
      ...{ line: first, endLine: first + lines.length - 1 },
      ...{ hits: [match.line], text: lines.join('\n') },
    });
    return;
  }
  const fresh = lines.slice(open.endLine + 1 - first);
  if (fresh.length > 0) open.text = [open.text, ...fresh].join('\n');
  open.endLine += fresh.length;
  open.hits.push(match.line);
}
