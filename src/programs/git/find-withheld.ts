import type { ContentGate } from '../../contracts/content-gate.ts';
import { type OperandName, operandNames, optionValues, subcommandAt } from './command-line.ts';
import type { GitPlace } from './outer-repository.ts';

/** Subcommands that show no content of a file, whatever they name. */
const contentless: ReadonlySet<string> = new Set([
  ...['add', 'branch', 'check-ignore', 'check-attr', 'check-ref-format', 'clean'],
  ...['commit', 'config', 'count-objects', 'describe', 'fetch', 'for-each-ref', 'fsck'],
  ...['init', 'ls-files', 'ls-remote', 'ls-tree', 'merge-base', 'mv', 'name-rev'],
  ...['pack-refs', 'prune', 'sparse-checkout'],
  ...['pull', 'push', 'remote', 'rev-list', 'rev-parse', 'rm', 'shortlog', 'show-ref'],
  ...['status', 'symbolic-ref', 'tag', 'update-ref', 'var', 'version', 'worktree'],
]);

/**
 * Subcommands with known output: commits, files by their paths, differences within attributes, or
 * nothing. A subcommand that is on no list is refused, because another version of git may show
 * anything.
 */
const known: ReadonlySet<string> = new Set([
  ...['annotate', 'apply', 'archive', 'bisect', 'blame', 'cat-file', 'check-mailmap'],
  ...['checkout', 'cherry', 'cherry-pick', 'clone', 'column', 'commit-tree', 'diff', 'diff-files'],
  ...['diff-index', 'diff-tree', 'fast-export', 'fmt-merge-msg', 'format-patch', 'grep'],
  ...['hash-object', 'interpret-trailers', 'log', 'ls-remote', 'merge', 'merge-file', 'notes'],
  ...['patch-id', 'pickaxe', 'range-diff', 'rebase', 'reflog'],
  ...['replace', 'request-pull', 'rerere', 'reset', 'restore', 'revert', 'show', 'show-branch'],
  ...['stage', 'stash', 'stripspace', 'submodule', 'switch', 'update-index'],
  ...['verify-commit', 'verify-tag', 'whatchanged', 'write-tree'],
]);

/** Differences that no path leaves a file out of; options show it whatever the attributes say. */
const undivided: ReadonlySet<string> = new Set(['range-diff', 'request-pull', 'stash']);
const asContent = /^-[^-UMCBOlLnXIoSGm]*a|^--(?:te|bi)/;

/** They show a tree as a list of names, and look into none of its files. */
const listing: ReadonlySet<string> = new Set(['show', 'cat-file']);

/** They read the operand that is a path in the tree or in a commit, without a colon. */
const byPath: ReadonlySet<string> = new Set(['blame', 'annotate', 'pickaxe']);

/** They give content out packed, or of names that stand on their input. */
const packing: ReadonlySet<string> = new Set([
  ...[
    'bundle',
    'checkout-index',
    'fast-import',
    'merge-tree',
    'http-backend',
    'pack-objects',
    'unpack-file',
    'upload-archive',
  ],
  // A patch may name any object as what it makes.
  ...['upload-pack', 'cvsserver', 'daemon', 'send-pack', 'shell', 'am'],
]);

/**
 * They keep files as differences to those that they are like, and what each takes then tells how
 * like they are.
 */
const comparing: ReadonlySet<string> = new Set(['gc', 'repack']);
const packedSize = /%\(\*?(?:objectsize:disk|deltabase)|^--disk-u/;

/** They show commits alone of the references that an option chooses; others show files, too. */
const walking: ReadonlySet<string> = new Set([...['format-patch', 'log', 'reflog', 'whatchanged']]);
const ofReferences =
  /^--(?:all|branches|tags|remotes|glob|reflog|bisect|stdin|alternate-refs|indexed-objects)(?:=|$)/;

/** The options that make a command show content which it does not show otherwise. */
function formatsOf(subcommand: string): RegExp | undefined {
  if (subcommand === 'config') return /^--bl/;
  // Formats of references know the bytes of an object, and an order tells of them.
  const listsReferences = ['branch', 'for-each-ref', 'ls-remote', 'tag'].includes(subcommand);
  return listsReferences ? /%\(\*?raw|^(?:--so[a-z]*=)?-?(?:v(?:ersion)?:)?\*?raw\b/ : undefined;
}

/** A setting that has the same. */
const rawSetting = /^(?:tag|branch)\.sort=.*\braw\b/i;

/** Their options name objects, too, which they put where they are shown. */
const takingObjects: ReadonlySet<string> = new Set(['checkout', 'notes', 'restore', 'switch']);

const emptyTrees: ReadonlySet<string> = new Set([
  '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74de5321b7',
]);

/** Content that git would show for a command although the gate withholds it. */
export type WithheldOperand = { text: string; hint: string };

const byName = 'Name a commit and a path in it, as in HEAD:src/index.ts.';
const lifted = 'Only you can lift it: name the file under unprotected in config.toml.';

/**
 * Asks the gate for each operand whose content a git would show. Git itself says what an operand
 * is; content that has no path in a commit or in the index is withheld.
 *
 * @param args of git, as they were asked for
 * @param resolve what git says of each name: `OBJECT TYPE`, or another text for anything else
 * @returns undefined where there is nothing to withhold
 */
export async function findWithheld(
  args: readonly string[],
  place: GitPlace,
  gate: ContentGate,
  resolve: (names: readonly string[]) => Promise<readonly string[]>,
): Promise<WithheldOperand | undefined> {
  const at = subcommandAt(args);
  const subcommand = args[at];
  const after = args.slice(at + 1);
  if (subcommand === undefined) return undefined;
  const raw =
    after.find((arg) => formatsOf(subcommand)?.test(arg)) ??
    args.slice(0, at).find((arg) => rawSetting.test(arg));
  if (raw !== undefined) return { text: `"${raw}" shows content past its path`, hint: byName };
  const size = after.find((arg) => packedSize.test(arg));
  if (comparing.has(subcommand) || size !== undefined) {
    const text = `git ${size ?? subcommand} may tell how like protected files are to others`;
    return { text, hint: `Run it yourself: git ${args.join(' ')}` };
  }
  if (contentless.has(subcommand)) return undefined;
  // The type and the size of an object.
  if (subcommand === 'cat-file' && after.some((arg) => /^-[tse]$/.test(arg))) return undefined;
  const byInput = subcommand === 'cat-file' && after.some((arg) => /^--b(?!atch-ch|u)/.test(arg));
  if (packing.has(subcommand) || byInput) {
    return { text: `git ${subcommand} prints content without its path`, hint: byName };
  }
  if (!known.has(subcommand)) {
    return { text: `cuervo does not know what git ${subcommand} shows`, hint: byName };
  }
  const end = after.indexOf('--');
  const before = end < 0 ? after : after.slice(0, end);
  if (byPath.has(subcommand) && seeksElsewhere(before, end >= 0 && end < after.length - 1)) {
    const text = `git ${subcommand} -C tells which lines of a file stand in protected ones`;
    const path = after.at(-1) ?? '';
    return { text, hint: `Name a commit: git ${subcommand} -C HEAD -- ${path}` };
  }
  const past = before.find((arg) => showsPast(subcommand, after[0], arg));
  if (past !== undefined) {
    return { text: `git ${subcommand} ${past} shows content past its path`, hint: byName };
  }
  const many = walking.has(subcommand) ? undefined : before.find((arg) => ofReferences.test(arg));
  if (many !== undefined) {
    const text = `git ${subcommand} ${many} may show the content of a file without its path`;
    return { text, hint: `${byName} git log ${many} shows commits.` };
  }
  const operands = before.filter((arg) => !arg.startsWith('-'));
  const paths = [
    ...(byPath.has(subcommand) ? [...operands, ...after.slice(before.length + 1)] : []),
    ...linePaths(before),
  ];
  const closed = paths.find((path) => isWithheld(path, place, gate));
  if (closed !== undefined) return { text: `"${closed}" is a protected file`, hint: lifted };
  const torn = operands.find((operand) => operand.includes('\n') && operand.includes(':'));
  if (torn !== undefined) return { text: `"${torn}" has a line break in a name`, hint: byName };
  const values = takingObjects.has(subcommand) ? before.flatMap(optionValues) : [];
  const names = [...operands, ...values]
    .filter((operand) => !operand.includes('\n'))
    .flatMap(operandNames)
    .filter(({ name }) => !isPlainCommit(name));
  return names.length === 0
    ? undefined
    : await findAmong(names, listing.has(subcommand), place, gate, resolve);
}

/**
 * Looks for lines of the work tree, which may be guesses, in all other files. A commit in front of
 * `--` says that the lines are its own: what stands behind an option might be a value of that.
 */
function seeksElsewhere(before: readonly string[], hasPath: boolean): boolean {
  if (!before.some((arg) => /^-(?!-).*C/.test(arg))) return false;
  const [previous = '', last = '-'] = [before.at(-2), before.at(-1)];
  const isCommit = !last.startsWith('-') && /^(?!-)|^-[wspefnltMC\d]*$/.test(previous);
  return !hasPath || !isCommit || before.some((arg) => /^--cont/.test(arg));
}

/** Whether an option gives a file another path, or shows it whatever its attributes say. */
function showsPast(subcommand: string, first: string | undefined, arg: string): boolean {
  // A repository below may have attributes of its own that open it, and other paths.
  if (/^--su[a-z]*=diff$/.test(arg)) return true;
  // A patch names what it makes by its hash, or copies a file of the index to another path.
  if (subcommand === 'apply') return /^(?:-[a-zA-Z]*3|--(?:3|ind|ca|bu))/.test(arg);
  if (subcommand === 'update-index') return /^--(?:cac|ind)/.test(arg);
  if (['cherry-pick', 'merge', 'rebase', 'revert'].includes(subcommand)) {
    return /^(?:-[a-zA-Z]*[sX]|--stra[a-z-]*=)?subtree(?:=|$)/.test(arg);
  }
  const isDifference = subcommand !== 'stash' || ['show', 'list'].includes(first ?? '');
  return isDifference && undivided.has(subcommand) && asContent.test(arg);
}

async function findAmong(
  names: readonly OperandName[],
  lists: boolean,
  place: GitPlace,
  gate: ContentGate,
  resolve: (names: readonly string[]) => Promise<readonly string[]>,
): Promise<WithheldOperand | undefined> {
  const asked = names.flatMap(({ name, inTree }) => [
    name,
    inTree === undefined ? `${name}^{}` : inTree.before === '' ? name : `${inTree.before}^{commit}`,
  ]);
  const said = await resolve(asked);
  for (const [index, { name, inTree }] of names.entries()) {
    const [own = '', other = ''] = [said[2 * index], said[2 * index + 1]];
    const found = (inTree === undefined ? [own, other] : [own]).map(typeOf);
    const kind = found.find((type) => type === 'blob' || type === 'ambiguous') ?? found.at(-1);
    if (kind === 'ambiguous') return { text: `"${name}" names more than one object`, hint: byName };
    if (kind !== 'blob' && kind !== 'tree') continue;
    const isIndex = inTree?.before === '';
    const isKnown = inTree !== undefined && (isIndex || typeOf(other) === 'commit');
    if (kind === 'blob' && !isKnown) {
      return {
        text: `"${name}" is the content of a file, and git does not say which`,
        hint: byName,
      };
    }
    if (kind === 'blob' && isWithheld(inTree?.path ?? '', place, gate)) {
      return { text: `"${name}" is a protected file`, hint: lifted };
    }
    const isWhole = (isKnown && inTree?.path === '') || emptyTrees.has(own.split(' ', 1)[0] ?? '');
    if (kind === 'tree' && !lists && !isWhole) {
      const text = `"${name}" is a folder without its commit`;
      return { text, hint: 'Name the commit, and the folder after --, as in HEAD -- src.' };
    }
  }
  return undefined;
}

/** Certainly commits: HEAD and its ancestors. It saves a question. */
function isPlainCommit(name: string): boolean {
  return name.split(/\.{2,3}/).every((end) => /^(?:HEAD|@)(?:[~^]\d*)*$/.test(end));
}

function typeOf(said: string): string | undefined {
  if (said.endsWith(' ambiguous')) return 'ambiguous';
  return /^[0-9a-f]{40,64} (blob|tree|commit|tag)$/.exec(said)?.[1];
}

/** The paths of `-L RANGE:PATH`; a range may hold colons, so each rest counts. */
function linePaths(args: readonly string[]): string[] {
  const values = args.flatMap((arg, at) => {
    const glued = /^-[^-L]*L(.*)$/s.exec(arg)?.[1];
    return glued === undefined ? [] : glued === '' ? [args[at + 1] ?? ''] : [glued];
  });
  return values.flatMap((value) => {
    const parts = value.split(':');
    return parts.slice(1).map((_, index) => parts.slice(index + 1).join(':'));
  });
}

/** Read from the top of the work tree, from the folder that git runs in and from the root. */
function isWithheld(path: string, place: GitPlace, gate: ContentGate): boolean {
  const { root, cwd, top, main } = place;
  return [top, main, cwd, []].some((start) => {
    const resolved = resolveBelow([...start, ...path.split('/')]).join('/');
    return !gate.shows({ root, path: resolved }, { roots: [root] });
  });
}

function resolveBelow(segments: readonly string[]): string[] {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === '..') resolved.pop();
    else if (segment !== '' && segment !== '.') resolved.push(segment);
  }
  return resolved;
}
