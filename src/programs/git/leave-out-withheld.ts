import type { ContentGate, ProtectedEntries } from '../../contracts/content-gate.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { sharedNames } from '../../contracts/name-lists.ts';
import { foldPath } from '../../contracts/protected-names.ts';
import { once } from '../../lib/memo.ts';
import { compilePattern } from '../../lib/text/glob.ts';
import { subcommandAt } from './command-line.ts';
import { findWithheld } from './find-withheld.ts';
import { findStored } from './harden-git.ts';
import type { GitPlace } from './outer-repository.ts';
import { withheldAttributes, withheldNames } from './withheld-attributes.ts';

/**
 * The entries of a root as they read from a folder in it: git knows paths from the top of a work
 * tree, which may lie below the root.
 *
 * @param entries of one root, as `createContentGate` takes them
 * @param top of the work tree, below the root
 */
export function entriesBelow(entries: readonly string[], top: readonly string[]): string[] {
  if (top.length === 0) return [...entries];
  const folder = `${top.join('/')}/`;
  return entries.flatMap((entry) => {
    const tag = /^:\w+ /.exec(entry)?.[0];
    if (tag === undefined) return entry.startsWith(folder) ? [entry.slice(folder.length)] : [];
    const pattern = entry.slice(tag.length);
    // A slash before its end ties a pattern to the root.
    if (!pattern.replace(/\/$/, '').includes('/')) return [entry];
    return rest(pattern.replace(/^\//, '').split('/'), top).map((left) => `${tag}/${left}`);
  });
}

/** What is left of a pattern behind a folder; more than one where `**` may end here or there. */
function rest(pattern: readonly string[], folder: readonly string[]): string[] {
  const [first, ...others] = pattern;
  const [name, ...below] = folder;
  if (name === undefined) return pattern.length === 0 ? [] : [pattern.join('/')];
  if (first === undefined) return [];
  if (first === '**') return [...rest(others, folder), ...rest(pattern, below)];
  return compilePattern(first, foldPath).names(foldPath(name).split('/'))
    ? rest(others, below)
    : [];
}

const magic = ':(exclude,top,icase,glob)';

/**
 * Pathspecs that keep git out of everything withheld. A lifted name is looked into where
 * it is a plain name; of a lifted pattern nothing is, because pathspecs only leave out.
 *
 * @param entries of `entriesBelow`
 */
export function withheldPathspecs(entries: readonly string[]): string[] {
  const tagged = (tag: string): string[] =>
    entries.filter((entry) => entry.startsWith(tag)).map((entry) => entry.slice(tag.length));
  const lifted = [...sharedNames, ...tagged(':lift ')]
    .filter((name) => !/[*?/[\\]/.test(name))
    .map(foldPath);
  const names = withheldNames.flatMap((name) => without(name, lifted));
  return [
    ...names.flatMap((name) => [`**/${name}`, `**/${name}/**`]),
    ...tagged(':add ').flatMap(spellings),
  ]
    .map((pattern) => `${magic}${pattern}`)
    .concat(
      entries
        .filter((entry) => !entry.startsWith(':'))
        .map((path) => `:(exclude,top,icase,literal)${path}`),
    );
}

function spellings(pattern: string): string[] {
  const body = pattern
    .replace(/^\//, '')
    .replace(/(?:\/\*\*)?\/?$/, '')
    .replace(/[[\]]/g, '\\$&');
  const isTied = pattern.replace(/\/$/, '').includes('/');
  const start = isTied ? '' : '**/';
  return [`${start}${body}`, `${start}${body}/**`];
}

/**
 * Patterns that together name what a pattern names, less some plain names. Only a pattern that
 * begins or ends with its one `*` can be taken apart.
 */
function without(pattern: string, names: readonly string[]): string[] {
  if (!pattern.includes('*')) return names.includes(pattern) ? [] : [pattern];
  const isSuffix = pattern.startsWith('*');
  const turn = (text: string): string => (isSuffix ? [...text].reverse().join('') : text);
  const fixed = turn(pattern.replace('*', ''));
  const kept = names.map(turn).filter((name) => name.startsWith(fixed));
  const isOneStar = pattern.indexOf('*') === pattern.lastIndexOf('*') && !/[?/[]/.test(pattern);
  const isPlain = kept.every((name) => /^[\w.-]+$/.test(name));
  if (kept.length === 0 || !isOneStar || !isPlain) return [pattern];
  const atEdge = isSuffix || pattern.endsWith('*');
  return atEdge
    ? allBut(fixed, kept).map((parts) => (isSuffix ? parts.reverse() : parts).join(''))
    : [pattern];
}

/** Paths that begin with a text, without the names: by the first letter that differs from them. */
function allBut(start: string, names: readonly string[]): string[][] {
  const next = new Set(
    names
      .filter((name) => name !== start && name.startsWith(start))
      .map((name) => name.charAt(start.length)),
  );
  const own = names.includes(start) ? [] : [[...start]];
  // A dash means itself only at the end of a class.
  const letters = [...next].sort((one, other) => Number(one === '-') - Number(other === '-'));
  const others = next.size === 0 ? ['?'] : [`[!${letters.join('')}]`];
  const here = [...own, [...start, ...others, '*']];
  return [...here, ...[...next].flatMap((letter) => allBut(start + letter, names))];
}

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

/** Keeps from a git what is withheld, in a repository that may lie inside of a root. */
export type ContentWithholder = {
  /** attributes for differences and searches */
  attributes(place: GitPlace | undefined): string;
  /** arguments that leave withheld files out of searches */
  leaveOut(args: readonly string[], place: GitPlace): string[];
  /** of `changeOfWithheld` */
  changed(args: readonly string[], place: GitPlace): string[] | undefined;
};

export function createContentWithholder(protectedPaths: ProtectedEntries): ContentWithholder {
  const everywhere = once(() => withheldAttributes(protectedPaths));
  const entriesAt = ({ root, top, main }: GitPlace): string[] => {
    const below = [top, main].flatMap((each) => entriesBelow(protectedPaths[root] ?? [], each));
    return [...new Set(below)];
  };
  const pathspecs = (place: GitPlace) => () => withheldPathspecs(entriesAt(place));
  return {
    attributes: (place) =>
      place === undefined || place.top.length === 0
        ? everywhere()
        : withheldAttributes({ [place.root]: entriesAt(place) }),
    leaveOut: (args, place) => leaveOutWithheld(args, pathspecs(place)),
    changed: (args, place) => changeOfWithheld(args, pathspecs(place)),
  };
}

/**
 * @param folder absolute, of the root
 * @throws {ServiceError} `denied` for content that the gate does not show, or that has no path
 */
export async function refuseWithheld(
  args: readonly string[],
  place: GitPlace,
  folder: string,
  gate: ContentGate,
  run: (args: readonly string[], stdin: string) => Promise<{ stdout: string }>,
): Promise<void> {
  const stored = findStored(args, folder, place);
  if (stored !== undefined) {
    const text = `git would read "${stored}" as a file, and it holds content of others`;
    throw new ServiceError('denied', text, '', 'Name a commit and a path in it.');
  }
  const before = args.slice(0, subcommandAt(args));
  const ask = [...before, '--no-pager', 'cat-file', '--batch-check=%(objectname) %(objecttype)'];
  const found = await findWithheld(args, place, gate, async (names) => {
    const { stdout } = await run(ask, names.map((name) => `${name}\n`).join(''));
    return stdout.split('\n');
  });
  if (found !== undefined) throw new ServiceError('denied', found.text, '', found.hint);
}
