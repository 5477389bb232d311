import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../lib/sha256.ts';
import { isUserBase } from '../lookup/program-folders.ts';
import { cachePlace, sandboxHome } from './bwrap-arguments.ts';
import { programFolders } from './find-program.ts';

/** A folder of `CUERVO_HOME` that programs of one workspace find again. */
export type ProgramCache = { source: string; place: string };

/**
 * Where each tool keeps what it fetched, and the variable that tells it so. Only content is kept:
 * configuration that a program leaves beside it is gone with the program.
 */
const caches: readonly {
  name: string;
  folders: readonly string[];
  variables: readonly string[];
  /** where it stands inside, when no variable of every version says so */
  place?: string;
}[] = [
  { name: 'pip', folders: [''], variables: ['PIP_CACHE_DIR'] },
  { name: 'uv', folders: [''], variables: ['UV_CACHE_DIR'] },
  { name: 'cargo', folders: ['registry', 'git'], variables: ['CARGO_HOME'] },
  { name: 'npm', folders: ['_cacache'], variables: ['npm_config_cache'] },
  { name: 'go-build', folders: [''], variables: ['GOCACHE'] },
  { name: 'go-mod', folders: [''], variables: ['GOMODCACHE'] },
  { name: 'gradle', folders: ['caches', 'wrapper'], variables: ['GRADLE_USER_HOME'] },
  { name: 'maven', folders: [''], variables: [], place: `${sandboxHome}/.m2/repository` },
];

/** Makes the folders where they are missing. */
export function programCaches(home: string, workspace: string): ProgramCache[] {
  const top = join(home, 'caches', sha256(Buffer.from(workspace)).slice(0, 32));
  return caches.flatMap(({ name, folders, place = `${cachePlace}/${name}` }) =>
    folders.map((folder) => {
      const source = join(top, name, folder);
      mkdirSync(source, { recursive: true, mode: 0o700 });
      return { source, place: [place, folder].filter(Boolean).join('/') };
    }),
  );
}

/** Empty for a program without caches. */
export function cacheVariables(found: readonly ProgramCache[]): Record<string, string> {
  if (found.length === 0) return {};
  const named = caches.flatMap(({ name, variables }) =>
    variables.map((variable) => [variable, `${cachePlace}/${name}`]),
  );
  return {
    ...Object.fromEntries(named),
    // If the found toolchain cannot do it, no other is fetched.
    GOTOOLCHAIN: 'local',
    GOFLAGS: '-modcacherw',
  };
}

/**
 * All that a program finds in its environment; nothing of the user's.
 *
 * @param home an empty folder
 * @param scratch where it may write what it throws away
 * @param before folders in which it finds programs before those of the system
 */
export function programEnvironment(
  home: string,
  scratch: string,
  before: readonly string[] = [],
): Record<string, string> {
  const userBase = before.find(isUserBase);
  return {
    // Python looks for what `pip install --user` brought below the home, which is another one here.
    ...(userBase === undefined ? {} : { PYTHONUSERBASE: dirname(userBase) }),
    PATH: [...before, ...programFolders].join(':'),
    HOME: home,
    TMPDIR: scratch,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
  };
}
