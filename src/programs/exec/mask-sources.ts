import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonOf } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { lstatSync, existsSync as rawExists, rawPath, showRaw } from '../../lib/files/raw-fs.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { sha256 } from '../../lib/sha256.ts';
import {
  closeName,
  directoryFlags,
  openName,
  openRoot,
  placeFlags,
} from '../../paths/open-name.ts';
import { errorCode } from '../../paths/system-failure.ts';
import type { RootSurvey } from './survey-root.ts';

/** Open descriptors of what is to be mounted. */
export type Pins = Disposable & {
  /** in the order of their numbers in bubblewrap */
  descriptors: readonly number[];
  /** see `BwrapPlan` */
  pin(folder: string, path: string): number;
};

/**
 * Holds what a survey saw: by plain names from the root on, and past no link. A name may be
 * swapped for a link before bubblewrap looks it up, which would mount what it leads to.
 *
 * @param first number in bubblewrap of the first one
 */
export function openPins(first: number): Pins {
  const descriptors: number[] = [];
  return {
    descriptors,
    pin: (folder, path) => {
      descriptors.push(open(folder, path));
      return first + descriptors.length - 1;
    },
    [Symbol.dispose]: () => {
      for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
    },
  };
}

function open(folder: string, path: string): number {
  try {
    const names = path.split('/').filter(Boolean);
    let at = openRoot(folder);
    for (const [index, name] of names.entries()) {
      const above = at;
      try {
        at = openName(above, name, index < names.length - 1 ? directoryFlags : placeFlags);
      } finally {
        closeName(above);
      }
    }
    if (isPlain(at)) return at;
    closeName(at);
  } catch {
    // It is missing, or a link by now.
  }
  const what = path === '' ? 'the root' : JSON.stringify(showRaw(path));
  throw new ServiceError('io', `${what} was replaced while a program started; call it again`);
}

/** A link is opened as itself. */
function isPlain(descriptor: number): boolean {
  const stats = fstatSync(descriptor);
  return stats.isFile() || stats.isDirectory();
}

/**
 * Takes the force from what a program left behind for later commands to obey: a hook, a `.git`,
 * a start-up file. It is renamed where it lies, because a person may have made it meanwhile.
 *
 * @returns the paths as they were, in the root
 */
export function withholdPlanted(
  folder: string,
  before: RootSurvey,
  after: RootSurvey,
): readonly string[] {
  const planted = [...after.obeyed]
    .filter(([path, identity]) => before.obeyed.get(path) !== identity)
    .map(([path]) => path)
    .sort();
  const withheld: string[] = [];
  for (const path of planted) {
    const renamed = withhold(folder, path);
    if (renamed !== undefined) withheld.push(renamed);
  }
  return withheld;
}

/** The path, or the folder above it that can still be named; undefined where nothing is there. */
function withhold(folder: string, path: string): string | undefined {
  try {
    // Files of a renamed folder have lost their place already.
    if (lstatSync(join(folder, path), { throwIfNoEntry: false }) === undefined) return undefined;
    renameSync(rawPath(join(folder, path)), rawPath(freeName(join(folder, path))));
    return path;
  } catch (thrown) {
    const above = dirname(path);
    const code = errorCode(thrown);
    if (code === undefined) throw thrown;
    if (code === 'ENAMETOOLONG' && above !== '.') return withhold(folder, above);
    const text = `${showRaw(path)} appeared while a program ran, and cannot be renamed (${code}); look at it before anything obeys it`;
    throw new ServiceError('io', text);
  }
}

function freeName(path: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${path}.withheld${count === 1 ? '' : `-${count}`}`;
    if (!rawExists(name)) return name;
  }
}

/** The mounts over things that a program must not see. */
export type MaskSources = {
  /** a file that cannot be opened */
  closed: string;
  /** a file with nothing in it: git dies of configuration that it may not open */
  empty: string;
  /** configuration of a repository that names its objects by SHA-256, and no more */
  sha256: string;
  /** a folder with nothing in it */
  folder: string;
  passwd: string;
  /** attributes for git; see `withheldAttributes` */
  attributes: string;
  /** the folder `info` of a repository, with these attributes: git asks it before any other file. Made when it is asked for. */
  info(): string;
};

/** Attributes for git: for every repository, and for the folder `info` of one, which count most. */
export type GitAttributes = { everywhere: string; info: string };

/** The user of a program in a sandbox, under any number: one user, without capabilities. */
export type SandboxUser = { uid: number; gid: number };

/** Further files of a repository's folder `info` that git reads; gitrepository-layout(5). */
export const keptOfInfo: readonly string[] = ['exclude', 'sparse-checkout'];

/** It does not learn its user outside. */
export const anybody: SandboxUser = { uid: 1000, gid: 1000 };

/**
 * The numbers of outside, for git alone: its index holds the owner of each file, and where that is
 * another one it reads every file again, and writes the wrong owner down.
 */
export function sameUser(): SandboxUser {
  const { geteuid, getegid } = process;
  return geteuid === undefined || getegid === undefined
    ? anybody
    : { uid: geteuid.call(process), gid: getegid.call(process) };
}

/** gitrepository-layout(5): git believes the format of a repository from this file alone. */
const sha256Config =
  '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n';

/**
 * Makes them where they are missing, in a folder that no plugin can be granted.
 *
 * @throws {ServiceError} `io` where they are missing and cannot be made
 */
export function openMaskSources(
  folder: string,
  user: SandboxUser,
  attributes: GitAttributes,
): MaskSources {
  try {
    return makeMaskSources(folder, user, attributes);
  } catch (thrown) {
    const text = 'the files that cover protected names in the sandbox cannot be made';
    const hint = `Make room in ${folder}, or make it writable: ${reasonOf(thrown)}`;
    throw new ServiceError('io', text, '', hint);
  }
}

function makeMaskSources(
  folder: string,
  { uid, gid }: SandboxUser,
  attributes: GitAttributes,
): MaskSources {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (base: string, text: string, mode: number): string => {
    const path = join(folder, base);
    if (!existsSync(path)) writeFileWhole(path, text, { mode });
    setMode(path, mode);
    return path;
  };
  const named = (text: string): string => sha256(text).slice(0, 16);
  const empty = join(folder, 'folder');
  mkdirSync(empty, { recursive: true });
  setMode(empty, 0o555);
  return {
    closed: file('closed', '', 0o000),
    empty: file('empty', '', 0o444),
    sha256: file('config-sha256', sha256Config, 0o444),
    folder: empty,
    attributes: file(`attributes-${named(attributes.everywhere)}`, attributes.everywhere, 0o444),
    info: () => {
      const name = `info-${named(attributes.info)}`;
      mkdirSync(join(folder, name), { recursive: true, mode: 0o755 });
      file(join(name, 'attributes'), attributes.info, 0o444);
      for (const kept of keptOfInfo) file(join(name, kept), '', 0o444);
      return join(folder, name);
    },
    passwd: file(`passwd-${uid}-${gid}`, `cuervo:x:${uid}:${gid}::/tmp/home:/bin/sh\n`, 0o444),
  };
}

/** Touches nothing that is right: the home may be read-only. */
function setMode(path: string, mode: number): void {
  if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
}
