import { HostError } from '@cuervo/sdk';
import { type Commit, commitFormat, parseLog } from './parse-log.ts';
import { parseNumstat } from './parse-numstat.ts';
import { revision, runGit } from './run-git.ts';

type Lines = { path: string; start: number; end: number };

/**
 * Commits that changed lines of a file, newest first, also those of the file that theirs was moved
 * from. Git itself does not follow a move here: it could lead to what is withheld.
 *
 * @param lines as `at` has them, a commit or a range
 * @param most commits, default all
 * @param only further options of `git log`
 * @returns and the path of the file at the oldest of the commits
 */
export function linesLog(
  { path, start, end }: Lines,
  { at, most, only }: { at: string; most: number | undefined; only: readonly string[] },
): { commits: Commit[]; path: string } {
  const file = path.replace(/^work:/, '');
  const count = most === undefined ? [] : [`--max-count=${most}`];
  // No patch, which could show what is withheld.
  const range = ['--no-patch', '-L', `${start},${end}:${file}`];
  const form = ['-z', `--format=${commitFormat}`];
  const args = ['log', ...form, ...count, ...only, revision(at), ...range];
  const commits = parseLog(runGit(args).stdout);
  const oldest = commits.at(-1)?.hash;
  const before =
    oldest === undefined || commits.length === most
      ? undefined
      : linesBefore({ path: file, start, end }, at, oldest);
  if (oldest === undefined || before === undefined) return { commits, path };
  const left = most === undefined ? undefined : most - commits.length;
  const [begin = ''] = /^.*\.\./.exec(at) ?? [];
  const older = linesLog(before, { at: `${begin}${oldest}^`, most: left, only });
  return { commits: [...commits, ...older.commits], path: older.path };
}

/** Where the lines were before a commit that moved their file. They are known by the first of them. */
function linesBefore({ path, start, end }: Lines, at: string, commit: string): Lines | undefined {
  const changed = runGit(['show', '--format=', '--numstat', '-z', '-M', revision(commit)]);
  const from = parseNumstat(changed.stdout).find((file) => file.path === path)?.from;
  if (from === undefined) return undefined;
  const linesOf = (name: string): string[] => runGit(['show', name]).stdout.split('\n');
  const tip = at.replace(/^.*\.\./, '') || 'HEAD';
  const first = linesOf(`${tip}:${path}`)[start - 1];
  const lines = unlessDenied(() => linesOf(`${commit}^:${from}`)) ?? [];
  const was = first === undefined ? 0 : lines.indexOf(first) + 1;
  if (was === 0) return undefined;
  return { path: from, start: was, end: Math.min(was + end - start, lines.length - 1) };
}

/** A file that is protected, or whose name is hidden, has no lines here. */
function unlessDenied<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof HostError) || thrown.code !== 'denied') throw thrown;
    return undefined;
  }
}
