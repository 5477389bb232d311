import { KernelError } from '../../contracts/error.ts';
import { gitAttributes } from '../exec/bwrap-arguments.ts';

/**
 * Options of `git` itself that take their value as the next argument; gitrepository-layout and
 * git(1), "OPTIONS".
 */
const valued: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--config-env',
  '--attr-source',
]);

/** What a repository's configuration could otherwise have git start. */
const quietConfig: readonly string[] = [
  'core.fsmonitor=false',
  `core.attributesFile=${gitAttributes}`,
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.editor=false',
  'sequence.editor=false',
  'core.sshCommand=false',
  'core.askPass=',
  'core.alternateRefsCommand=',
  'interactive.diffFilter=',
  'credential.helper=',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'gpg.ssh.defaultKeyCommand=false',
  'log.showSignature=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'tag.forceSignAnnotated=false',
  'push.gpgSign=false',
  'protocol.ext.allow=never',
  // A folder that looks like a repository counts only if the command names it.
  'safe.bareRepository=explicit',
  'submodule.recurse=false',
  // Another form has git look into submodules, by their own configuration.
  'diff.submodule=short',
  'diff.ignoreSubmodules=dirty',
  'status.submoduleSummary=false',
  'maintenance.auto=false',
  'gc.auto=0',
];

const noDiffPrograms = ['--no-ext-diff', '--no-textconv'];

/** Said right behind a subcommand, so that a later argument of the person's own still counts. */
const quietOptions: Readonly<Record<string, readonly string[]>> = {
  diff: [...noDiffPrograms, '--ignore-submodules=dirty'],
  'diff-files': [...noDiffPrograms, '--ignore-submodules=dirty'],
  'diff-index': [...noDiffPrograms, '--ignore-submodules=dirty'],
  'diff-tree': noDiffPrograms,
  log: noDiffPrograms,
  show: noDiffPrograms,
  whatchanged: noDiffPrograms,
  'format-patch': noDiffPrograms,
  blame: ['--no-textconv'],
  annotate: ['--no-textconv'],
  grep: ['--no-textconv'],
  status: ['--ignore-submodules=dirty'],
};

/** Where the subcommand stands in the arguments of git; -1 when there is none. */
export function subcommandAt(args: readonly string[]): number {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as string;
    if (!arg.startsWith('-')) return at;
    if (valued.has(arg)) at += 1;
  }
  return -1;
}

/** What is known of git and of the repository before a command is started. */
export type GitFacts = {
  /** subcommands of git itself, as `git --list-cmds=main` prints them */
  subcommands: ReadonlySet<string>;
  /** of `quietSettings`: what the configuration in force has started, switched off */
  overrides: readonly string[];
  /** settings of the user's own, as `safe.directory=…` */
  settings?: readonly string[];
  /** of the drivers of filters, which outweigh all others */
  filters?: readonly string[];
  /** of `keptSettings`: what the repository's own say of its files and branches */
  kept?: readonly string[];
};

/**
 * The same command of git without everything that lets a repository start programs:
 * file system monitor, hooks, pager, editor, external diffs, text conversion, filters, signatures.
 * An alias may be a program, so only git's own subcommands pass.
 *
 * @param args of git
 * @throws {KernelError} `permission-denied` for a subcommand that git does not have itself
 */
export function hardenGit(args: readonly string[], facts: GitFacts): string[] {
  const at = subcommandAt(args);
  if (at < 0) return [...args];
  const subcommand = args[at] as string;
  if (!facts.subcommands.has(subcommand)) {
    throw new KernelError('permission-denied', `"${subcommand}" is not a subcommand of git itself`);
  }
  const { kept = [], overrides, filters = [] } = facts;
  const settings = [...kept, ...(facts.settings ?? []), ...quietConfig, ...overrides, ...filters];
  return [
    ...args.slice(0, at),
    '--no-pager',
    '--no-optional-locks',
    // Else a reference may put the content of one file in the place of another's.
    '--no-replace-objects',
    ...settings.flatMap((setting) => ['-c', setting]),
    subcommand,
    ...(quietOptions[subcommand] ?? []),
    ...args.slice(at + 1),
  ];
}
