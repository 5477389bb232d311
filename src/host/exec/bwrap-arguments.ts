import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { once } from '../../lib/once.ts';
import { maxScratchBytes } from './exec-limits.ts';
import { proxySocketPlace } from './forward-script.ts';
import { isBelow } from './is-below.ts';
import type { MaskSources, SandboxUser } from './mask-sources.ts';
import type { RootSurvey } from './survey-root.ts';

/** A granted root as a program meets it. */
export type MountedRoot = { name: string; folder: string; survey: RootSurvey };

/** What this bubblewrap knows; older ones refuse the flags. */
export type BwrapFeatures = {
  /** since 0.8: no further namespace, and so no further capability, can be made inside */
  disableUserns: boolean;
  /** since 0.7: folders in memory have a size */
  size: boolean;
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
  /** roots that a `.git` in them names by their path outside: they are found there, too */
  linked?: readonly string[];
  /** absolute, inside: `rootPlace()` and what is below it */
  cwd: string;
  environment: Readonly<Record<string, string>>;
  /** of the host, hidden wherever it would show: `CUERVO_HOME` */
  hidden: readonly string[];
  /** real path of the program; its folder is brought along where it is not in `/usr` */
  program: string;
  user: SandboxUser;
  masks: MaskSources;
  features: BwrapFeatures;
  /** socket of the proxy through which the program talks to granted origins */
  proxySocket: string | undefined;
};

/** Where a root stands inside; the path of the host is nobody's business there. */
export function rootPlace(name: string): string {
  return `/roots/${name}`;
}

export const sandboxScratch = '/tmp';
export const sandboxHome = '/tmp/home';

/** What the system installs; the rest of the host is not there at all. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Systems that install elsewhere: there even `/bin/sh` leads to it. */
const storeFolders = ['/nix/store', '/gnu/store', '/run/current-system'];
/** Of `/etc` what programs need to start; none of it is a person's. Each mount costs time. */
const systemFiles = [
  ...['ld.so.cache', 'alternatives', 'localtime', 'ssl/certs', 'ssl/openssl.cnf'],
  ...['pki/tls/certs', 'pki/ca-trust', 'perl'],
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

/** Where git looks for attributes of the machine, and is told to where it was built otherwise. */
export const gitAttributes = '/etc/gitattributes';

/**
 * The options of bubblewrap for one program, to be handed over apart from the program's own
 * vector. Later mounts lie above earlier ones: masks come last.
 */
export function bwrapArguments(plan: BwrapPlan): string[] {
  const { masks, features } = plan;
  const scratch = (place: string): string[] => [
    ...(features.size ? ['--size', String(maxScratchBytes)] : []),
    ...['--tmpfs', place],
  ];
  return [
    ...['--unshare-all', '--unshare-user', ...(features.disableUserns ? ['--disable-userns'] : [])],
    ...['--uid', String(plan.user.uid), '--gid', String(plan.user.gid)],
    ...['--hostname', 'sandbox', '--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    ...systemMounts(),
    ...extraFolder(plan.program).flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--ro-bind', masks.passwd, '/etc/passwd'],
    ...['--ro-bind', masks.attributes, gitAttributes],
    ...['--proc', '/proc', '--dev', '/dev', ...scratch('/dev/shm')],
    ...[...scratch(sandboxScratch), '--dir', sandboxHome],
    ...plan.roots.flatMap((root) => mountRoot(root, plan)),
    ...(plan.indexes ?? []).flatMap(({ root, path, source }) => [
      ...['--ro-bind', source, `${rootPlace(root)}/${path}`],
    ]),
    ...hide(plan),
    ...linkRoots(plan),
    ...(plan.proxySocket === undefined ? [] : ['--bind', plan.proxySocket, proxySocketPlace]),
    ...['--remount-ro', '/', '--chdir', plan.cwd, '--clearenv'],
    ...Object.entries(plan.environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/** `/opt/NAME` of a program that lies there. */
function extraFolder(program: string): string[] {
  const [, top, name] = program.split('/');
  return top === 'opt' && name !== undefined ? [`/opt/${name}`] : [];
}

function mountRoot({ name, folder, survey }: MountedRoot, plan: BwrapPlan): string[] {
  const { masks, readOnly } = plan;
  const place = rootPlace(name);
  // Mounted onto itself, a folder can be neither moved away nor replaced.
  const repositories = survey.repositories.flatMap((path) => [
    plan.writesRepositories && !readOnly ? '--bind' : '--ro-bind',
    `${folder}/${path}`,
    `${place}/${path}`,
  ]);
  const files = survey.files.flatMap((path) => {
    const isSha256 = plan.sha256Configs?.some((each) => each.root === name && each.path === path);
    const config = isSha256 ? masks.sha256 : masks.empty;
    const source = isGitConfig.test(path) ? config : masks.closed;
    return ['--ro-bind', source, `${place}/${path}`];
  });
  const folders = survey.folders.flatMap((path) => ['--ro-bind', masks.folder, `${place}/${path}`]);
  return [readOnly ? '--ro-bind' : '--bind', folder, place, ...repositories, ...files, ...folders];
}

const isGitConfig = /(?:^|\/)config(?:\.worktree)?$/i;

/**
 * Links from where a root lies outside. Not in what is hidden or shown, where there is no place for
 * one, nor below another root, into which it would be written.
 */
function linkRoots({ linked = [], roots, hidden, program }: BwrapPlan): string[] {
  const taken = [
    ...[...systemFolders, ...storeFolders, ...extraFolder(program), ...hidden],
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
function hide({ hidden, roots, program }: BwrapPlan): string[] {
  const shown = [...systemFolders, ...storeFolders, ...extraFolder(program)];
  const folders = [...hidden, ...roots.map(({ folder }) => folder)];
  return folders
    .filter((folder) => shown.some((each) => isBelow(folder, each)))
    .flatMap((folder) => ['--tmpfs', folder, '--remount-ro', folder]);
}
