import { once } from '../lib/memo.ts';
import { obeyedNames, runNames, secretNames, sharedNames } from './name-lists.ts';

/** In a `.git` directory, or in that of a submodule or a work tree inside it. */
const insideGit = String.raw`\.git/(?:(?:modules|worktrees)/(?:[^/]+/)*?)?(?:hooks|config(?:\.worktree)?)`;

/** Names that no plugin reads or writes, whatever was granted; see `name-lists.ts`. */
const protectedPath = once(
  () => new RegExp(namesSource([...secretNames, ...obeyedNames], insideGit)),
);

/** A workspace's settings, which can only narrow what plugins may do. */
const projectFile = 'cuervo.toml';

/** A repository's pointer to a configuration elsewhere. */
const gitPointer = String.raw`\.git/(?:(?:modules|worktrees)/(?:[^/]+/)*?)?commondir`;
const obeyedPath = once(
  () =>
    new RegExp(
      namesSource([...obeyedNames, '.git', projectFile], `${insideGit}|${gitPointer}`, '$'),
    ),
);

const runPaths = once(() =>
  runNames.map(({ by, names }) => ({ by, path: new RegExp(namesSource(names)) })),
);

/**
 * One pattern for all names. They are sorted by how they begin, because every path of a search is
 * compared: a segment without a dot in front passes most of the list with one look.
 *
 * @param more source of another alternative that begins a segment
 * @param end of a name: by default what lies below belongs to it
 */
function namesSource(names: readonly string[], more = '', end = '(?:/|$)'): string {
  const startWith = (start: string): string[] =>
    names
      .filter((name) => name.startsWith(start))
      .map((name) => sourceOf(name.slice(start.length)));
  const endings = [
    ...startWith('*.').map((rest) => `\\.${rest}`),
    ...startWith('*_').map((rest) => `_${rest}`),
  ];
  const plain = names.filter((name) => !/^(?:\.|\*[._])/.test(name)).map(sourceOf);
  const dotted = startWith('.');
  const starts = [...(dotted.length === 0 ? [] : [`\\.(?:${dotted.join('|')})`]), ...plain, more];
  const start = `(?:^|/)(?:${starts.filter(Boolean).join('|')})${end}`;
  const shared = `(?<!(?:^|/)(?:${sharedNames.map(sourceOf).join('|')}))`;
  return endings.length === 0 ? start : `${start}|(?:${endings.join('|')})${shared}${end}`;
}

function sourceOf(name: string): string {
  return name.replace(/[*\\^$.+?()[\]{}|]/g, (sign) => (sign === '*' ? '[^/]*' : `\\${sign}`));
}

/**
 * True when a segment of the path is a protected name, or the path lies below one.
 * Spellings that some file system takes for the same name count as that name.
 *
 * @param relativePath segments joined by `/`, relative to a root; need not exist
 */
export function isProtectedPath(relativePath: string): boolean {
  const path = foldPath(relativePath);
  return protectedPath().test(path) || leftFrom(path).some((from) => protectedPath().test(from));
}

const old = 'bak|backup|old|orig|save|te?mp|copy|prev';
/** What systems call a copy, in the languages that most people use them in. */
const copied = 'copy|kopie|copie|copia|cópia|kopia|копия|コピー';
const beforeEnding = String.raw`(?=\.[^.]*$|$)`;
/** Endings of editors, packages, downloads, version control, packers and cuervo itself. */
const endings = [
  ...['rej', 'sw[a-z]', 'kate-swp', 'un~', String.raw`\d[\d-]*`, 'mine', 'theirs', 'working'],
  ...[String.raw`r\d+`, String.raw`merge-(?:left|right)(?:\.r\d+)?`, '(?:dpkg|ucf)-[a-z]+'],
  ...['rpm(?:save|new|orig)', 'pac(?:save|new|orig)', 'part(?:ial)?', 'filepart', 'crdownload'],
  ...['download', 'lock', 'gz', 'bz2', 'xz', 'zst', 'zip'],
  // As `withholdPlanted` calls what a program made.
  String.raw`withheld(?:-\d+)?`,
].join('|');
/** Cheap to ask of every path. */
const mayBeLeft = new RegExp(
  String.raw`[~#)%]|(?:^|/)!|[-_.](?:${old})(?![a-z])|\.(?:${endings})(?:/|$)|_jb_|sync-conflict` +
    String.raw`|_(?:local|base|remote)_\d`,
);
const mayBeCopied = new RegExp(` (?:\\d|(?:- )?(?:${copied}))|(?:^|/)(?:${copied}) `);

/** What editors, file managers, git and people in a hurry add to file names. */
const additions: readonly (readonly [RegExp, string])[] = [
  [/^#(.+)#$/, '$1'],
  // The whole path of a file, in a folder that an editor keeps such copies in.
  [/^[%!].*[%!](?=.)/, ''],
  [new RegExp(`^(?:${copied}) (?:of|von|d[ei]) `), ''],
  [new RegExp(String.raw`(.)\.(?:${endings})$`), '$1'],
  [/(.)(?:\.~\d+)?~[\w.-]*$/, '$1'],
  [/(.)___jb_(?:tmp|old)___$/, '$1'],
  [new RegExp(String.raw`(.)[-_.](?:${old})[-_.]?\d*${beforeEnding}`), '$1'],
  [new RegExp(String.raw`(.)_(?:backup|local|base|remote)_\d+${beforeEnding}`), '$1'],
  [new RegExp(String.raw`(.)\.sync-conflict-[\w-]+${beforeEnding}`), '$1'],
  [
    new RegExp(
      String.raw`(.) ?\((?:\d{1,3}|[^()]{0,80}(?:conflict|${copied})[^()]{0,80})\)${beforeEnding}`,
    ),
    '$1',
  ],
  [new RegExp(String.raw`(.) (?:- )?(?:${copied})(?: ?\(?\d{1,3}\)?)?${beforeEnding}`), '$1'],
  [new RegExp(String.raw`(.) \d{1,3}${beforeEnding}`), '$1'],
];

/**
 * The names of the file that a backup, copy or recovery file comes from. Such a name is the file's
 * name with an addition.
 *
 * @param path of `foldPath`
 */
export function leftFrom(path: string): string[] {
  if (!mayBeLeft.test(path) && !(path.includes(' ') && mayBeCopied.test(path))) return [];
  const names = path.split('/').map((name) => {
    let from = name;
    for (let layer = 0; layer < 3; layer += 1)
      for (const [addition, rest] of additions) from = from.replace(addition, rest);
    return { name, from };
  });
  const all = (dot: RegExp): string =>
    names.map(({ name, from }) => (from === name ? name : from.replace(dot, ''))).join('/');
  // Some of them begin with a dot themselves.
  return [all(/^$/), all(/^\./)];
}

/**
 * True when the path itself or a folder above it is a protected name that was not lifted.
 *
 * @param isLifted told each protected name on the way, with what stands above it
 */
export function isProtectedUnless(
  relativePath: string,
  isLifted: (path: string) => boolean,
): boolean {
  if (!isProtectedPath(relativePath)) return false;
  const segments = relativePath.split('/');
  return segments.some((_, index) => {
    const path = segments.slice(0, index + 1).join('/');
    const above = segments.slice(0, index).join('/');
    // A protected folder protects everything below it, so the folder decides.
    return isProtectedPath(path) && !isProtectedPath(above) && !isLifted(path);
  });
}

/**
 * True for what no plugin writes: protected names, and what only a person changes.
 *
 * @param relativePath as for `isProtectedPath`
 */
export function isUnwritablePath(relativePath: string): boolean {
  return isProtectedPath(relativePath) || isFixedPath(relativePath);
}

/**
 * True for what plugins read and never write: all of `.git`, where a file changes what the next
 * command of git does, and the file in which a workspace says what is withheld in it. In a folder
 * below, that file would make it a workspace of its own.
 *
 * @param relativePath as for `isProtectedPath`
 */
export function isFixedPath(relativePath: string): boolean {
  const segments = foldPath(relativePath).split('/');
  return segments.includes('.git') || segments.includes(projectFile);
}

/**
 * True for the file in which a workspace says what is withheld in it.
 *
 * @param name a single segment, in any spelling
 */
export function isProjectFile(name: string): boolean {
  // Asked for each entry of a root: mostly the length says it.
  return unusual.test(name)
    ? foldPath(name) === projectFile
    : name.length === projectFile.length && name.toLowerCase() === projectFile;
}

/**
 * The program that runs or obeys a file without being asked to.
 *
 * @param relativePath as for `isProtectedPath`
 * @returns as in `is run by …`; undefined for most files
 */
export function runnerOf(relativePath: string): string | undefined {
  const path = foldPath(relativePath);
  return runPaths().find((each) => each.path.test(path))?.by;
}

/**
 * True for what a later command obeys because it is there: a start-up file, configuration and
 * hooks of git, `.git` itself. A program that may write must leave none of these behind where
 * there was none; keys and the like it may, because they are its own.
 *
 * @param relativePath as for `isProtectedPath`
 */
export function isObeyedPath(relativePath: string): boolean {
  return obeyedPath().test(foldPath(relativePath));
}

/** Characters beside capital letters that folding changes; most paths have none. */
const unusual = /[^!-9;-~ ]|[. ](?:\/|$)/;

/** One spelling for all that Unicode, case, Windows or HFS+ make equal. */
export function foldPath(path: string): string {
  if (!unusual.test(path)) return path.toLowerCase();
  return path.split('/').map(foldSegment).join('/');
}

function foldSegment(segment: string): string {
  return (
    segment
      .normalize('NFKC')
      // Upper case first: ſ, ı and K fold to the letters that they are read as.
      .toUpperCase()
      .toLowerCase()
      .normalize('NFKC')
      // HFS+ leaves such characters out of a comparison.
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // The rest is the name of an NTFS stream.
      .replace(/:.*$/s, '')
      // Windows drops these from the end of a name.
      .replace(/[. ]+$/, '')
  );
}

/** Folders of a repository that hold bytes of files: whole, packed, or as a patch. */
export const storeFolders: readonly string[] = [
  ...['objects', 'lfs', 'modules', 'annex', 'lost-found'],
  ...['rr-cache', 'rebase-apply', 'rebase-merge'],
];

/**
 * Files of a `.git` that name commits, branches and files, and hold no file content. All others
 * may: a commit message with a diff, patches, output of `fsck --lost-found`, keys.
 */
const telling = [
  ...['head', '[a-z_]+_head', 'refs', 'packed-refs', 'logs', 'index', String.raw`sharedindex\.\w+`],
  ...['info', 'description', 'branches', 'shallow', 'commondir', 'gitdir', 'bisect_[a-z_]+'],
  ...['hooks', 'worktrees', String.raw`config(?:\.worktree)?`],
].join('|');

/** Folders in which other version control programs keep their files. */
const otherStores = [
  ...[String.raw`\.svn/(?:pristine|text-base)`, String.raw`\.(?:hg|sl)/(?:store|patches|shelved)`],
  ...[
    String.raw`\.hg/strip-backup`,
    String.raw`\.bzr/(?:repository|checkout)`,
    String.raw`\.jj/repo`,
  ],
  ...['_darcs/(?:pristine.hashed|patches)', String.raw`\.pijul/pristine`, 'cvs/base'],
].join('|');

const inStore = new RegExp(
  String.raw`(?:^|/)(?:\.git/(?:worktrees/[^/]+/)?(?!(?:${telling})(?:/|$))[^/]|(?:${otherStores})(?:/|$))`,
);

/** A single object, a pack or an object of LFS, which may lie anywhere as an alternate. */
const isObject =
  /(?:^|\/)(?:[0-9a-f]{2}\/(?:[0-9a-f]{38}|(?:[0-9a-f]{2}\/)?[0-9a-f]{62,64})|pack-[0-9a-f]{40,64}\.[a-z]+)$/;

/** A `.git` that a program made, as `withholdPlanted` calls it. */
const renamed = /\.withheld(?:-\d+)?(?=\/|$)/g;

/**
 * True for files in which git keeps content. The source file of bytes in there is unknown.
 *
 * @param relativePath segments joined by `/`, relative to a root
 */
export function isStoredContent(relativePath: string): boolean {
  const path = /[^ -~]|~|[. ](?:\/|$)|:/.test(relativePath)
    ? foldPath(relativePath)
    : relativePath.toLowerCase();
  return inStore.test(path.replace(renamed, '')) || isObject.test(path);
}
