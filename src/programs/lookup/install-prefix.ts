import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { homeFolder, isBelow } from '../../lib/files/paths.ts';

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
export function hasPython(prefix: string): boolean {
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
