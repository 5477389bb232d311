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

/** How much of a file is somebody's, and since when that somebody wrote nothing more of it. */
export type BlamedAuthor = {
  author: string;
  lines: number;
  /** of the newest of these lines, `YYYY-MM-DD` in UTC */
  date: string;
};

type Commit = Pick<BlamedLine, 'author' | 'time' | 'summary'>;

/**
 * Reads `git blame --porcelain`: a header for each line, then the line behind a tab; what there
 * is to say of a commit stands with its first line alone.
 */
export function parseBlame(output: string): BlamedLine[] {
  const lines: BlamedLine[] = [];
  const commits = new Map<string, Commit>();
  let open: { hash: string; line: number; commit: Commit } | undefined;
  for (const row of output.split('\n')) {
    const head = open === undefined ? /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row) : null;
    if (head !== null) {
      const [, hash = '', line] = head;
      const commit = commits.get(hash) ?? { author: '', time: 0, summary: '' };
      commits.set(hash, commit);
      open = { hash, line: Number(line), commit };
    } else if (open !== undefined && row.startsWith('\t')) {
      lines.push({
        ...{ line: open.line, hash: open.hash, ...open.commit },
        // Git writes a line feed behind each line, so that a `\r` may be of a Windows line.
        text: row.slice(1).replace(/\r$/, ''),
      });
      open = undefined;
    } else if (open !== undefined) readField(open.commit, row);
  }
  return lines;
}

/** Who wrote how many of the lines, most first. */
export function countAuthors(lines: readonly BlamedLine[]): BlamedAuthor[] {
  const authors = new Map<string, { lines: number; time: number }>();
  for (const { author, time } of lines) {
    const known = authors.get(author) ?? { lines: 0, time };
    authors.set(author, { lines: known.lines + 1, time: Math.max(known.time, time) });
  }
  return [...authors]
    .map(([author, { lines, time }]) => ({ author, lines, date: dateOf(time) }))
    .sort((one, other) => other.lines - one.lines || (one.author < other.author ? -1 : 1));
}

/** By arithmetic, after Howard Hinnant's `civil_from_days`: `Date` needs the clock. */
function dateOf(seconds: number): string {
  const days = Math.floor(seconds / 86_400) + 719_468;
  const era = Math.floor(days / 146_097);
  const ofEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) /
      365,
  );
  const ofYear =
    ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${yearOfEra + era * 400 + (month <= 2 ? 1 : 0)}-${two(month)}-${two(day)}`;
}

function readField(commit: Commit, row: string): void {
  const [name, ...rest] = row.split(' ');
  const value = rest.join(' ');
  if (name === 'author') commit.author = value;
  if (name === 'author-time') commit.time = Number(value);
  if (name === 'summary') commit.summary = value;
}
