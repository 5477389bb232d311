/** One path of `git status`. */
export type StatusEntry = {
  path: string;
  /** where it was before, for a rename or a copy */
  from?: string;
  /** what is in the index against the last commit, and in the folder against the index */
  staged?: ChangeKind;
  unstaged?: ChangeKind;
};

export type ChangeKind =
  | 'modified'
  | 'added'
  | 'deleted'
  | 'renamed'
  | 'copied'
  | 'type-changed'
  | 'unmerged'
  | 'untracked'
  | 'filter not run';

export type Status = {
  /** absent while the head is detached */
  branch?: string;
  /** absent before the first commit */
  commit?: string;
  upstream?: string;
  ahead?: number;
  behind?: number;
  entries: StatusEntry[];
};

const kinds: Readonly<Record<string, ChangeKind>> = {
  M: 'modified',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
  U: 'unmerged',
};

/**
 * Reads `git status --porcelain=v2 -z --branch`: records end with NUL, so that any name is whole.
 * Lines of a kind that is not known are left out, as git asks of readers.
 *
 * @param filterNotRun files of which git could not tell whether they are changed
 */
export function parseStatus(output: string, filterNotRun: readonly string[] = []): Status {
  const status: Status = { entries: [] };
  const records = output.split('\0');
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] as string;
    if (record.startsWith('# ')) readHeader(status, record);
    else if (record.startsWith('? ')) {
      status.entries.push({ path: record.slice(2), unstaged: 'untracked' });
    } else if (record.startsWith('1 ')) {
      status.entries.push({ path: fieldsFrom(record, 8), ...changes(record) });
    } else if (record.startsWith('2 ')) {
      at += 1;
      const from = records[at] ?? '';
      status.entries.push({ path: fieldsFrom(record, 9), from, ...changes(record) });
    } else if (record.startsWith('u ')) {
      status.entries.push({ path: fieldsFrom(record, 10), staged: 'unmerged' });
    }
  }
  for (const path of filterNotRun) {
    const known = status.entries.find((entry) => entry.path === path);
    if (known === undefined) status.entries.push({ path, unstaged: 'filter not run' });
    else known.unstaged ??= 'filter not run';
  }
  return status;
}

function readHeader(status: Status, record: string): void {
  const [, name, ...rest] = record.split(' ');
  const value = rest.join(' ');
  if (name === 'branch.oid' && value !== '(initial)') status.commit = value;
  if (name === 'branch.head' && value !== '(detached)') status.branch = value;
  if (name === 'branch.upstream') status.upstream = value;
  const counts = name === 'branch.ab' ? /^\+(\d+) -(\d+)$/.exec(value) : null;
  if (counts === null) return;
  status.ahead = Number(counts[1]);
  status.behind = Number(counts[2]);
}

/** The last field, in which spaces are not separators. */
function fieldsFrom(record: string, index: number): string {
  return record.split(' ').slice(index).join(' ');
}

function changes(record: string): Pick<StatusEntry, 'staged' | 'unstaged'> {
  const staged = kinds[record[2] ?? ''];
  const unstaged = kinds[record[3] ?? ''];
  return {
    ...(staged === undefined ? {} : { staged }),
    ...(unstaged === undefined ? {} : { unstaged }),
  };
}
