import { sshHost, wrongSshHost } from '../../lib/net/addresses.ts';

/**
 * Options of `git` itself that take their value as the next argument; gitrepository-layout and
 * git(1), "OPTIONS".
 */
const valued: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--config-env',
  '--attr-source',
]);

/** Where the subcommand stands in the arguments of git; -1 when there is none. */
export function subcommandAt(args: readonly string[]): number {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as string;
    if (!arg.startsWith('-')) return at;
    if (valued.has(arg)) at += 1;
  }
  return -1;
}

/** A name of gitrevisions(7), as an operand of git holds it. */
export type OperandName = {
  /** the whole name, for git to resolve */
  name: string;
  /**
   * of `REV:PATH`, `:PATH` and `REV^{tree}`: what stands before the path, which is empty for the
   * index, and the path as it is written; absent for a name without a path
   */
  inTree?: { before: string; path: string };
};

/**
 * The names that git may read an operand as: the operand itself, both ends of a range, and each
 * without what excludes it or takes its parents.
 */
export function operandNames(operand: string): OperandName[] {
  const at = operand.indexOf('..');
  const ends = at < 0 ? [] : [operand.slice(0, at), operand.slice(at + 2).replace(/^\./, '')];
  const names = [operand, ...ends].flatMap((each) => {
    const bare = each.replace(/^\^+/, '');
    return [bare, bare.replace(/\^(?:@|!|-\d*)$/, '')];
  });
  return [...new Set(names)].filter((name) => name !== '').map(splitName);
}

/**
 * What an argument may hold as the value of an option: behind `=`, and behind each of the letters
 * that options with and without a value are written together with.
 */
export function optionValues(arg: string): string[] {
  if (arg.startsWith('--')) return arg.includes('=') ? [arg.slice(arg.indexOf('=') + 1)] : [];
  const letters = /^-([a-zA-Z]+)/.exec(arg)?.[1]?.length ?? 0;
  return Array.from({ length: letters }, (_, at) => arg.slice(at + 2)).filter(
    (value) => value !== '',
  );
}

/** The colon in front of a path is the first one outside of braces, as git has it. */
function splitName(name: string): OperandName {
  const stage = /^:[0-3]:/.exec(name)?.[0];
  if (stage !== undefined) return { name, inTree: { before: '', path: name.slice(stage.length) } };
  if (name.startsWith(':/')) return { name };
  let depth = 0;
  for (let at = 0; at < name.length; at += 1) {
    const character = name.charAt(at);
    if (character === '{') depth += 1;
    else if (character === '}' && depth > 0) depth -= 1;
    else if (character === ':' && depth === 0)
      return { name, inTree: { before: name.slice(0, at), path: name.slice(at + 1) } };
  }
  const ofTree = /^(.+)\^\{tree\}$/.exec(name)?.[1];
  return ofTree === undefined ? { name } : { name, inTree: { before: ofTree, path: '' } };
}

/** A command of git that talks to another computer, as the built-in plugin `git` writes it. */
export type RemoteCommand = {
  subcommand: 'push' | 'fetch';
  /** what the person is told: an origin, or `ssh:HOST` */
  name: string;
} & ({ way: 'web'; url: URL } | ({ way: 'ssh' } & SshAddress));

export type SshAddress = {
  /** as a grant names it */
  host: string;
  /** words of `ssh` for it: nothing of them is an option or means anything to a shell */
  destination: readonly string[];
  /** path of the repository, in its own words */
  path: string;
};

/**
 * What a vector of git talks to, where that is an address of the web or of ssh that it names itself.
 * Ignores what a repository's configuration would make of a name.
 *
 * @returns undefined for any other command
 */
export function remoteCommand(args: readonly string[]): RemoteCommand | undefined {
  const at = subcommandAt(args);
  const subcommand = args[at];
  if (subcommand !== 'push' && subcommand !== 'fetch') return undefined;
  // The first argument behind the flags is the repository, for git as for us.
  const written = args.slice(at + 1).find((arg) => !arg.startsWith('-'));
  if (written === undefined) return undefined;
  const address = sshAddress(written);
  if (address !== undefined)
    return { subcommand, way: 'ssh', name: `ssh:${address.host}`, ...address };
  const url = URL.parse(written);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return { subcommand, way: 'web', name: url.origin, url };
}

const sshUrl = /^ssh:\/\/(?:([\w.-]+)@)?(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?(\/.*)$/i;
/** As git-fetch(1) has it: no slash stands before the first colon. */
const shortForm = /^(?:([\w.-]+)@)([\w.-]+):(?!\/\/)(.+)$/;

/** @returns undefined for what is not an address of ssh; git itself takes some more */
function sshAddress(text: string): SshAddress | undefined {
  const found = sshUrl.exec(text);
  const short = found === null ? shortForm.exec(text) : null;
  const [, user, name = '', port, path = ''] =
    found ?? (short === null ? [] : [short[0], short[1], short[2], undefined, short[3]]);
  if (name === '' || user?.startsWith('-') || !/^[ -~]{1,1000}$/.test(path)) return undefined;
  const host = sshHost(name, port === undefined ? undefined : Number(port));
  if (wrongSshHost(host) !== undefined) return undefined;
  const bare = name.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return {
    host,
    destination: [
      ...(port === undefined ? [] : ['-p', String(Number(port))]),
      ...(user === undefined ? [] : ['-l', user]),
      bare,
    ],
    // As git does it: `/~ann/x` is in the home of Ann.
    path: path.replace(/^\/(?=~)/, ''),
  };
}

/** Settings by which git goes no other way, whatever a server answers. */
export function onlyWay({ way }: RemoteCommand): string[] {
  const protocols = way === 'web' ? ['http', 'https'] : ['ssh'];
  return ['protocol.allow=never', ...protocols.map((name) => `protocol.${name}.allow=always`)];
}

/** The plugin that may talk to remotes with the user's credentials. */
export const remotePlugin = 'git';

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
