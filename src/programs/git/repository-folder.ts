import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Grant } from '../../contracts/capability.ts';
import type { GitQuestion } from '../../contracts/consent.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { isBelow } from '../../lib/files/paths.ts';
import { entriesIn, fromBytes, lstatSync, rawPath, realpathSync } from '../../lib/files/raw-fs.ts';

export type Setting = { name: string; value: string };

/** git-config(1), "Syntax"; a person wrote it, so what is not understood is passed over. */
export function parseSettings(text: string): Setting[] {
  const settings: Setting[] = [];
  let section = '';
  for (const line of text.replace(/\\\r?\n/g, ' ').split('\n')) {
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    const [, name = '', below] = head ?? [];
    if (head !== null) section = name.toLowerCase() + (below === undefined ? '' : `.${below}`);
    const rest = head === null ? line : line.slice(head[0].length);
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.*)$/.exec(rest) ?? [];
    if (key === '') continue;
    const plain = value
      .replace(/^"(.*)"\s*$/, '$1')
      .replace(/\\(["\\])/g, '$1')
      .trim();
    settings.push({ name: `${section}.${key.toLowerCase()}`, value: plain });
  }
  return settings;
}

/**
 * The user's own `safe.directory` for git in a sandbox, where a root has another path: entries that
 * name a root or what lies below it. Others are of no use there.
 *
 * @param folders root name -> absolute directory
 * @param placeOf where a root stands for git
 * @returns `safe.directory=…` each
 */
export function safeFolders(
  entries: readonly string[],
  folders: Readonly<Record<string, string>>,
  placeOf: (name: string) => string,
): string[] {
  return entries.flatMap((entry) => {
    if (entry === '*' || entry === '') return [`safe.directory=${entry}`];
    return Object.entries(folders).flatMap(([name, folder]) => {
      const covers = entry.endsWith('/*') && `${folder}/`.startsWith(entry.slice(0, -1));
      // Whatever lies below the folder is trusted, and so all of the root is.
      if (covers) return [`safe.directory=${placeOf(name)}`, `safe.directory=${placeOf(name)}/*`];
      if (entry !== folder && !entry.startsWith(`${folder}/`)) return [];
      return [`safe.directory=${placeOf(name)}${entry.slice(folder.length)}`];
    });
  });
}

/** Bytes; a list of folders, one a line. */
const maxBytes = 64 * 1024;

/**
 * The folders inside of a root in which a repository finds more objects; gitrepository-layout(5).
 *
 * @param root absolute
 * @param path of `objects/info/alternates`, relative to the root
 * @returns relative to the root, links resolved
 */
export function alternatesOf(root: string, path: string): string[] {
  const list = join(root, path);
  try {
    const stats = lstatSync(list);
    if (!stats.isFile() || stats.size > maxBytes) return [];
    const objects = dirname(dirname(list));
    return readFileSync(rawPath(list), 'latin1')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .flatMap((line) => folderBelow(root, resolve(objects, unquoted(line))));
  } catch {
    // Gone meanwhile.
    return [];
  }
}

const escaped: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
};

/** As git writes a path with unusual bytes: in quotes, as `\377`. @param line bytes, as latin1 */
function unquoted(line: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  const bytes = quoted?.replace(/\\([0-3][0-7]{2}|.)/g, (_, sign: string) =>
    sign.length > 1 ? String.fromCharCode(Number.parseInt(sign, 8)) : (escaped[sign] ?? sign),
  );
  return fromBytes(Buffer.from(bytes ?? line, 'latin1'));
}

function folderBelow(root: string, folder: string): string[] {
  try {
    const inside = relative(realpathSync(root), realpathSync(folder));
    if (inside === '' || inside.startsWith('..')) return [];
    // Another folder is not closed because a repository says so.
    return entriesIn(folder).some(({ name }) => /^(?:pack|[0-9a-f]{2})$/.test(name))
      ? [inside]
      : [];
  } catch {
    // It leads nowhere, so there is nothing to read in it.
    return [];
  }
}

/** A git was not run because it needs a grant of its own, which a person may be asked for. */
export class GrantMissing extends ServiceError {
  readonly grant: Grant;
  readonly asks: GitQuestion;

  constructor(
    reason: string,
    { grant, asks, hint = '' }: { grant: Grant; asks: GitQuestion; hint?: string },
  ) {
    const text = `${grant.capability}:${grant.detail}`;
    const typed = /^[\w./:@+-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
    super(
      'denied',
      reason,
      '',
      `${hint}Allow it here with: cuervo plugin grant git ${typed} --project, or for one run with --allow ${typed}`,
    );
    this.grant = grant;
    this.asks = asks;
  }
}

/** Where the parts of a repository lie. */
export type RepositoryFolder = {
  /** absolute: index and HEAD */
  folder: string;
  /** absolute: configuration and objects, which linked work trees share */
  common: string;
  /** `.git` names it by a path from the top, as it does in a linked work tree */
  isAbsolute: boolean;
  /** it lies outside of the root, and names the work tree as its own */
  isOutside?: true;
};

/** Bytes of a pointer; it holds one path. */
const maxPointerBytes = 8192;

/**
 * What a `.git` stands for: a folder itself, or a file of a submodule or a linked work tree that
 * says where the repository is. One outside of the root has to point back: a file that anybody may
 * have put there does not lead to another's repository. No link is followed.
 *
 * @param root absolute, without links
 * @param entry of the `.git`, relative to the root
 * @returns undefined where there is none, or it does not belong to the work tree
 */
export function repositoryFolder(root: string, entry: string): RepositoryFolder | undefined {
  const path = join(root, entry);
  try {
    if (!lstatSync(path).isFile()) return { folder: path, common: path, isAbsolute: false };
    const pointer = /^gitdir: (.+)$/m.exec(pointerText(path))?.[1];
    if (pointer === undefined) return undefined;
    const named = resolve(dirname(path), pointer);
    if (!isBelow(named, root)) return outside(path, named);
    const folder = plainBelow(root, named);
    if (folder === undefined) return undefined;
    const shared = join(folder, 'commondir');
    const isLinked = lstatSync(shared, { throwIfNoEntry: false }) !== undefined;
    const common = isLinked
      ? plainBelow(root, resolve(folder, pointerText(shared).trim()))
      : folder;
    if (common === undefined) return undefined;
    return { folder, common, isAbsolute: pointer.startsWith('/') };
  } catch {
    // Not there or not to be read: git says what it makes of that.
    return undefined;
  }
}

/**
 * A repository outside that knows the work tree: `worktrees/NAME/gitdir` names its `.git`, or
 * `core.worktree` of `modules/NAME` names its folder.
 *
 * @param path of the `.git`, absolute
 * @param named the folder that it names
 * @throws {Error} of the system
 */
function outside(path: string, named: string): RepositoryFolder | undefined {
  const [own, folder] = [join(realpathSync(dirname(path)), '.git'), realpathSync(named)];
  if (lstatSync(join(folder, 'commondir'), { throwIfNoEntry: false }) === undefined) {
    const isModule = /\/\.git\/(?:.+\/)?modules\/./.test(folder);
    const text = isModule ? pointerText(join(folder, 'config')) : '';
    const tree = parseSettings(text).findLast(({ name }) => name === 'core.worktree')?.value;
    if (tree === undefined || realpathSync(resolve(folder, tree)) !== dirname(own))
      return undefined;
    return { folder, common: folder, isAbsolute: false, isOutside: true };
  }
  const common = dirname(dirname(folder));
  const back = pointerText(join(folder, 'gitdir')).trim();
  const isLinked =
    basename(dirname(folder)) === 'worktrees' &&
    pointerText(join(folder, 'commondir')).trim() === '../..' &&
    resolve(folder, back) === own;
  return isLinked ? { folder, common, isAbsolute: false, isOutside: true } : undefined;
}

/** @throws {Error} of the system, or where it is not a file that holds one path */
function pointerText(path: string): string {
  const stats = lstatSync(path);
  if (!stats.isFile() || stats.size > maxPointerBytes) throw new Error('no pointer');
  return fromBytes(readFileSync(rawPath(path)));
}

/** The folder, where no link is on the way to it below the root. */
function plainBelow(root: string, folder: string): string | undefined {
  if (!isBelow(folder, root)) return undefined;
  const expected = join(realpathSync(root), relative(root, folder));
  return realpathSync(folder) === expected ? folder : undefined;
}
