import { type Dirent, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { entriesIn, showRaw } from '../lib/files/raw-fs.ts';
import { unprintablePath } from '../lib/text/escape.ts';
import { parseRules, type RuleSet } from '../lib/text/rule-set.ts';
import { yieldToEvents } from '../lib/turns.ts';

export type WalkedFile = {
  /** relative to the root, with `/` */
  path: string;
  bytes: number;
  changedMs: number;
};

/** The same limit as for ignore files in searches. */
const maxRulesBytes = 1024 * 1024;
const ignoreFiles = ['.gitignore', '.ignore', '.cuervoignore'];
/** Error codes of an exhausted system: a later look may succeed. */
const exhausted = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);
/** Folders of versions and packages never hold a person's own files. */
const neverEntered = new Set(['.git', 'node_modules']);

type Rules = { below: string; rules: RuleSet };

/**
 * The ordinary files below a folder of the workspace, in order of their paths, without what ignore
 * files name and without links, which may lead anywhere.
 *
 * @param root absolute
 * @param folder relative to it, '' for all of it
 * @param isProtected told paths relative to the root
 * @param options.onUnreadable called for each file and folder that the system does not let be looked at, or
 *   whose name is not UTF-8 or cannot be written as a path; it is left out
 * @throws errors of the system where the folder itself cannot be listed
 */
export async function* walkFiles(
  root: string,
  folder: string,
  isProtected: (path: string) => boolean,
  options: { signal: AbortSignal; onUnreadable?: (path: string) => void },
): AsyncGenerator<WalkedFile, void, undefined> {
  // Rules of the folders above hold here, too.
  const above: Rules[] = [];
  const segments = folder === '' ? [] : folder.split('/');
  for (let depth = 0; depth < segments.length; depth += 1) {
    above.push(...readRules(root, segments.slice(0, depth).join('/')));
    if (isIgnored(above, segments.slice(0, depth + 1).join('/'), true)) return;
  }
  const entries = entriesOf(root, folder);
  const { signal } = options;
  const onUnreadable = (path: string) => options.onUnreadable?.(showRaw(path));
  const turn = yieldToEvents(signal);
  yield* walk(root, folder, entries, above, { isProtected, onUnreadable, turn });
}

type Told = {
  isProtected(path: string): boolean;
  onUnreadable(path: string): void;
  turn: ReturnType<typeof yieldToEvents>;
};

async function* walk(
  root: string,
  folder: string,
  entries: readonly Dirent[],
  above: readonly Rules[],
  told: Told,
): AsyncGenerator<WalkedFile, void, undefined> {
  const rules = [...above, ...readRules(root, folder)];
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const isDirectory = entry.isDirectory();
    const waits = told.turn();
    if (waits !== undefined) await waits;
    if (!isDirectory && !entry.isFile()) continue;
    if (told.isProtected(path) || isIgnored(rules, path, isDirectory)) continue;
    if (unprintablePath.test(entry.name)) {
      told.onUnreadable(path);
      continue;
    }
    if (isDirectory) {
      if (neverEntered.has(entry.name)) continue;
      const inside = lookAt(path, () => entriesOf(root, path), told);
      if (inside !== undefined) yield* walk(root, path, inside, rules, told);
      continue;
    }
    // Synchronous on purpose: each call on the thread pool would take ten times as long.
    const stats = lookAt(path, () => lstatSync(join(root, path)), told);
    if (stats === undefined) continue;
    const { size, mtimeMs } = stats;
    yield { path, bytes: size, changedMs: mtimeMs };
  }
}

function entriesOf(root: string, folder: string): Dirent[] {
  return entriesIn(join(root, folder)).sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** @returns undefined for what is gone by now, and for what cannot be looked at, which is told */
function lookAt<Value>(
  path: string,
  look: () => Value,
  { onUnreadable }: Pick<Told, 'onUnreadable'>,
): Value | undefined {
  try {
    return look();
  } catch (thrown) {
    const { code = '' } = thrown as NodeJS.ErrnoException;
    if (exhausted.has(code)) throw thrown;
    if (code !== 'ENOENT') onUnreadable(path);
    return undefined;
  }
}

/** The deepest rule that speaks of the path decides. */
function isIgnored(all: readonly Rules[], path: string, isDirectory: boolean): boolean {
  for (const { below, rules } of all.toReversed()) {
    const own = below === '' ? path : path.slice(below.length + 1);
    const name = own.slice(own.lastIndexOf('/') + 1);
    const verdict = rules.verdict(own, name, isDirectory);
    if (verdict !== undefined) return verdict;
  }
  return false;
}

function readRules(root: string, folder: string): Rules[] {
  return ignoreFiles.flatMap((name) => {
    const path = join(root, folder, name);
    try {
      // Only regular files: a pipe would block for ever, and a device has no end.
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isFile() !== true || found.size > maxRulesBytes) return [];
      const text = readFileSync(path, 'utf8');
      const rules = parseRules(text);
      return rules === undefined ? [] : [{ below: folder, rules }];
    } catch {
      return []; // it may not be read
    }
  });
}
