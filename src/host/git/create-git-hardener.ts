import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { once } from '../../lib/once.ts';
import { hardenGit, subcommandAt } from './harden-git.ts';
import { quietSettings } from './quiet-settings.ts';

/** Runs git once, in the place and the sandbox of the command that is hardened. */
type RunGit = (args: readonly string[]) => Promise<{ stdout: string; truncated: boolean }>;

/**
 * What every git of the host passes before it is started. Which programs it names is asked of the
 * repository each time: reading its configuration starts nothing.
 *
 * @param identity settings of the user's own; asked for by the first command
 */
export function createGitHardener(
  identity: () => Promise<readonly string[]>,
): (args: readonly string[], run: RunGit) => Promise<string[]> {
  const ownIdentity = once(identity);
  let known: ReadonlySet<string> | undefined;
  return async (args, run) => {
    const at = subcommandAt(args);
    if (at < 0) return [...args];
    const config = [...args.slice(0, at), 'config', '--list', '--name-only', '-z'];
    const [names, listed, settings] = await Promise.all([
      run(config),
      known ?? run(['--list-cmds=main']).then(({ stdout }) => new Set(stdout.split('\n'))),
      ownIdentity(),
    ]);
    known = listed;
    if (names.truncated) throw new ServiceError('limit', 'the configuration of git is too long');
    try {
      const overrides = quietSettings(names.stdout);
      return hardenGit(args, { subcommands: listed, overrides, identity: settings });
    } catch (thrown) {
      const error = KernelError.from(thrown, 'internal');
      throw new ServiceError('denied', error.message, '', error.hint);
    }
  };
}
