import { posix } from 'node:path';
import type { StepResult } from '../contracts/plan.ts';
import { parseContent } from '../lib/text/parse-json.ts';

/** Keys below which tools give paths. */
const keys: ReadonlySet<string> = new Set(['path', 'paths', 'file', 'files']);
/** Longer ones are seldom meant, and never well written. */
const maxCharacters = 160;
const maxPaths = 1_000;
/** The root itself, as tools take it. */
const root = '.';

/**
 * Files and folders that a call can name: those that the question names, then those that results of
 * tools name, each kind with the folders around it.
 *
 * @param named what counts most, best first
 * @returns each once, at most 1,000; none where nothing but the root is known
 */
export function pathsIn(named: readonly string[], results: readonly StepResult[]): string[] {
  const found = new Set<string>();
  const add = (path: string): void => {
    if (isPlain(path)) found.add(path);
  };
  const addAll = (paths: readonly string[]): void => {
    for (const path of paths) add(path);
    for (const path of paths.filter(isPlain)) {
      for (const folder of foldersAbove(path)) add(folder);
    }
  };
  addAll(named);
  add(root);
  const others: string[] = [];
  for (const { output } of results) {
    if (output !== undefined) collect(parseContent(output.content), false, others);
  }
  addAll(others);
  return found.size === 1 ? [] : [...found].slice(0, maxPaths);
}

function collect(value: unknown, isPath: boolean, into: string[]): void {
  if (into.length >= maxPaths) return;
  if (typeof value === 'string') {
    if (isPath) into.push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, isPath, into);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) collect(item, keys.has(key), into);
  }
}

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === path || folder === root ? [] : [folder, ...foldersAbove(folder)];
}

/** Below the root, on one line, and short. */
function isPlain(path: string): boolean {
  return (
    path !== '' &&
    path.length <= maxCharacters &&
    !/\p{Cc}/u.test(path) &&
    !posix.isAbsolute(path) &&
    !path.split('/').includes('..')
  );
}
