import { join, relative, resolve } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { isStoredContent } from '../../contracts/protected-names.ts';
import { isBelow } from '../../lib/files/paths.ts';
import { existsSync, realpathSync } from '../../lib/files/raw-fs.ts';
import { gitAttributes, rootPlace } from '../exec/bwrap-arguments.ts';
import { optionValues, subcommandAt } from './command-line.ts';
import {
  isSha256,
  keptSettings,
  quietSettings,
  repositoryAt,
  unusualFormat,
} from './git-settings.ts';
import type { GitPlace } from './outer-repository.ts';

/** They read the files that they are told, and nothing that git keeps. */
const ofFiles: ReadonlySet<string> = new Set([
  ...['apply', 'column', 'interpret-trailers', 'merge-file', 'patch-id', 'stripspace'],
]);

/** Folders of a sandbox that need not be there outside. */
const inside = /^\/(?:caches|dev|proc|roots|tmp)(?:\/|$)/;

/**
 * Whether a git needs nothing of what commits hold, so that it gets none of it to see: a patch may
 * name any object as what it makes, and a difference of two folders looks into a `.git` in them.
 *
 * @param args of git
 * @param folder absolute, of the root
 */
export function readsFilesAlone(args: readonly string[], folder: string, place: GitPlace): boolean {
  const at = subcommandAt(args);
  const subcommand = args[at] ?? '';
  if (ofFiles.has(subcommand)) return true;
  if (subcommand !== 'diff') return false;
  // git makes such a diff unasked if one of two paths lies outside of the work tree.
  const leads = (arg: string): boolean => {
    const path = pathOf(arg, folder, place);
    const isOutside = !isBelow(path, join(folder, ...place.top));
    return isOutside && (inside.test(arg) || existsSync(path));
  };
  const after = args.slice(at + 1);
  return (
    after.some((arg) => /^--no-ind/.test(arg) || leads(arg)) ||
    repositoryAt(folder, place.cwd) === undefined
  );
}

/**
 * The argument by which a git would read a file that git keeps content in as if it were any other,
 * also through a link: a message, a list of paths, one side of a difference.
 *
 * @param args of git
 * @param folder absolute, of the root
 */
export function findStored(
  args: readonly string[],
  folder: string,
  place: GitPlace,
): string | undefined {
  const isStored = (path: string): boolean => {
    try {
      const real = relative(realpathSync(folder), realpathSync(path));
      return !real.startsWith('..') && isStoredContent(real);
    } catch {
      // Nothing there could be read.
      return false;
    }
  };
  return args
    .slice(subcommandAt(args) + 1)
    .find((arg) =>
      [arg, ...optionValues(arg)].some((value) => isStored(pathOf(value, folder, place))),
    );
}

function pathOf(text: string, folder: string, { root, cwd }: GitPlace): string {
  const top = rootPlace(root);
  return isBelow(text, top) ? join(folder, relative(top, text)) : resolve(folder, ...cwd, text);
}

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

/** Runs git once, in the place and the sandbox of the command that is hardened. */
type RunGit = (
  args: readonly string[],
  stdin?: string,
) => Promise<{ exitCode?: number; stdout: string; truncated: boolean }>;

/** What the configuration of a repository says, beside what is switched off. */
type OfRepository = { settings: readonly string[]; isSha256: boolean };

/** Options of git itself that bring no configuration along. */
const plainOptions: ReadonlySet<string> = new Set([
  '--literal-pathspecs',
  '--no-pager',
  '--no-optional-locks',
]);

/**
 * What every git of the host passes before it is started. Which programs it names is asked of the
 * repository each time: reading its configuration starts nothing. Where that of every repository
 * is masked only the system's is left, and one look is enough; what the repository's own text says
 * of its files and branches is then said on the command line.
 */
export function createGitHardener(): (
  args: readonly string[],
  run: RunGit,
  /** `configuration`: the text of what is masked, as data */
  options: {
    isConfigMasked: boolean;
    configuration?: string | undefined;
    /** those of the user's own */
    settings?: readonly string[];
    /** of the drivers of filters; they outweigh what is switched off */
    filters?: readonly string[];
  },
) => Promise<{ args: string[]; isSha256: boolean }> {
  let known: Set<string> | undefined;
  let ofSystem: Awaited<ReturnType<RunGit>> | undefined;
  // The last configuration: most commands are about one repository.
  let last: (OfRepository & { text: string }) | undefined;
  const kept = async (text: string | undefined, run: RunGit): Promise<OfRepository> => {
    if (text === undefined) return { settings: [], isSha256: false };
    if (last?.text === text) return last;
    const { stdout } = await run(['config', '--file', '-', '--no-includes', '--list', '-z'], text);
    const format = unusualFormat(stdout);
    if (format !== undefined) {
      const reason = `the repository has ${format}, which the sandbox cannot pass on to git`;
      throw new ServiceError('invalid', reason);
    }
    last = { text, settings: keptSettings(stdout), isSha256: isSha256(stdout) };
    return last;
  };
  return async (args, run, { isConfigMasked, configuration, settings = [], filters = [] }) => {
    const at = subcommandAt(args);
    if (at < 0) return { args: [...args], isSha256: false };
    const config = [...args.slice(0, at), 'config', '--list', '--name-only', '-z'];
    const isSystemOnly = isConfigMasked && args.slice(0, at).every((arg) => plainOptions.has(arg));
    const [names, listed, ofRepository] = await Promise.all([
      (isSystemOnly ? ofSystem : undefined) ?? run(config),
      // Asked of no repository: one that cannot be found has nothing to say to it.
      known ?? run(['--git-dir=/dev/null', '--list-cmds=main']),
      kept(isConfigMasked ? configuration : undefined, run),
    ]);
    const subcommands = listed instanceof Set ? listed : new Set(listed.stdout.split('\n'));
    if (!(listed instanceof Set) && listed.exitCode === 0) known = subcommands;
    // Without a repository git says nothing, which differs from the settings of the system.
    if (isSystemOnly && names.exitCode === 0) ofSystem = names;
    if (names.truncated) throw new ServiceError('limit', 'the configuration of git is too long');
    try {
      const overrides = quietSettings(names.stdout);
      const kept = ofRepository.settings;
      return {
        args: hardenGit(args, { subcommands, overrides, settings, filters, kept }),
        isSha256: ofRepository.isSha256,
      };
    } catch (thrown) {
      const error = KernelError.from(thrown, 'internal');
      throw new ServiceError('denied', error.message, '', error.hint);
    }
  };
}
