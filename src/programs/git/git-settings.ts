import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { lstatSync, rawPath } from '../../lib/files/raw-fs.ts';
import { repositoryFolder } from './repository-folder.ts';

/** Bytes; a configuration is written by people and by git itself. */
const maxBytes = 256 * 1024;

/** A repository, with `path` relative to the root. */
export type RepositoryConfiguration = { path: string; text: string };

/**
 * The text of the configuration of the repository that a folder lies in, read as data: no link is
 * followed.
 *
 * @param root absolute, a granted root
 * @param segments of the folder below it
 * @returns undefined where there is none
 */
export function readConfiguration(
  root: string,
  segments: readonly string[],
): RepositoryConfiguration | undefined {
  const common = repositoryAt(root, segments);
  if (common === undefined) return undefined;
  const path = join(common, 'config');
  const text = configurationText(path);
  return text === undefined ? undefined : { path: relative(root, path), text };
}

/** The folder that holds the common files of the repository that a folder lies in, absolute. */
export function repositoryAt(root: string, segments: readonly string[]): string | undefined {
  const top = topOf(root, segments);
  return top && repositoryFolder(root, join(relative(root, top), '.git'))?.common;
}

/** The folder with the `.git` that a folder belongs to: itself, or one above it; absolute. */
export function topOf(root: string, segments: readonly string[]): string | undefined {
  for (let depth = segments.length; depth >= 0; depth -= 1) {
    const top = join(root, ...segments.slice(0, depth));
    if (isThere(join(top, '.git'))) return top;
  }
  return undefined;
}

/** A name that a file stands in the way of, or that is too long, leads to nothing. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** @returns undefined for what is no file, or is longer than anybody writes it */
export function configurationText(path: string): string | undefined {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= maxBytes
      ? readFileSync(rawPath(path), 'utf8')
      : undefined;
  } catch {
    // Not there or not to be read: git says what it makes of that.
    return undefined;
  }
}

/** What git needs to log in to one address. */
export type GitCredential = { username: string; password: string };

/**
 * Variables by which git sends a credential to one origin and to no other, also where it is
 * redirected. They are not on a command line, which everybody on the machine can read.
 */
export function credentialVariables(
  { origin }: URL,
  { username, password }: GitCredential,
): Record<string, string> {
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}

/**
 * Settings of a repository that say what its files and branches are, and start nothing: the form
 * of the names, and what the value may look like. git-config(1), "Variables".
 */
const kept: readonly (readonly [RegExp, RegExp])[] = [
  [/^branch\..+\.(?:remote|merge)$/s, /^[\w./@+-]+$/],
  [/^remote\..+\.fetch$/s, /^\^?\+?[\w./*@+-]+(?::[\w./*@+-]+)?$/],
  // Without user and password, which are nobody else's.
  [
    /^remote\..+\.url$/s,
    /^(?:https?:\/\/[\w.:-]+\/|ssh:\/\/|[\w.-]+@[\w.-]+:|\.{0,2}\/)[\w./~+:@-]*$/,
  ],
  [
    /^core\.(?:autocrlf|eol|safecrlf|filemode|ignorecase|precomposeunicode|symlinks|quotepath)$/,
    /^\w+$/,
  ],
  [/^(?:diff\.(?:renames|algorithm|noprefix|mnemonicprefix)|merge\.conflictstyle)$/, /^\w+$/],
  [/^status\.(?:relativepaths|renames)$/, /^\w+$/],
];

/** Beyond it a command line gets too long; nobody works on so many branches. */
const maxSettings = 400;
const maxLength = 300;

/**
 * What a repository's configuration says of its files and branches. In the sandbox that file reads
 * as empty, for it may hold secrets and name programs; these are said on the command line.
 *
 * @param listed what `git config --list -z` prints
 * @returns `NAME=VALUE` each, in their order
 */
export function keptSettings(listed: string): string[] {
  return listed
    .split('\0')
    .flatMap((entry) => {
      const end = entry.indexOf('\n');
      if (end < 0 || entry.length > maxLength) return [];
      const [name, value] = [entry.slice(0, end), entry.slice(end + 1)];
      // On a command line the first `=` ends the name.
      const isKept = !/[=\n]/.test(name) && kept.some(([n, v]) => n.test(name) && v.test(value));
      return isKept ? [`${name}=${value}`] : [];
    })
    .slice(0, maxSettings);
}

/** How a repository names its objects; git reads it from the configuration file alone. */
export function isSha256(listed: string): boolean {
  return /(?:^|\0)extensions\.objectformat\nsha256\0/.test(listed);
}

/**
 * The format of a repository, if it is one that cannot be shown to git: git reads it from a file that
 * is empty in the sandbox, and would take the repository for another format.
 *
 * @param listed as of `keptSettings`
 * @returns `refstorage reftable`, for a message
 */
export function unusualFormat(listed: string): string | undefined {
  const found =
    /(?:^|\0)extensions\.(objectformat\n(?!sha(?:1|256)\0)|refstorage\n(?!files\0))([\w-]{1,40})/i.exec(
      listed,
    );
  return found === null ? undefined : `${found[1]?.trim()} ${found[2]}`;
}

/**
 * Settings with a part of their own in the middle that let git start something, and
 * what they are set to instead. Found in git-config(1), "Variables", and the sources of git 2.39
 * to 2.51; those of a fixed name are always set, see `harden-git.ts`.
 */
const substitutes: readonly (readonly [RegExp, string])[] = [
  [/^filter\..+\.(?:clean|smudge|process)$/s, ''],
  [/^filter\..+\.required$/s, 'false'],
  // Text conversion that converts nothing; a program that fails would end git.
  [/^diff\..+\.textconv$/s, 'cat'],
  [/^diff\.(?:.+\.command|external)$/s, 'false'],
  // A driver that merges nothing: both sides are left as a conflict.
  [/^merge\..+\.driver$/s, 'false'],
  // Hooks that are configuration, of versions that know them.
  [/^hook\..+\.command$/s, 'true'],
  [/^trailer\..+\.(?:command|cmd)$/s, 'true'],
  [/^remote\..+\.vcs$/s, 'none'],
  [/^submodule\..+\.update$/s, 'checkout'],
  [/^(?:difftool|mergetool|browser|man|guitool)\..+\.(?:cmd|path)$/s, 'false'],
  [/^(?:sendemail|instaweb|imap)\.(?:.+\.)?(?:smtpserver|.*cmd|httpd|browser|tunnel)$/s, 'false'],
];

/** The first of several values counts and none can be replaced, so their commands are forbidden. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/^remote\..+\.(?:uploadpack|receivepack)$/s, 'protocol.file.allow'],
  [/^core\.gitproxy$/, 'protocol.git.allow'],
];

/** Those of a fixed name, those that name programs for a person, and aliases. */
const alsoStarted =
  /^(?:alias|pager)\.|^core\.(?:hookspath|fsmonitor|sshcommand|askpass|editor|pager|attributesfile|alternaterefscommand)$|^sequence\.editor$|^interactive\.difffilter$|^credential\.(?:.+\.)?helper$|^gpg\.(?:.+\.)?(?:program|defaultkeycommand)$|^uploadpack\.packobjectshook$/s;

/** Whether a setting may name a program, or a folder of them. */
export function mayStart(key: string): boolean {
  return alsoStarted.test(key) || [...substitutes, ...forbidden].some(([name]) => name.test(key));
}

/**
 * What switches off the programs that any configuration in force names.
 *
 * @param configNames what `git config --list --name-only -z` prints
 * @throws {KernelError} `permission-denied` for a name that cannot be overridden
 */
export function quietSettings(configNames: string): string[] {
  const settings = new Map<string, string>();
  for (const key of new Set(configNames.split('\0'))) {
    const protocol = forbidden.find(([pattern]) => pattern.test(key))?.[1];
    if (protocol !== undefined) settings.set(protocol, 'never');
    const found = substitutes.find(([pattern]) => pattern.test(key));
    if (found === undefined) continue;
    // On a command line the first `=` ends the name.
    if (/[=\n]/.test(key)) {
      throw new KernelError(
        'permission-denied',
        'the configuration of the repository names a program that cannot be switched off',
        { hint: 'Look at it with: git config --list --show-origin' },
      );
    }
    settings.set(key, found[1]);
    // One of a filter's programs is replaced by nothing only where none is required.
    const filter = /^(filter\..+)\.[^.]+$/s.exec(key)?.[1];
    if (filter !== undefined) settings.set(`${filter}.required`, 'false');
  }
  return [...settings].map(([name, value]) => `${name}=${value}`);
}
