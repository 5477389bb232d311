import { HostError } from '@cuervo/sdk';
import { type Commit, commitFormat, parseLog } from './parse-log.ts';
import { parseNumstat } from './parse-numstat.ts';
import { revision, runGit } from './run-git.ts';

type Lines = {
  path: string;
  start: number;
  end: number;
  /** what they define: commits from before the file held it are left out */
  name?: string | undefined;
};

/** Commits that are looked into for a name. */
const maxLookedInto = 30;

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
  { path, start, end, name }: Lines,
  { at, most, only }: { at: string; most: number | undefined; only: readonly string[] },
): { commits: Commit[]; path: string } {
  const file = path.replace(/^work:/, '');
  const count = most === undefined ? [] : [`--max-count=${most}`];
  // No patch, which could show what is withheld.
  const range = ['--no-patch', '-L', `${start},${end}:${file}`];
  const form = ['-z', `--format=${commitFormat}`];
  const args = ['log', ...form, ...count, ...only, revision(at), ...range];
  const all = parseLog(runGit(args).stdout);
  // The latest of many were not followed to where the lines begin.
  const isWhole = all.length !== most;
  const commits = isWhole && name !== undefined ? sinceNamed(all, file, name) : all;
  const oldest = commits.at(-1)?.hash;
  const before =
    oldest === undefined || !isWhole || commits.length < all.length
      ? undefined
      : linesBefore({ path: file, start, end, name }, at, oldest);
  if (oldest === undefined || before === undefined) return { commits, path };
  const left = most === undefined ? undefined : most - commits.length;
  const [begin = ''] = /^.*\.\./.exec(at) ?? [];
  const older = linesLog(before, { at: `${begin}${oldest}^`, most: left, only });
  return { commits: [...commits, ...older.commits], path: older.path };
}

/** Lines are followed into what they were copied from, which has another name. */
function sinceNamed(commits: Commit[], path: string, name: string): Commit[] {
  const word = new RegExp(String.raw`(?<![\w$])${name.replace(/\W/g, String.raw`\$&`)}(?![\w$])`);
  const isNamed = ({ hash }: Commit): boolean => {
    const file = unlessDenied(() => runGit(['show', `${hash}:${path}`]));
    return file === undefined || file.truncated || word.test(file.stdout);
  };
  const looked = commits.slice(-maxLookedInto).toReversed();
  const before = looked.findIndex(isNamed);
  return before > 0 ? commits.slice(0, -before) : commits;
}

/** Where the lines were before a commit that moved their file. They are known by the first of them. */
function linesBefore(
  { path, start, end, name }: Lines,
  at: string,
  commit: string,
): Lines | undefined {
  const changed = runGit(['show', '--format=', '--numstat', '-z', '-M', revision(commit)]);
  const from = parseNumstat(changed.stdout).find((file) => file.path === path)?.from;
  if (from === undefined) return undefined;
  const linesOf = (name: string): string[] => runGit(['show', name]).stdout.split('\n');
  const tip = at.replace(/^.*\.\./, '') || 'HEAD';
  const first = linesOf(`${tip}:${path}`)[start - 1];
  const lines = unlessDenied(() => linesOf(`${commit}^:${from}`)) ?? [];
  const was = first === undefined ? 0 : lines.indexOf(first) + 1;
  if (was === 0) return undefined;
  return { path: from, start: was, end: Math.min(was + end - start, lines.length - 1), name };
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
