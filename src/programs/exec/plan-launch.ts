import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { sha256 } from '../../lib/sha256.ts';
import { programDigest } from '../lookup/look-up-program.ts';
import { isUserBase } from '../lookup/program-folders.ts';
import {
  type BwrapPlan,
  bwrapArguments,
  cachePlace,
  type MountedRoot,
  rootPlace,
  sandboxHome,
  sandboxScratch,
} from './bwrap-arguments.ts';
import { type FoundProgram, programFolders } from './find-program.ts';
import type { ProgramSandbox } from './find-sandbox.ts';
import type { ResolvedCwd } from './granted-target.ts';
import {
  type ExecLimits,
  enteringVector,
  forwardingVector,
  limitedVector,
  proxyEnvironment,
} from './launch-scripts.ts';
import {
  anybody,
  type GitAttributes,
  openMaskSources,
  openPins,
  sameUser,
} from './mask-sources.ts';
import { openProcessCgroup } from './process-cgroup.ts';
import { programFilter } from './program-filter.ts';
import { firstPinned, type Launch } from './run-launch.ts';
import { seatbeltProfile } from './seatbelt.ts';
import { killDescendants } from './watch-tree.ts';

export type LaunchPlan = {
  program: FoundProgram;
  args: readonly string[];
  /** absent for a program that was granted no root: it starts in its home, which is empty */
  at?: ResolvedCwd | undefined;
  roots: readonly MountedRoot[];
  readOnly: boolean;
  writesRepositories: boolean;
  /** see `BwrapPlan` */
  indexes?: NonNullable<BwrapPlan['indexes']>;
  sha256Configs?: NonNullable<BwrapPlan['sha256Configs']>;
  infos?: NonNullable<BwrapPlan['infos']>;
  linked?: NonNullable<BwrapPlan['linked']>;
  /** `CUERVO_HOME` */
  home: string;
  /** folder for what is mounted over protected names */
  masks: string;
  attributes: GitAttributes;
  limits: ExecLimits;
  /** beside what every program finds in its environment */
  environment?: Readonly<Record<string, string>>;
  /** see `programCaches` */
  caches: readonly ProgramCache[];
  /** what the program may talk to; absent without a network */
  network?: { socket: string; forwarder: string; origins: readonly string[] };
  /** see `BwrapPlan` */
  sshSocket?: string | undefined;
};

/**
 * How a program is started in the tier that is in force. The caller disposes it when it ended.
 *
 * @throws {ServiceError} `conflict` for a program that is another one since it was allowed: a look at
 *   its roots takes seconds where they are large
 */
export function planLaunch(
  tier: Exclude<ProgramSandbox, { tier: 'missing' }>,
  plan: LaunchPlan,
): Launch & Disposable {
  requireSame(plan.program);
  if (tier.tier === 'bubblewrap') return inBubblewrap(tier, plan);
  return tier.tier === 'seatbelt' ? inSeatbelt(tier, plan) : unconfined(plan);
}

/** The person said yes to this very file. */
function requireSame({ own, path }: FoundProgram): void {
  if (own === undefined || digestNow(path) === own.sha256) return;
  const text = `program "${basename(path)}" changed before it was started; call it again`;
  throw new ServiceError('conflict', text);
}

function digestNow(path: string): string | undefined {
  try {
    return programDigest(path);
  } catch {
    return undefined;
  }
}

function inBubblewrap(
  { bwrap, features }: Extract<ProgramSandbox, { tier: 'bubblewrap' }>,
  plan: LaunchPlan,
): Launch & Disposable {
  const { args, at, limits, network } = plan;
  const program = insideOf(plan);
  const user = plan.writesRepositories ? sameUser() : anybody;
  using opened = new DisposableStack();
  const pins = opened.use(openPins(firstPinned));
  const bwrapOptions = bwrapArguments({
    ...plan,
    pin: pins.pin,
    cwd: at === undefined ? sandboxHome : [rootPlace(at.root), ...at.segments].join('/'),
    environment: {
      ...programEnvironment(sandboxHome, sandboxScratch, foldersInside(plan.program)),
      ...cacheVariables(plan.caches),
      ...(network === undefined ? {} : proxyEnvironment(network.origins)),
      ...plan.environment,
    },
    proxySocket: network?.socket,
    hidden: [plan.home],
    reads: (plan.program.around ?? []).flatMap(({ reads }) => reads),
    caches: plan.caches,
    program: plan.program.real,
    user,
    masks: openMaskSources(plan.masks, user, plan.attributes),
    features,
  });
  const filter = programFilter(process.arch);
  const cgroup = openProcessCgroup(limits);
  if (cgroup !== undefined) opened.use(cgroup);
  const forwarded = (vector: readonly string[]): readonly string[] =>
    network === undefined ? vector : forwardingVector(network.forwarder, vector);
  const confine = ['--args', '4', '--json-status-fd', '3', '--'];
  // One shell sets the limits: inside the sandbox when processes can be counted, else outside.
  const [file = bwrap, ...vector] =
    cgroup === undefined
      ? [bwrap, ...confine, ...forwarded(limitedVector(limits, true, program, args))]
      : enteringVector(limits, cgroup.entry, bwrap, [...confine, ...forwarded([program, ...args])]);
  const owned = opened.move();
  return {
    file,
    args: vector,
    env: {},
    cwd: '/',
    bwrapOptions: [...bwrapOptions, ...(filter === undefined ? [] : ['--seccomp', '5'])],
    filter,
    pinned: pins.descriptors,
    // The limit of the system does not hold for root.
    countedByKernel: cgroup === undefined && process.geteuid?.() === 0,
    cgroup,
    [Symbol.dispose]: () => owned.dispose(),
  };
}

function insideOf({ program }: LaunchPlan): string {
  const below = program.own?.below;
  return below === undefined ? program.path : `${rootPlace(below.root)}/${below.path}`;
}

function foldersInside({ around = [] }: FoundProgram): string[] {
  return around.map(({ folder, below }) =>
    below === undefined ? folder : `${rootPlace(below.root)}/${below.path}`,
  );
}

/** Everything is where it lies outside, and the profile says what of it can be reached. */
function inSeatbelt(
  { sandboxExec }: Extract<ProgramSandbox, { tier: 'seatbelt' }>,
  plan: LaunchPlan,
): Launch & Disposable {
  const { program } = plan;
  const { cwd, beforeKill, ...free } = unconfined(plan);
  using opened = new DisposableStack();
  opened.use(free);
  const scratch = realpathSync(free.env.HOME ?? '');
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-profile-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const profile = join(folder, 'profile');
  const { roots, readOnly, writesRepositories, home } = plan;
  const around = (program.around ?? []).flatMap(({ reads }) => reads);
  const reads = [...around, program.real];
  writeFileSync(
    profile,
    seatbeltProfile({ roots, readOnly, writesRepositories, reads, scratch, hidden: [home] }),
  );
  const owned = opened.move();
  return {
    file: sandboxExec,
    args: ['-f', profile, free.file, ...free.args],
    env: { ...free.env, HOME: scratch, TMPDIR: scratch },
    cwd,
    ...(beforeKill === undefined ? {} : { beforeKill }),
    [Symbol.dispose]: () => owned.dispose(),
  };
}

/** For `exec.sandbox = "none"`: limits and a clean environment, no walls. */
function unconfined({
  program,
  args,
  at,
  roots,
  limits,
  environment,
}: LaunchPlan): Launch & Disposable {
  const folder = roots.find(({ name }) => name === at?.root)?.folder ?? '/';
  const home = mkdtempSync(join(tmpdir(), 'cuervo-home-'));
  const [file = '', ...vector] = limitedVector(limits, false, program.path, args);
  return {
    file,
    args: vector,
    env: {
      ...programEnvironment(
        home,
        home,
        (program.around ?? []).map(({ folder }) => folder),
      ),
      ...environment,
    },
    cwd: join(folder, ...(at?.segments ?? [])),
    beforeKill: killDescendants,
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}

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
function cacheVariables(found: readonly ProgramCache[]): Record<string, string> {
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
function programEnvironment(
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
