import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';

export type WalkedFile = {
  /** relative to the root, with `/` */
  path: string;
  bytes: number;
  changedMs: number;
  /** when its inode was changed last, which nobody can put back */
  inodeChangedMs: number;
  inode: number;
};

const ignoreFiles = ['.gitignore', '.ignore', '.cuervoignore'];
/** What versions and packages are kept in is never what a person wrote. */
const neverEntered = new Set(['.git', 'node_modules']);

type Rules = { below: string; rules: Ignore };

/**
 * The ordinary files below a folder of the workspace, in order of their paths, without what ignore
 * files name and without links, which may lead anywhere.
 *
 * @param root absolute
 * @param folder relative to it, '' for all of it
 * @param isProtected told paths relative to the root
 */
export async function* walkFiles(
  root: string,
  folder: string,
  isProtected: (path: string) => boolean,
): AsyncGenerator<WalkedFile, void, undefined> {
  // Rules of the folders above hold here, too.
  const above: Rules[] = [];
  const segments = folder === '' ? [] : folder.split('/');
  for (let depth = 0; depth < segments.length; depth += 1) {
    above.push(...readRules(root, segments.slice(0, depth).join('/')));
  }
  yield* walk(root, folder, above, isProtected);
}

async function* walk(
  root: string,
  folder: string,
  above: readonly Rules[],
  isProtected: (path: string) => boolean,
): AsyncGenerator<WalkedFile, void, undefined> {
  const rules = [...above, ...readRules(root, folder)];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const isDirectory = entry.isDirectory();
    if (!isDirectory && !entry.isFile()) continue;
    if (isProtected(path) || isIgnored(rules, path, isDirectory)) continue;
    if (isDirectory) {
      if (!neverEntered.has(entry.name)) yield* walk(root, path, rules, isProtected);
      continue;
    }
    // in a thread of its own each would take ten times as long
    const { size, mtimeMs, ctimeMs, ino } = lstatSync(join(root, path));
    yield { path, bytes: size, changedMs: mtimeMs, inodeChangedMs: ctimeMs, inode: ino };
  }
}

/** The deepest rule that speaks of the path decides. */
function isIgnored(all: readonly Rules[], path: string, isDirectory: boolean): boolean {
  for (const { below, rules } of all.toReversed()) {
    const own = below === '' ? path : path.slice(below.length + 1);
    const { ignored, unignored } = rules.test(isDirectory ? `${own}/` : own);
    if (ignored || unignored) return ignored;
  }
  return false;
}

function readRules(root: string, folder: string): Rules[] {
  return ignoreFiles.flatMap((name) => {
    try {
      const text = readFileSync(join(root, folder, name), 'utf8');
      return [{ below: folder, rules: ignore({ ignorecase: false }).add(text) }];
    } catch {
      return []; // most folders have none
    }
  });
}
