import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { exposedPart } from '../../lib/files/exposed-part.ts';
import { namesIn } from '../../lib/files/folders.ts';
import { homeFolder, isBelow } from '../../lib/files/paths.ts';
import {
  isInstalled,
  type PathFolder,
  ProgramRefused,
  programFolders,
} from '../exec/find-program.ts';
import {
  asdfVersions,
  newestMatch,
  rustToolchain,
  type ShimPlace,
  type WorkspacePlace,
  wantedVersions,
} from './wanted-versions.ts';

/** Signs that the folder above a `bin` is one installation. */
const marks = ['conda-meta', 'lib/node_modules', 'lib/rustlib', 'lib/ruby', 'pkg/tool'];

/**
 * Folders of an installation that its programs load from. `etc` may hold tokens, so it is left out.
 */
const loaded: readonly string[] = [
  ...['bin', 'lib', 'lib32', 'lib64', 'libexec', 'include', 'share'],
  // Go's own, and what says which Python a virtual environment belongs to.
  ...['pkg', 'src', 'go.env', 'VERSION', 'pyvenv.cfg'],
];

/**
 * The parts of an installation that a program in its `bin` loads.
 *
 * @param folder real and absolute
 * @returns absolute paths; undefined when the layout is not that of an installation
 */
export function installReads(folder: string): string[] | undefined {
  const prefix = dirname(folder);
  if (isUserBase(folder)) return [folder, ...userPackages(prefix)];
  if (basename(folder) !== 'bin' || holdsHome(prefix)) return undefined;
  const isKnown =
    existsSync(join(prefix, 'pyvenv.cfg')) ||
    marks.some((mark) => existsSync(join(prefix, mark))) ||
    hasPython(prefix);
  if (!isKnown) return undefined;
  return loaded.map((name) => join(prefix, name)).filter((path) => existsSync(path));
}

/** `~/.local/bin`, where `pip install --user` puts programs, and npm with that prefix. */
export function isUserBase(folder: string): boolean {
  const home = homeFolder();
  return home !== '' && folder === join(home, '.local/bin');
}

/** The packages of those programs; what else lies in `lib` and `share` is a person's. */
function userPackages(prefix: string): string[] {
  const lib = join(prefix, 'lib');
  if (statSync(lib, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(lib)
    .filter((name) => /^python\d(\.\d+)?$/.test(name) || name === 'node_modules')
    .map((name) => join(lib, name));
}

/** Whether a folder holds the libraries of a Python, which no link can pretend. */
function hasPython(prefix: string): boolean {
  const lib = join(prefix, 'lib');
  if (holdsHome(prefix) || statSync(lib, { throwIfNoEntry: false })?.isDirectory() !== true)
    return false;
  return readdirSync(lib).some(
    (name) => /^python\d(\.\d+)?$/.test(name) && existsSync(join(lib, name, 'os.py')),
  );
}

/** A home with a `bin` and a `lib` in it is a home. */
function holdsHome(prefix: string): boolean {
  const home = homeFolder();
  return home !== '' && (isBelow(home, prefix) || prefix === join(home, '.local'));
}

/** Managers that keep `shims` beside `versions`, and the file that says which version counts. */
const versionFiles: Readonly<Record<string, string>> = {
  pyenv: '.python-version',
  rbenv: '.ruby-version',
  nodenv: '.node-version',
};

/** The folder of programs below an installed version. */
const binFolders = ['bin', 'go/bin'] as const;

/**
 * The real programs of a folder of shims. A shim asks its manager, which reads files of the home;
 * so no shim is run, and the same files tell its program.
 *
 * @param folder real; of `PATH`
 * @returns folders of real programs, first come first; empty for a folder without shims
 */
function shimFolders(folder: string, place: ShimPlace): string[] {
  const above = dirname(folder);
  const found = isShimFolder(folder)
    ? existsSync(join(above, 'versions'))
      ? ofVersions(above, place)
      : ofInstalls(join(above, 'installs'), place)
    : existsSync(join(folder, 'rustup'))
      ? ofRustup(above, place)
      : [];
  return found.flatMap((each) => realFolder(each) ?? []);
}

export function isShimFolder(folder: string): boolean {
  return basename(folder) === 'shims';
}

function ofVersions(manager: string, place: ShimPlace): string[] {
  const versions = join(manager, 'versions');
  const kind = basename(manager).replace(/^\./, '');
  const file = versionFiles[kind] ?? '.python-version';
  const wanted = wantedVersions(file, place) ?? wantedVersions('version', place, manager) ?? [];
  return wanted.flatMap((name) => {
    const version = newestMatch(name, namesIn(versions));
    return version === undefined ? [] : [join(versions, version, 'bin')];
  });
}

/** asdf and mise: `installs/TOOL/VERSION`. */
function ofInstalls(installs: string, place: ShimPlace): string[] {
  const wanted = asdfVersions(place, homeFolder());
  return namesIn(installs)
    .sort()
    .flatMap((tool) => {
      const there = namesIn(join(installs, tool));
      const asked = wanted.get(tool) ?? wanted.get(aliases[tool] ?? '');
      // Without a setting the newest version is meant.
      const version = newestMatch(asked ?? 'latest', there);
      if (version === undefined) return [];
      return binFolders
        .map((bin) => join(installs, tool, version, bin))
        .filter((each) => existsSync(each));
    });
}

const aliases: Readonly<Record<string, string>> = {
  node: 'nodejs',
  nodejs: 'node',
  go: 'golang',
  golang: 'go',
};

function ofRustup(cargo: string, place: ShimPlace): string[] {
  const rustup = join(dirname(cargo), '.rustup');
  const toolchains = join(rustup, 'toolchains');
  const there = namesIn(toolchains).sort();
  const wanted = rustToolchain(place, join(rustup, 'settings.toml'));
  const chosen = there.find((name) => name === wanted || name.startsWith(`${wanted}-`));
  return chosen === undefined ? [] : [join(toolchains, chosen, 'bin')];
}

type Place = ShimPlace & { withheld: readonly string[]; warn(text: string): void };

/**
 * The folders of the user's `PATH`, in its order, with those that hold shims replaced by what the
 * shims stand for. An entry that is relative, that others may write, or that lies where a plugin
 * may write is never searched.
 *
 * @param path entries of `PATH`
 */
export function userFolders(path: readonly string[], place: Place): PathFolder[] {
  const found: PathFolder[] = [];
  const closed = [...Object.values(place.folders), ...place.withheld];
  for (const entry of path) {
    if (entry === '' || programFolders.includes(entry)) continue;
    const folder = isAbsolute(entry) ? realFolder(entry) : undefined;
    const why = isAbsolute(entry) ? exposedPart(entry)?.why : 'is relative';
    if (isAbsolute(entry) && folder === undefined) continue;
    if (why !== undefined) {
      place.warn(`PATH: ${JSON.stringify(entry)} ${why}; cuervo looks for no program in it`);
      continue;
    }
    if (folder === undefined || closed.some((each) => isBelow(folder, each))) continue;
    for (const each of [...shimFolders(folder, place), folder]) {
      if (found.some(({ folder: known }) => known === each) || isShimFolder(each)) continue;
      found.push({ folder: each, from: 'user', reads: installReads(each) ?? [each] });
    }
  }
  return found;
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Folders of a project's own programs, nearest folder first. */
const ownFolders = ['.venv/bin', 'node_modules/.bin'] as const;

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
