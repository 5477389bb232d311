export type BlamedLine = {
  line: number;
  /** all zeros for a line that is not committed */
  hash: string;
  author: string;
  /** seconds since the epoch, UTC */
  time: number;
  summary: string;
  text: string;
};

/** Reads `git blame --line-porcelain`: a header for each line, then the line behind a tab. */
export function parseBlame(output: string): BlamedLine[] {
  const lines: BlamedLine[] = [];
  let entry: BlamedLine | undefined;
  for (const row of output.split('\n')) {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row);
    if (head !== null && entry === undefined) {
      const [, hash = '', line] = head;
      entry = { line: Number(line), hash, author: '', time: 0, summary: '', text: '' };
    } else if (entry !== undefined && row.startsWith('\t')) {
      lines.push({ ...entry, text: row.slice(1) });
      entry = undefined;
    } else if (entry !== undefined) readField(entry, row);
  }
  return lines;
}

function readField(entry: BlamedLine, row: string): void {
  const [name, ...rest] = row.split(' ');
  const value = rest.join(' ');
  if (name === 'author') entry.author = value;
  if (name === 'author-time') entry.time = Number(value);
  if (name === 'summary') entry.summary = value;
}
