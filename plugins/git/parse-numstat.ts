export type FileCount = {
  path: string;
  from?: string;
  /** absent for a binary file */
  added?: number;
  removed?: number;
};

/**
 * Reads `git diff --numstat -z`: `added TAB removed TAB path NUL`. For a rename the path is empty,
 * and two records with its names follow.
 */
export function parseNumstat(output: string): FileCount[] {
  const records = output.split('\0');
  const counts: FileCount[] = [];
  for (let at = 0; at < records.length; at += 1) {
    const match = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec((records[at] as string).replace(/^\n+/, ''));
    if (match === null) continue;
    const [, added, removed, path] = match;
    const lines = added === '-' ? {} : { added: Number(added), removed: Number(removed) };
    if (path !== '') counts.push({ path: path as string, ...lines });
    else {
      counts.push({ from: records[at + 1] ?? '', path: records[at + 2] ?? '', ...lines });
      at += 2;
    }
  }
  return counts;
}
