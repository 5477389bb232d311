import { ServiceError } from '../../contracts/host-service.ts';
import { subcommandAt } from './harden-git.ts';

/** They make a difference, which options search or show as text. */
const differing: ReadonlySet<string> = new Set([
  ...['diff', 'diff-files', 'diff-index', 'diff-tree', 'log', 'reflog', 'rev-list'],
  ...['shortlog', 'show', 'whatchanged'],
]);
/** They search, or give out whole what a difference would call binary. */
const always: ReadonlySet<string> = new Set(['grep', 'format-patch', 'fast-export']);
const walking: ReadonlySet<string> = new Set(['log', 'rev-list', 'whatchanged']);
/** They compare with files as they are now, whose content may be a guess. */
const ofTree: ReadonlySet<string> = new Set(['diff', 'diff-files', 'diff-index']);

/**
 * The same command without what a protected file holds, where it searches content or shows it
 * whatever the attributes say: which files have a match would tell what is in them.
 *
 * @param pathspecs of `withheldPathspecs`
 * @throws {ServiceError} `invalid` where paths cannot be told from names of commits, `denied` for
 *   an option that paths do not bind
 */
export function leaveOutWithheld(
  args: readonly string[],
  pathspecs: () => readonly string[],
): string[] {
  const { at, subcommand, after, end, before } = partsOf(args);
  const searches =
    (differing.has(subcommand) && before.some(isSearch)) ||
    (ofTree.has(subcommand) && before.some(isLikeness));
  if (!searches && !always.has(subcommand)) {
    const lines = differing.has(subcommand) && before.some(isLineRange);
    if (!lines) return [...args];
    // Lines are followed into the file that they came from, and shown whatever its attributes say.
    return [...args.slice(0, at + 1), ...before, '--no-renames', ...after.slice(before.length)];
  }
  // It shows all of a commit of which one path was asked for.
  const whole = before.find((arg) => /^--full-d/.test(arg));
  if (whole !== undefined) {
    const text = `git ${subcommand} ${whole} searches past its paths`;
    throw new ServiceError('denied', text, '', `Leave ${whole} out, or what is searched.`);
  }
  const isLiteral = args.slice(0, at).includes('--literal-pathspecs');
  if (isLiteral && end < 0) {
    const text = `git --literal-pathspecs ${subcommand} has no -- in front of its paths`;
    throw new ServiceError('invalid', text, '', 'Put -- in front of the paths.');
  }
  // A path that stands for itself and a pattern cannot be told apart by one option for all.
  const paths = after
    .slice(before.length)
    .map((path) => (path === '--' ? path : `:(literal)${path}`));
  return [
    ...args.slice(0, at).filter((arg) => arg !== '--literal-pathspecs'),
    subcommand,
    // Else commits that only change what is left out would take others along.
    ...(walking.has(subcommand) ? ['--full-history'] : []),
    ...before,
    ...(isLiteral ? paths : after.slice(before.length)),
    ...pathspecs(),
  ];
}

/**
 * A command that tells whether a protected file changed since a commit; undefined for one that
 * compares no commit with files as they are. Where one did, git may find a file alike to it.
 *
 * @param pathspecs of `withheldPathspecs`
 */
export function changeOfWithheld(
  args: readonly string[],
  pathspecs: () => readonly string[],
): string[] | undefined {
  const { at, subcommand, before } = partsOf(args);
  const operands = before.filter((arg) => !arg.startsWith('-'));
  if (subcommand !== 'diff' || operands.length === 0 || before.some(isLikeness)) return undefined;
  const only = pathspecs().map((path) => path.replace(':(exclude,', ':('));
  const options = args.slice(0, at).filter((arg) => arg !== '--literal-pathspecs');
  return [...options, 'diff', '--quiet', '--no-renames', ...operands, '--', ...only];
}

/** The same difference, which calls a file renamed only where its content is the same. */
export function withExactRenames(args: readonly string[]): string[] {
  const at = subcommandAt(args);
  return [...args.slice(0, at + 1), '--find-renames=100%', ...args.slice(at + 1)];
}

/** A command line of git by its parts: `before` and behind a `--`, which stands at `end` of `after`. */
function partsOf(args: readonly string[]) {
  const at = subcommandAt(args);
  const after = args.slice(at + 1);
  const end = after.indexOf('--');
  const before = end < 0 ? after : after.slice(0, end);
  return { at, subcommand: args[at] ?? '', after, end, before };
}

/** Has git look for files that are alike, also for parts of one. */
function isLikeness(arg: string): boolean {
  return /^-[^-UOlLnXIoSGa]*[MCB]|^--(?:find-[rc]|br)/.test(arg);
}

function isLineRange(arg: string): boolean {
  return /^-[^-UMCBOlLnXIoSGa]*L/.test(arg);
}

/** `-S`, `-G`, `-a` and their long names, also among other letters and cut short. */
function isSearch(arg: string): boolean {
  return /^-[^-UMCBOlLnXIoSGa]*[SGa]|^--(?:te|bi|pickaxe|find-o|ignore-matching)/.test(arg);
}
