import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { exposedPart } from '../../lib/files/exposed-part.ts';
import { isBelow } from '../../lib/files/paths.ts';
import { isInstalled, ProgramRefused } from '../exec/find-program.ts';
import { hasPython, installReads } from './install-prefix.ts';
import type { PathFolder } from './path-folder.ts';

/** Folders of a project's own programs, nearest folder first. */
const ownFolders = ['.venv/bin', 'node_modules/.bin'] as const;

export type WorkspacePlace = {
  /** granted roots: name -> absolute directory */
  folders: Readonly<Record<string, string>>;
  /** `root:relative/path` */
  cwd: string;
  /** the virtual environment that a person activated; it counts where it lies in the root */
  virtualEnv?: string | undefined;
};

/**
 * The folders of a workspace in which its own programs lie: those of the working directory, then
 * those above it up to the root.
 *
 * @param name the program that is looked for; a folder that leads out of the root is refused where
 *   it holds that program, and passed over else
 * @throws {ProgramRefused} `denied` with the way round
 */
export function workspaceFolders(name: string, place: WorkspacePlace): PathFolder[] {
  const colon = place.cwd.indexOf(':');
  const root = place.cwd.slice(0, colon);
  const top = place.folders[root];
  if (top === undefined) return [];
  const start = realPath(join(top, place.cwd.slice(colon + 1)));
  if (start === undefined || !isBelow(start, top)) return [];
  const found: PathFolder[] = [];
  const add = (path: string): void => {
    const folder = realPath(path);
    if (folder === undefined) return;
    if (!isBelow(folder, top)) {
      if (existsSync(join(folder, name))) throw leadsOut(path, folder, top);
      return;
    }
    if (found.some((each) => each.folder === folder)) return;
    const below = { root, path: relative(top, folder) };
    found.push({ folder, from: 'workspace', below, reads: readsOf(path, folder, top, name) });
  };
  const { virtualEnv } = place;
  if (virtualEnv !== undefined && isBelow(virtualEnv, top)) add(join(virtualEnv, 'bin'));
  for (let at = start; ; at = dirname(at)) {
    for (const own of ownFolders) add(join(at, own));
    if (at === top) return found;
  }
}

/**
 * The files that the Python behind a virtual environment loads. Anybody may have made the link to
 * it, so it makes nothing visible but an installation of Python.
 */
function readsOf(path: string, folder: string, top: string, name: string): string[] {
  if (!existsSync(join(dirname(folder), 'pyvenv.cfg'))) return [];
  const link = ['python3', 'python'].map((each) => join(folder, each)).find(isThere);
  if (link === undefined) return [];
  const shown = relative(top, dirname(path));
  const python = realPath(link);
  const isAskedFor = isThere(join(folder, name));
  if (python === undefined) {
    if (!isAskedFor) return [];
    const text = `the Python of ${shown} is gone, and its programs with it`;
    throw new ProgramRefused('denied', text, anew(shown));
  }
  const base = dirname(python);
  if (isBelow(base, top) || isInstalled(base)) return [];
  const exposed = exposedPart(base);
  if (hasPython(dirname(base)) && exposed === undefined) return installReads(base) ?? [];
  if (!isAskedFor) return [];
  const why = exposed === undefined ? 'is not an installation of Python' : exposed.why;
  const text = `${shown} belongs to a Python that is not used, because its folder ${why}`;
  throw new ProgramRefused('denied', text, `The folder is ${JSON.stringify(base)}. ${anew(shown)}`);
}

function anew(shown: string): string {
  return `Make it again with: python3 -m venv --clear ${shown}`;
}

function leadsOut(path: string, folder: string, top: string): ProgramRefused {
  const shown = relative(top, dirname(path));
  const text = `${shown} is a link out of the workspace, and its programs are not run`;
  const hint = `It leads to ${JSON.stringify(dirname(folder))}. Remove the link, and make ${shown} in the workspace.`;
  return new ProgramRefused('denied', text, hint);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Also a link that leads nowhere. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
