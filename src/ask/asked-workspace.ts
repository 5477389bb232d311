import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AskedWorkspace } from '../contracts/questions.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';

/** Folders that are looked into for one of a name, and how deep they may lie. */
const mostFolders = 2000;
const deepest = 5;
/** Characters of a manifest in which it says what it is called. */
const mostRead = 64 * 1024;
/** Folders of other authors' files, or of programs. */
const foreign = /^(?:\..*|node_modules|vendor|target|dist|build|out|venv|__pycache__)$/;
/** The manifests that say what a project is called, and the lines of them that do. */
const naming: readonly (readonly [string, RegExp])[] = [
  ['package.json', /^\s{0,4}"name"\s*:\s*"(?:@[^"/]+\/)?([^"]+)"/m],
  // Programs are entry points of a module.
  ['pyproject.toml', /^(?:name\s*=\s*"([\w.-]+)"|([\w-]+)\s*=\s*"[\w.]+:\w+")/gm],
  ['Cargo.toml', /^name\s*=\s*"([\w-]+)"/gm],
  ['go.mod', /^module\s+(?:\S+\/)?(?!v\d+\s)([\w.-]+)(?:\/v\d+)?\s*$/m],
];

/** The router's facts about a workspace. */
export function askedWorkspace(path: string): AskedWorkspace {
  const hasFolder = (folder: string): boolean => {
    if (folder.split('/').includes('..')) return false;
    return statSync(join(path, folder), { throwIfNoEntry: false })?.isDirectory() === true;
  };
  let names: readonly string[] | undefined;
  let folders: ReadonlyMap<string, string> | undefined;
  return {
    path,
    get names() {
      names ??= [basename(path), ...naming.flatMap((row) => namesIn(path, ...row))];
      return names;
    },
    hasFolder,
    folderCalled: (name) => {
      if (name.includes('/')) return hasFolder(name) ? name : undefined;
      folders ??= foldersBelow(path);
      return folders.get(name);
    },
  };
}

function namesIn(path: string, manifest: string, line: RegExp): string[] {
  try {
    const text = (readTextIfPresent(join(path, manifest)) ?? '').slice(0, mostRead);
    const lines = line.global ? [...text.matchAll(line)] : [line.exec(text) ?? []];
    return lines.flatMap(([, ...found]) => found.filter((each) => each !== undefined));
  } catch {
    // It may not be readable, or is not a manifest: the folder's name is used.
    return [];
  }
}

/** Folders by their last name. Of several with one name the uppermost counts. */
function foldersBelow(root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const queue = [''];
  for (let at = 0; at < queue.length && at < mostFolders; at += 1) {
    const folder = queue[at] as string;
    for (const { name } of entriesOf(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!found.has(name)) found.set(name, path);
      if (path.split('/').length < deepest) queue.push(path);
    }
  }
  return found;
}

/** Links are not followed. */
function entriesOf(folder: string): Dirent[] {
  try {
    const all = readdirSync(folder, { withFileTypes: true });
    return all.filter((entry) => entry.isDirectory() && !foreign.test(entry.name));
  } catch {
    // It may not be readable, or is gone.
    return [];
  }
}
