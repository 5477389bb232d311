import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { homeFolder } from '../../lib/files/paths.ts';
import { programFolders } from '../exec/find-program.ts';
import type { GitCredential } from './credential-settings.ts';
import type { AskGit } from './person-answer.ts';

/** Where git finds the person's own configuration and name, beside the home folder. */
const ownVariable =
  /^(?:EMAIL|TZ|XDG_CONFIG_HOME|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|GIT_ATTR_NOSYSTEM|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|PARAMETERS|(?:KEY|VALUE)_\d+))$/;

const maxBytes = 64 * 1024 * 1024;
const timeoutMs = 10_000;

/** The person's git, with the configuration and the environment that the person has. */
export type PersonGit = {
  ask: AskGit;
  /** absolute: the attributes that count where no setting names others */
  attributesFile: string;
  /** Repositories of others that the user trusts, by their own configuration: paths, or `*`. */
  safeFolders(): Promise<string[]>;
  /**
   * The credential for an address from the user's own `credential.helper`. Helpers are programs
   * that the user chose; nothing of a repository is read, and no other program is started. The user
   * is not asked.
   *
   * @returns undefined when no helper knows one
   */
  credential(url: URL): Promise<GitCredential | undefined>;
};

/** @param environment of the person */
export function createPersonGit(
  environment: Readonly<Record<string, string | undefined>>,
): PersonGit {
  const own = Object.entries(environment).filter(([name]) => ownVariable.test(name));
  const env = {
    ...Object.fromEntries(own),
    HOME: homeFolder(),
    PATH: programFolders.join(':'),
    LANG: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
  };
  const git = (args: readonly string[], stdin: string, more: Record<string, string> = {}) =>
    run(args, stdin, { ...env, ...more });
  const settings = environment.XDG_CONFIG_HOME || join(homeFolder(), '.config');
  return {
    attributesFile: join(settings, 'git/attributes'),
    ask: ({ folder, args, stdin = '' }) =>
      // A repository starts nothing here: no monitor, no hook, and no program that gets objects.
      git(
        [
          ...['-C', folder, `--work-tree=${folder}`, '--no-pager', '--no-optional-locks'],
          ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', ...args],
        ],
        stdin,
        { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' },
      ),
    safeFolders: async () => {
      const flags = ['--global', '--type=path', '-z', '--get-all', 'safe.directory'];
      const { exitCode, stdout } = await git(['-C', '/', 'config', ...flags], '');
      return exitCode === 0 ? stdout.split('\0').slice(0, -1) : [];
    },
    credential: async (url) => {
      const asked = `protocol=${url.protocol.slice(0, -1)}\nhost=${url.host}\npath=${url.pathname.slice(1)}\n\n`;
      // The folder is not a repository whatever lies in it.
      const alone = ['--git-dir=/dev/null', '-c', 'core.askPass='];
      const quiet = [...alone, '-c', 'credential.interactive=false', 'credential', 'fill'];
      const { exitCode, stdout } = await git(quiet, asked);
      const fields = new Map((exitCode === 0 ? stdout : '').split('\n').map((row) => split(row)));
      const [username, password] = [fields.get('username'), fields.get('password')];
      return username === undefined || password === undefined ? undefined : { username, password };
    },
  };
}

function split(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}

/** The exit code is -1 where git is missing or took too long. */
function run(
  args: readonly string[],
  stdin: string,
  env: Record<string, string>,
): ReturnType<AskGit> {
  const options = { cwd: '/', env, timeout: timeoutMs, maxBuffer: maxBytes };
  return new Promise((resolve) => {
    const child = execFile('git', args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      resolve({ exitCode: typeof code === 'number' ? code : -1, stdout, stderr });
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
  });
}
