import { subcommandAt } from './harden-git.ts';
import { operandNames, optionValues } from './operand-names.ts';

/** They write files of the work tree, and take one away before its filter is asked. */
const writing: ReadonlySet<string> = new Set([
  ...['bisect', 'checkout', 'cherry-pick', 'merge', 'pull', 'rebase', 'reset', 'restore', 'revert'],
  ...['sparse-checkout', 'stash', 'switch'],
]);

/** Runs a git that looks, and gives what it prints. */
type Look = (args: readonly string[], stdin?: string) => Promise<string>;

/**
 * The files that a command may write into the work tree, and maybe some more: what the index or the
 * files differ in from the commit that is checked out, and what differs in the commits that the
 * command names.
 *
 * @param args of git
 * @returns paths from the top of the work tree, none for a command that writes no file; and those
 *   commits
 */
export async function writtenPaths(
  args: readonly string[],
  run: Look,
): Promise<{ paths: string[]; commits: string[] }> {
  const at = subcommandAt(args);
  const look: Look = (words, stdin) => run([...args.slice(0, at), ...words], stdin);
  const subcommand = args[at] ?? '';
  const after = args.slice(at + 1);
  if (!writing.has(subcommand) || isOfIndex(subcommand, after)) return { paths: [], commits: [] };
  const end = after.indexOf('--');
  const before = end < 0 ? after : after.slice(0, end);
  const operands = before.filter((arg) => !arg.startsWith('-'));
  const commits = await commitsOf(subcommand, before, operands, look);
  const isOfPaths = subcommand === 'restore' || (subcommand === 'checkout' && commits.length === 0);
  const isListed = after.some((arg) => arg.startsWith('--pathspec-f'));
  // Words in front of `--` may be paths, too; more paths restrict less.
  const paths = isListed
    ? []
    : [...(isOfPaths ? operands : []), ...(end < 0 ? [] : after.slice(end + 1))];
  const list = async (...words: string[]): Promise<string[]> =>
    namesIn(await look([...words, '--', ...paths]));
  const differing = ['--name-only', '-z', '--no-renames'];
  // Another command leaves what was changed as it is.
  const isOver =
    ['reset', 'restore', 'stash'].includes(subcommand) ||
    paths.length > 0 ||
    before.some((arg) => /^(?:-[a-zA-Z]*[fm]|--(?:f|disc|me|ab|pathspec-f))/.test(arg));
  const changed: string[] = [];
  if (isOver) {
    changed.push(...(await list('diff-files', ...differing)));
    changed.push(...(await list('diff-index', '--cached', ...differing, 'HEAD')));
  }
  const isWalk = !['checkout', 'reset', 'restore', 'switch'].includes(subcommand);
  const isHere = subcommand === 'stash' && !isTaken(after);
  // git's own files say how it continues, or it is not known yet.
  if (subcommand === 'pull' || (isWalk && !isHere && commits.length === 0)) {
    const tree = ['ls-tree', '-r', '-z', '--full-tree', '--name-only', 'HEAD'];
    return { paths: [...new Set([...changed, ...namesIn(await look(tree))])], commits };
  }
  for (const commit of isHere ? [] : commits) {
    changed.push(...(await list('diff-tree', '-r', ...differing, 'HEAD', commit)));
    if (!isWalk) continue;
    const walk = ['log', '--format=', '-m', ...differing];
    changed.push(...(await list(...walk, `HEAD...${commit}`)));
    if (!['cherry-pick', 'revert'].includes(subcommand)) continue;
    changed.push(...(await list(...walk, '--max-count=1', commit)));
  }
  return { paths: [...new Set(changed)], commits };
}

/** Whether a stash puts into the work tree what it holds. */
function isTaken(after: readonly string[]): boolean {
  return ['pop', 'apply', 'branch'].includes(after[0] ?? '');
}

/** Whether it leaves the work tree as it is. */
function isOfIndex(subcommand: string, after: readonly string[]): boolean {
  const has = (option: RegExp): boolean => after.some((arg) => option.test(arg));
  if (subcommand === 'reset') return !has(/^--(?:h|me|k)/);
  if (subcommand === 'restore') return has(/^(?:-S|--st)/) && !has(/^-[a-zA-Z]*W|^--w/);
  if (subcommand === 'stash')
    return ['list', 'show', 'drop', 'clear', 'create', 'store'].includes(after[0] ?? '');
  return false;
}

/** The commits that a command names, by their hashes. */
async function commitsOf(
  subcommand: string,
  before: readonly string[],
  operands: readonly string[],
  look: Look,
): Promise<string[]> {
  const values = before.flatMap(optionValues);
  const named = [...operands, ...values].flatMap(operandNames).map(({ name }) => name);
  const unsaid: Readonly<Record<string, readonly string[]>> = {
    stash: ['refs/stash', ...named.map((name) => `stash@{${name}}`)],
    merge: ['@{upstream}', 'MERGE_HEAD'],
    rebase: ['@{upstream}', 'REBASE_HEAD', 'ORIG_HEAD'],
  };
  const short = before.includes('-') ? ['@{-1}'] : [];
  const names = [...named, ...short, ...(unsaid[subcommand] ?? [])].filter(
    (name) => !name.includes('\n'),
  );
  const stdin = names.map((name) => `${name}^{commit}\n`).join('');
  const said = await look(['cat-file', '--batch-check=%(objectname) %(objecttype)'], stdin);
  const found = said.split('\n').flatMap((row) => /^(\w+) commit$/.exec(row)?.[1] ?? []);
  // A branch that only a remote has is made on the way.
  const remote = ['checkout', 'switch'].includes(subcommand)
    ? operands.map((name) => `refs/remotes/*/${name}`)
    : [];
  const made =
    remote.length === 0 ? '' : await look(['for-each-ref', '--format=%(objectname)', ...remote]);
  return [...new Set([...found, ...made.split('\n').filter(Boolean)])];
}

function namesIn(printed: string): string[] {
  return printed
    .split('\0')
    .map((name) => name.replace(/^\n+/, ''))
    .filter((name) => name !== '');
}
