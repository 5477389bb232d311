import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { hardenGit, subcommandAt } from './harden-git.ts';
import { isSha256, keptSettings, unusualFormat } from './kept-settings.ts';
import { quietSettings } from './quiet-settings.ts';

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
