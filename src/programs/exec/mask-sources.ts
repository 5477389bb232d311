import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { sha256 } from '../../lib/sha256.ts';

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
