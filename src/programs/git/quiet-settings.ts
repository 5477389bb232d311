import { KernelError } from '../../contracts/error.ts';

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
