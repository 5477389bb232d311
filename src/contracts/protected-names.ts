/**
 * Names that no plugin reads or writes, whatever was granted: keys, credentials, and files
 * that a program executes or obeys when it starts.
 */

const secretSegment = [
  String.raw`[^/]*\.(?:pem|key)`,
  'id_(?:rsa|dsa|ecdsa|ed25519)[^/]*',
  String.raw`\.netrc`,
  String.raw`credentials\.json`,
  // The default CUERVO_HOME, where a home directory is the workspace.
  String.raw`\.cuervo`,
].join('|');

const obeyedSegment = [
  String.raw`\.env[^/]*`,
  String.raw`\.npmrc`,
  // What shells run when they start or end.
  String.raw`\.(?:bash|zsh|ksh|mksh|csh|tcsh|xonsh)rc`,
  String.raw`\.(?:bash_|z|x)?profile`,
  String.raw`\.bash_(?:login|logout|aliases)`,
  String.raw`\.z(?:shenv|login|logout)`,
  String.raw`\.log(?:in|out)`,
  String.raw`config\.fish`,
  String.raw`(?:microsoft\.powershell_)?profile\.ps1`,
].join('|');

/** In a `.git` directory, or in that of a submodule or a work tree inside it. */
const insideGit = String.raw`\.git/(?:(?:modules|worktrees)/(?:[^/]+/)*?)?(?:hooks|config(?:\.worktree)?)`;

const anySegment = `${secretSegment}|${obeyedSegment}`;
const protectedPath = new RegExp(`(?:^|/)(?:${anySegment}|${insideGit})(?:/|$)`);

/** The list as text: another one when anything is added to it or taken out. */
export const protectedNamesText: string = protectedPath.source;

/** Where a repository says that its configuration lies elsewhere. */
const gitPointer = String.raw`\.git/(?:(?:modules|worktrees)/(?:[^/]+/)*?)?commondir`;
const obeyedPath = new RegExp(`(?:^|/)(?:${obeyedSegment}|${insideGit}|${gitPointer}|\\.git)$`);

/**
 * True when a segment of the path is a protected name, or the path lies below one.
 * Spellings that some file system takes for the same name count as that name.
 *
 * @param relativePath segments joined by `/`, relative to a root; need not exist
 */
export function isProtectedPath(relativePath: string): boolean {
  const plain = !unusual.test(relativePath);
  return protectedPath.test(plain ? relativePath.toLowerCase() : foldPath(relativePath));
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
    // Below a protected folder everything is; there the folder is what counts.
    return isProtectedPath(path) && !isProtectedPath(above) && !isLifted(path);
  });
}

/**
 * True for what no plugin writes: protected names, and all of `.git`.
 *
 * @param relativePath as for `isProtectedPath`
 */
export function isUnwritablePath(relativePath: string): boolean {
  return isProtectedPath(relativePath) || isInsideGit(relativePath);
}

/**
 * True for all of `.git`, where a file changes what the next command of git does.
 *
 * @param relativePath as for `isProtectedPath`
 */
export function isInsideGit(relativePath: string): boolean {
  return foldPath(relativePath).split('/').includes('.git');
}

/**
 * True for what a later command obeys because it is there: a start-up file, configuration and
 * hooks of git, `.git` itself. A program that may write must leave none of these behind where
 * there was none; keys and the like it may, because they are its own.
 *
 * @param relativePath as for `isProtectedPath`
 */
export function isObeyedPath(relativePath: string): boolean {
  const plain = !unusual.test(relativePath);
  return obeyedPath.test(plain ? relativePath.toLowerCase() : foldPath(relativePath));
}

/** What `fold` would change beside the case: in the paths of most files there is none. */
const unusual = /[^!-9;-~ ]|[. ](?:\/|$)/;

/** One spelling for all that Unicode, case, Windows or HFS+ make equal. */
export function foldPath(path: string): string {
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
