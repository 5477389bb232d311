import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Where the libraries of a system lie when its loader does not say which it takes. */
const libraryFolders = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib'];

/**
 * The files that a program cannot start without, asked of the loader of the system, which
 * lists them instead of running the program (ld.so(8), `LD_TRACE_LOADED_OBJECTS`). Where it
 * does not know that, as musl's, all folders with libraries.
 *
 * @returns absolute paths, as the loader will look for them
 */
export function sharedLibraries(program: string): string[] {
  const { stdout } = spawnSync(program, ['--version'], {
    env: { LD_TRACE_LOADED_OBJECTS: '1' },
    cwd: '/',
    encoding: 'utf8',
    timeout: 5_000,
  });
  const listed = (stdout ?? '').split('\n').flatMap((line) => {
    const [, path] = /^\t(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/.exec(line) ?? [];
    return path === undefined ? [] : [path];
  });
  return listed.length > 0 ? listed : libraryFolders.filter((folder) => existsSync(folder));
}
