import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';

/** Folders of libraries on a system whose loader does not name them. */
const libraryFolders = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib'];

/** In `CUERVO_HOME`. */
const keptFile = 'libraries.json';

/** A program and its libraries, each with a mark that shows whether the file changed since. */
type Kept = { program: string; libraries: Readonly<Record<string, string>> };

/**
 * The files that a program cannot start without, asked of the loader of the system, which
 * lists them instead of running the program (ld.so(8), `LD_TRACE_LOADED_OBJECTS`). Where it
 * does not know that, as musl's, all folders with libraries.
 *
 * Asking takes some milliseconds of the start of every plugin, so what was said is kept in
 * `home` and holds as long as the program and each of its libraries are the same files.
 *
 * @param home `CUERVO_HOME`; without it nothing is kept
 * @returns absolute paths, as the loader will look for them
 */
export function sharedLibraries(program: string, home?: string): string[] {
  const file = home === undefined ? undefined : join(home, keptFile);
  const kept = file === undefined ? undefined : keptIn(file);
  if (kept !== undefined && kept.program === identityOf(program)) {
    const libraries = Object.entries(kept.libraries);
    if (libraries.every(([path, identity]) => identityOf(path) === identity))
      return libraries.map(([path]) => path);
  }
  const listed = askLoader(program);
  if (listed.length === 0) return libraryFolders.filter((folder) => existsSync(folder));
  if (file !== undefined) keep(file, program, listed);
  return listed;
}

function askLoader(program: string): string[] {
  const { stdout } = spawnSync(program, ['--version'], {
    env: { LD_TRACE_LOADED_OBJECTS: '1' },
    cwd: '/',
    encoding: 'utf8',
    timeout: 5_000,
  });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, path] = /^\t(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/.exec(line) ?? [];
    return path === undefined ? [] : [path];
  });
}

/** Undefined for what is not a file; a file that was written to or replaced has another one. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return undefined;
  return [path, found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

function keptIn(file: string): Kept | undefined {
  try {
    const kept = JSON.parse(readTextIfPresent(file) ?? 'null') as Partial<Kept> | null;
    const { program, libraries } = kept ?? {};
    if (typeof program !== 'string' || typeof libraries !== 'object') return undefined;
    return libraries === null || Object.keys(libraries).length === 0
      ? undefined
      : { program, libraries };
  } catch {
    // Ignored: a damaged file only means that the loader is asked again.
    return undefined;
  }
}

function keep(file: string, program: string, listed: readonly string[]): void {
  const libraries = Object.fromEntries(listed.map((path) => [path, identityOf(path)]));
  if (Object.values(libraries).includes(undefined)) return;
  try {
    const kept = { program: identityOf(program), libraries };
    writeFileWhole(file, `${JSON.stringify(kept)}\n`, { flush: false });
  } catch {
    // A home that is not there yet, or that is read-only: the loader is asked again.
  }
}
