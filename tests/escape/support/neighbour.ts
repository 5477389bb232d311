import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Ran, type RunOptions, runCuervo } from '../../support/run-cuervo.ts';
import type { Need } from './escape-case.ts';
import { cuervo, root } from './paths.ts';
import { guestRun } from './place.ts';

/** Two users without rights and without a name, of whom no file of the machine is. */
const userId = 40_001;
const neighbourId = 40_002;

/** Programs are started as two other users, which root alone may do, and these read the program. */
export const twoUsers: Need = {
  file: 'root, and a clone that every user can read',
  install: 'sudo npx vitest run --project escape',
  isThere: () => process.getuid?.() === 0 && canRun(),
};

/** Another sandbox around cuervo, as of a container: in it there are no further namespaces. */
export const enclosing =
  'bwrap --bind / / --dev-bind /dev /dev --proc /proc --unshare-user --disable-userns';

export const enclosed: Need = {
  ...twoUsers,
  file: `${twoUsers.file}, and bubblewrap 0.8`,
  isThere: () => twoUsers.isThere?.() === true && canForbid(),
};

function canForbid(): boolean {
  const { stdout } = spawnSync('bwrap', ['--help'], { encoding: 'utf8' });
  return stdout?.includes('--disable-userns') ?? false;
}

export type Neighbours = {
  /** a folder in which everybody writes and nobody removes what is another's, like `/tmp` */
  shared: string;
  /** of the user, closed to the neighbour: the parent of `home` and `work` */
  own: string;
  home: string;
  work: string;
  /** content of `work/inside.txt`; occurs nowhere else */
  inside: string;
  /** the command line as the user starts it, in `work`; its temporary folder is `shared` */
  cuervo(args: readonly string[], options?: Partial<RunOptions>): Promise<Ran>;
  /** what a shell of the user prints, in `shared`; throws where it fails */
  asUser(script: string): string;
  /** what a shell of the neighbour prints, in `shared`; throws where it fails */
  asNeighbour(script: string): string;
};

/**
 * A user who runs cuervo, and another one of the same machine who would like to have it do
 * something else. Removed after the tests of the file; where the suite is not root it is not made,
 * and `needs: twoUsers` skips the cases.
 */
export function useNeighbours(fill?: (place: Neighbours) => void): Neighbours {
  const place = {} as Neighbours;
  beforeAll(() => {
    if (!twoUsers.isThere?.()) return;
    Object.assign(place, openNeighbours());
    fill?.(place);
  });
  afterAll(() => {
    if (place.shared !== undefined) rmSync(place.shared, { recursive: true, force: true });
  });
  return place;
}

function openNeighbours(): Neighbours {
  const shared = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-neighbours-')));
  chmodSync(shared, 0o1777);
  const own = join(shared, 'own');
  const home = join(own, 'home');
  const work = join(own, 'work');
  for (const folder of [own, home, work]) {
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, userId, userId);
  }
  const inside = `inside-${randomBytes(12).toString('hex')}`;
  const place: Neighbours = {
    shared,
    own,
    home,
    work,
    inside,
    cuervo: (args, options = {}) =>
      runCuervo(args, {
        home,
        cwd: work,
        user: userId,
        ...guestRun,
        ...options,
        env: { HOME: own, TMPDIR: shared, ...options.env },
      }),
    asUser: (script) => shellOf(userId, shared, script),
    asNeighbour: (script) => shellOf(neighbourId, shared, script),
  };
  place.asUser(`echo ${inside} > '${work}/inside.txt'`);
  return place;
}

function shellOf(user: number, cwd: string, script: string): string {
  const ended = spawnSync('/bin/sh', ['-euc', script], {
    ...{ cwd, uid: user, gid: user, encoding: 'utf8' },
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: cwd, LANG: 'C.UTF-8' },
  });
  if (ended.status === 0) return ended.stdout;
  throw new Error(`as user ${user}: ${script}: ${ended.error ?? ended.stderr}`);
}

let runnable: boolean | undefined;

/** A clone below a home, as `/root`, is closed to others. */
function canRun(): boolean {
  runnable ??= [
    ['-x', process.execPath],
    ['-r', cuervo],
    ['-r', join(root, 'node_modules', 'better-sqlite3')],
  ].every((test) => {
    const ended = spawnSync('/usr/bin/test', test, { uid: userId, gid: userId, cwd: '/' });
    return ended.status === 0;
  });
  return runnable;
}
