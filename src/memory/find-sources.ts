import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { realPath, workspacePath } from '../lib/files/paths.ts';

export type KnownSources = {
  /** what any row came from, or was read and not forgotten */
  named: ReadonlySet<string>;
  /** those of `named` that are files or texts, which can lie below a folder */
  read: ReadonlySet<string>;
  forgotten: ReadonlySet<string>;
};

/** Sources that an error names as near. */
const maxNear = 3;

/**
 * The sources that a person means: one by its name, else by another spelling of its path, else all
 * below a folder. A path is of the workspace, or of the current folder as for `memory add`.
 *
 * @returns at least one
 * @throws {KernelError} `not-found`, with names that are near
 */
export function findSources(typed: string, workspace: string, known: KnownSources): string[] {
  if (typed.trim() === '') {
    throw new KernelError('invalid-argument', 'the source to forget is empty', {
      hint: 'Name one that is listed: cuervo memory list',
    });
  }
  const spellings = spellingsOf(typed, workspace);
  for (const name of spellings) if (known.named.has(name)) return [name];
  for (const folder of spellings) {
    const below = [...known.read].filter((source) => isBelow(source, folder));
    if (below.length > 0) return below.sort();
  }
  const wasForgotten = spellings.some((name) => known.forgotten.has(name));
  throw new KernelError(
    'not-found',
    `nothing in memory of ${workspace} came from "${typed}"${wasForgotten ? ': it was forgotten already' : ''}`,
    { hint: hintOf(near(typed, known.named)) },
  );
}

/** @param folder '' for the workspace itself */
export function isBelow(source: string, folder: string): boolean {
  return folder === '' || source === folder || source.startsWith(`${folder}/`);
}

/** As typed, then as a path relative to the workspace. */
function spellingsOf(typed: string, workspace: string): string[] {
  const path = workspacePath(typed);
  const ofWorkspace = resolve(workspace, path);
  const paths = [ofWorkspace, realPath(ofWorkspace), resolve(path), realPath(resolve(path))];
  const inside = paths
    .map((at) => relative(workspace, at).split(sep).join('/'))
    .filter((at) => at !== '..' && !at.startsWith('../') && !isAbsolute(at));
  return [...new Set([typed, ...inside])];
}

/** Sources with the typed text in their name, without the line numbers of a search. */
function near(typed: string, names: ReadonlySet<string>): string[] {
  const name = posix.basename(typed.replace(/:\d+(?:-\d+)?$/, '')).toLowerCase();
  if (name === '' || name === '.' || name === '..') return [];
  return [...names]
    .filter((source) => source.toLowerCase().includes(name))
    .sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
    .slice(0, maxNear);
}

function hintOf(names: readonly string[]): string {
  if (names.length === 0) return 'See what rows came from: cuervo memory list';
  return `Near it: ${names.join(', ')}; see what rows came from: cuervo memory list`;
}
