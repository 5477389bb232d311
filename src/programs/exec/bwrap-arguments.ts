import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isBelow } from '../../lib/files/paths.ts';
import { once } from '../../lib/memo.ts';
import { procMounts } from '../../sandbox/masked-paths.ts';
import { maxScratchBytes, proxySocketPlace, sshSocketPlace } from './launch-scripts.ts';
import type { MaskSources, SandboxUser } from './mask-sources.ts';
import type { RootSurvey } from './survey-root.ts';

/** A granted root as a program meets it. */
export type MountedRoot = { name: string; folder: string; survey: RootSurvey };

/** The flags that this bubblewrap knows; older ones refuse the others. */
export type BwrapFeatures = {
  /** since 0.8: no further namespace, and so no further capability, can be made inside */
  disableUserns: boolean;
  /** since 0.7: folders in memory have a size */
  size: boolean;
  /** since 0.10: what is mounted is an open descriptor, not what lies at a path by then */
  bindFd: boolean;
};

export type BwrapPlan = {
  roots: readonly MountedRoot[];
  readOnly: boolean;
  /** git alone writes repositories; for everyone else they are read-only */
  writesRepositories: boolean;
  /** what stands in a root in place of the index of a repository, see `markMasked()` */
  indexes?: readonly { root: string; path: string; source: string }[];
  /** configurations of repositories that name their objects by SHA-256 */
  sha256Configs?: readonly { root: string; path: string }[];
  /** folders `info` of repositories that our attributes are to outweigh all others in */
  infos?: readonly { root: string; path: string; kept: readonly string[] }[];
  /** roots that a `.git` in them names by their path outside: they are found there, too */
  linked?: readonly string[];
  /** absolute, inside: `rootPlace()` and what is below it */
  cwd: string;
  environment: Readonly<Record<string, string>>;
  /** of the host, hidden wherever it would show: `CUERVO_HOME` */
  hidden: readonly string[];
  /** real path of the program; its folder is brought along where it is not in `/usr` */
  program: string;
  /** absolute files and folders outside of all roots that it is shown, read-only */
  reads: readonly string[];
  /** a folder of the host for each folder inside that outlives the program */
  caches: readonly { source: string; place: string }[];
  user: SandboxUser;
  masks: MaskSources;
  features: BwrapFeatures;
  /** opens what lies in a root; the number is that in bubblewrap. Used where it knows `bindFd` */
  pin(folder: string, path: string): number;
  /** socket of the proxy through which the program talks to granted origins */
  proxySocket: string | undefined;
  /** through which git finds its repository at a host of ssh */
  sshSocket?: string | undefined;
};

/** The place of a root in the sandbox; the path of the host stays private. */
export function rootPlace(name: string): string {
  return `/roots/${name}`;
}

/** The folder of package managers' caches in the sandbox. */
export const cachePlace = '/caches';
export const sandboxScratch = '/tmp';
export const sandboxHome = '/tmp/home';
const sharedMemory = '/dev/shm';
/** Folders in memory that a program can write, where they are mounted. */
export const memoryFolders = [sandboxScratch, sharedMemory, cachePlace];

/** The system's folders; the rest of the host is not in the sandbox. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Systems that install elsewhere: there even `/bin/sh` leads to it. */
const storeFolders = ['/nix/store', '/gnu/store', '/run/current-system'];
/** Files of `/etc` that programs need to start; none is a person's. Each mount costs time. */
const systemFiles = [
  ...['ld.so.cache', 'alternatives', 'localtime', 'ssl/certs', 'ssl/openssl.cnf'],
  ...['pki/tls/certs', 'pki/ca-trust', 'perl'],
  // Debian keeps what `mvn` starts from here; its settings.xml may name a password and stays away.
  ...['maven/m2.conf', 'maven/logging'],
  ...['mime.types', 'services', 'protocols', 'os-release', 'locale.alias', 'fonts'],
].map((name) => `/etc/${name}`);

/** The system as it is while cuervo runs: mounted, or linked as it is linked outside. */
const systemMounts = once((): string[] => {
  const versions = readdirSync('/etc').filter((name) => /^java-[\w.-]+$/.test(name));
  const places = [
    ...[...systemFolders, ...storeFolders, ...systemFiles],
    ...versions.map((name) => `/etc/${name}`),
  ];
  return places.flatMap((place) => {
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    const isLinked = stats.isSymbolicLink() && systemFolders.includes(place);
    return isLinked ? ['--symlink', readlinkSync(place), place] : ['--ro-bind', place, place];
  });
});

/**
 * The machine's file of git attributes; git is told this place, in case it was built with another.
 */
export const gitAttributes = '/etc/gitattributes';

/**
 * The options of bubblewrap for one program, to be handed over apart from the program's own
 * vector. Later mounts lie above earlier ones: masks come last.
 */
export function bwrapArguments(plan: BwrapPlan): string[] {
  const { masks, features } = plan;
  return [
    ...['--unshare-all', '--unshare-user', ...(features.disableUserns ? ['--disable-userns'] : [])],
    ...['--uid', String(plan.user.uid), '--gid', String(plan.user.gid)],
    ...['--hostname', 'sandbox', '--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    ...systemMounts(),
    ...extraFolder(plan.program).flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--ro-bind', masks.passwd, '/etc/passwd'],
    ...['--ro-bind', masks.attributes, gitAttributes],
    ...procMounts(),
    // It is in memory, too, and has no size.
    ...['--dev', '/dev', ...scratch(sharedMemory, features), '--remount-ro', '/dev'],
    ...[...scratch(sandboxScratch, features), '--dir', sandboxHome],
    // Some of them may lie in the host's `/tmp`.
    ...outside(plan).flatMap((path) => ['--ro-bind', path, path]),
    ...mountCaches(plan),
    ...plan.roots.flatMap((root) => mountRoot(root, plan)),
    ...(plan.indexes ?? []).flatMap(({ root, path, source }) => [
      ...['--ro-bind', source, `${rootPlace(root)}/${path}`],
    ]),
    ...(plan.infos ?? []).flatMap((info) => mountInfo(info, plan)),
    ...hide(plan),
    ...linkRoots(plan),
    ...(plan.proxySocket === undefined ? [] : ['--bind', plan.proxySocket, proxySocketPlace]),
    ...(plan.sshSocket === undefined ? [] : ['--bind', plan.sshSocket, sshSocketPlace]),
    ...['--remount-ro', '/', '--chdir', plan.cwd, '--clearenv'],
    ...Object.entries(plan.environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/** A folder in memory that is gone with the program. */
function scratch(place: string, { size }: BwrapFeatures): string[] {
  return [...(size ? ['--size', String(maxScratchBytes)] : []), '--tmpfs', place];
}

/** `/opt/NAME` of a program that lies there. */
function extraFolder(program: string): string[] {
  const [, top, name] = program.split('/');
  return top === 'opt' && name !== undefined ? [`/opt/${name}`] : [];
}

/** Mounts beside the system, outermost first: the rest of their folders is missing. */
function outside({ reads, program }: BwrapPlan): string[] {
  const there = [...systemFolders, ...storeFolders, ...extraFolder(program)];
  const paths = new Set(reads.filter((path) => !there.some((each) => isBelow(path, each))));
  return [...paths].filter(
    (path) => ![...paths].some((each) => each !== path && isBelow(path, each)),
  );
}

/** Folders that each program finds again, in one that is gone with it. */
function mountCaches({ caches, features }: BwrapPlan): string[] {
  if (caches.length === 0) return [];
  return [
    ...scratch(cachePlace, features),
    ...caches.flatMap(({ source, place }) => ['--bind', source, place]),
  ];
}

/** Folders of other version control programs, which find their own files and nothing of git. */
const ownFolders: Readonly<Record<string, string>> = {
  ...{ hg: '.hg', chg: '.hg', sl: '.sl', svn: '.svn', bzr: '.bzr', brz: '.bzr', jj: '.jj' },
  ...{ darcs: '_darcs', pijul: '.pijul', cvs: 'CVS' },
};

function mountRoot({ name, folder, survey }: MountedRoot, plan: BwrapPlan): string[] {
  const { masks, readOnly } = plan;
  const place = rootPlace(name);
  const own = ownFolders[basename(plan.program)];
  const closed = survey.stores.filter((path) => own === undefined || !path.includes(`${own}/`));
  const stores = plan.writesRepositories ? new Set<string>() : outermost(closed);
  // Under the mask of a store there is no place for another mount.
  const shown = (paths: readonly string[]): readonly string[] =>
    stores.size === 0 ? paths : paths.filter((path) => !isInOne(path, stores));
  // Mounted onto itself, a folder can be neither moved away nor replaced.
  const repositories = shown(survey.repositories).flatMap((path) =>
    mountItself(plan, plan.writesRepositories && !readOnly, folder, place, path),
  );
  const fixed = survey.fixed.flatMap((path) =>
    readOnly ? [] : mountItself(plan, false, folder, place, path),
  );
  // Rights to write in them stay; they are written in place, never over their edge.
  const held = survey.held.flatMap((path) =>
    readOnly ? [] : mountItself(plan, true, folder, place, path),
  );
  const storeFiles = plan.writesRepositories ? [] : shown(survey.storeFiles);
  const files = [...shown(survey.files), ...storeFiles].flatMap((path) => {
    const isSha256 = plan.sha256Configs?.some((each) => each.root === name && each.path === path);
    const config = isSha256 ? masks.sha256 : masks.empty;
    const source = isGitConfig.test(path) ? config : masks.closed;
    return ['--ro-bind', source, `${place}/${path}`];
  });
  const folders = [...shown(survey.folders), ...stores].flatMap((path) => [
    ...['--ro-bind', masks.folder, `${place}/${path}`],
  ]);
  const root = mountItself(plan, !readOnly, folder, place, '');
  return [...root, ...held, ...repositories, ...fixed, ...files, ...folders];
}

/** A root, or what lies in it, where it lies. A path may lead elsewhere by the time of the mount. */
function mountItself(
  { features, pin }: BwrapPlan,
  isWritable: boolean,
  folder: string,
  place: string,
  path: string,
): string[] {
  const option = isWritable ? '--bind' : '--ro-bind';
  const below = path === '' ? '' : `/${path}`;
  return features.bindFd
    ? [`${option}-fd`, String(pin(folder, path)), place + below]
    : [option, folder + below, place + below];
}

/** Ours in the place of the folder, and in it what the repository has of the others. */
function mountInfo(
  { root, path, kept }: NonNullable<BwrapPlan['infos']>[number],
  plan: BwrapPlan,
): string[] {
  const place = rootPlace(root);
  const covered = `${place}/${path}`;
  const folder = plan.roots.find(({ name }) => name === root)?.folder ?? '';
  return [
    ...['--ro-bind', plan.masks.info(), covered],
    ...kept.flatMap((name) => mountItself(plan, false, folder, place, `${path}/${name}`)),
  ];
}

function outermost(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths);
  return new Set([...all].filter((path) => !isInOne(dirname(path), all)));
}

/** Whether a path, or a folder above it, is among the folders. */
function isInOne(path: string, folders: ReadonlySet<string>): boolean {
  for (let at = path; at !== '.' && at !== '/'; at = dirname(at)) {
    if (folders.has(at)) return true;
  }
  return false;
}

/** A file of a repository may be empty, and not closed. */
const isGitConfig =
  /(?:^|\/)(?:config(?:\.worktree|-local)?|hgrc(?:-not-shared)?|\.jj\/(?:repo\/|workspace-)?config\.toml)$/i;

/**
 * Links from where a root lies outside. Not in what is hidden or shown, where there is no place for
 * one, nor below another root, into which it would be written.
 */
function linkRoots(plan: BwrapPlan): string[] {
  const { linked = [], roots, hidden, program } = plan;
  const taken = [
    ...[...systemFolders, ...storeFolders, ...extraFolder(program), ...outside(plan), ...hidden],
    ...['/etc', '/proc', '/dev', sandboxHome, '/roots'],
  ];
  return roots
    .filter(({ name }) => linked.includes(name))
    .filter(({ folder }) => !taken.some((each) => isBelow(folder, each) || isBelow(each, folder)))
    .filter(
      ({ folder }) => !roots.some((each) => each.folder !== folder && isBelow(folder, each.folder)),
    )
    .flatMap(({ name, folder }) => ['--symlink', rootPlace(name), folder]);
}

/** A root or `CUERVO_HOME` that lies where the system installs would show there a second time. */
function hide(plan: BwrapPlan): string[] {
  const { hidden, roots, program } = plan;
  const shown = [...systemFolders, ...storeFolders, ...extraFolder(program), ...outside(plan)];
  const folders = [...hidden, ...roots.map(({ folder }) => folder)];
  return folders
    .filter((folder) => shown.some((each) => isBelow(folder, each)))
    .flatMap((folder) => ['--tmpfs', folder, '--remount-ro', folder]);
}
