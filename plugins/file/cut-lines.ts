export type CutLines = {
  start: number;
  end: number;
  totalLines: number;
  lines: string;
  /** why not all of what was asked for is there, and how to go on */
  truncated?: string;
};

/** What one call shows at most, so that a model's context is not one file. */
export const maxLines = 2000;
const maxCharacters = 200_000;

/**
 * Lines `start` to `end` of a text, 1-based and inclusive.
 *
 * @throws {RangeError} for an invalid range, or one beyond the end
 */
export function cutLines(
  text: string,
  options: {
    path: string;
    start?: number | undefined;
    end?: number | undefined;
    numbered?: boolean | undefined;
  },
): CutLines {
  const all = splitLines(text.replace(/^\uFEFF/, ''));
  const totalLines = all.length;
  const { path, start = 1 } = options;
  checkRange(path, start, options.end, totalLines);
  const wanted = Math.min(options.end ?? totalLines, totalLines);
  const kept: string[] = [];
  let characters = 0;
  for (let line = start; line <= wanted && kept.length < maxLines; line += 1) {
    const text = options.numbered ? `${line}: ${all[line - 1]}` : (all[line - 1] as string);
    characters += text.length + 1;
    if (characters > maxCharacters && kept.length > 0) break;
    kept.push(text.slice(0, maxCharacters));
  }
  const end = start + kept.length - 1;
  const cut = { start, end, totalLines, lines: kept.join('\n') };
  if (end >= wanted) return cut;
  return {
    ...cut,
    truncated: `lines ${end + 1} to ${wanted} are left out; go on with start ${end + 1}`,
  };
}

function checkRange(path: string, start: number, end: number | undefined, total: number): void {
  if (end !== undefined && start > end) {
    throw new RangeError(`start ${start} is after end ${end}`);
  }
  if (start > Math.max(1, total)) {
    throw new RangeError(`start ${start} is beyond the end: ${path} has ${total} lines`);
  }
}

/**
 * Lines as the host's search, git and ripgrep number them: one ends at `\n` or `\r\n`, and any other
 * `\r` is text. An end behind the last line begins no further one.
 */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
