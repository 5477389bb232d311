export type Commit = {
  hash: string;
  author: string;
  email: string;
  /** ISO 8601, with the author's time zone */
  date: string;
  subject: string;
  body?: string;
  /** branches and tags that point at it */
  refs?: string[];
};

/** For `--format`, with `-z`: one record a commit, its fields parted by what no name holds. */
export const commitFormat = ['%H', '%an', '%ae', '%aI', '%s', '%b', '%D'].join('%x1f');

/** Reads what `git log -z --format=…` prints with `commitFormat`. */
export function parseLog(output: string): Commit[] {
  return output.split('\0').filter(Boolean).map(parseCommit);
}

export function parseCommit(record: string): Commit {
  const [hash = '', author = '', email = '', date = '', subject = '', body = '', refs = ''] =
    record.split('\u001f');
  return {
    hash,
    author,
    email,
    date,
    subject,
    ...(body.trim() === '' ? {} : { body: body.trim() }),
    ...(refs === '' ? {} : { refs: refs.split(', ') }),
  };
}
