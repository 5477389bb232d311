import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { homeFolder } from '../../lib/files/paths.ts';
import { programFolders } from '../exec/find-program.ts';
import { subcommandAt } from './command-line.ts';
import type { GitCredential } from './git-settings.ts';

/**
 * Asks the person's own git about a work tree, with the person's configuration. It is asked what
 * starts nothing: for names, settings and attributes.
 *
 * @param question.folder absolute, the top of the work tree
 */
export type AskGit = (question: {
  folder: string;
  args: readonly string[];
  stdin?: string;
}) => Promise<{ exitCode: number; stdout: string; stderr: string }>;

/** Settings of the person and of the repository that decide what git would start, by their names. */
export type OwnSettings = ReadonlyMap<string, string>;

const wanted =
  '^(filter\\..*\\.(clean|smudge|process)|core\\.attributesfile|(commit|tag)\\.gpgsign|tag\\.forcesignannotated)$';

/**
 * What the configuration in force says of them, each by its last value.
 *
 * @throws {ServiceError} `invalid` where git cannot read the configuration
 */
export async function settingsIn(ask: AskGit, folder: string): Promise<OwnSettings> {
  const args = ['config', '-z', '--get-regexp', wanted];
  const { exitCode, stdout, stderr } = await ask({ folder, args });
  if (exitCode !== 0 && exitCode !== 1) {
    const said = stderr.split('\n', 1)[0] ?? '';
    const text = `git cannot read the configuration of this repository: ${said}`;
    throw new ServiceError('invalid', text, '', 'See it with: git config --list --show-origin');
  }
  const rows = stdout.split('\0').slice(0, -1);
  return new Map(
    rows.map((row): [string, string] => {
      const end = row.indexOf('\n');
      // A name alone means yes.
      return end < 0 ? [row, 'true'] : [row.slice(0, end), row.slice(end + 1)];
    }),
  );
}

/**
 * Author and committer of what a command commits, as git names them for the person in this
 * repository: environment, settings on the command line, of the repository and of the person.
 *
 * @param args of git
 * @returns variables for git; none where git knows no name
 */
export async function identityVariables(
  ask: AskGit,
  folder: string,
  args: readonly string[],
): Promise<Record<string, string>> {
  const before = args.slice(0, Math.max(0, subcommandAt(args)));
  const typed = before.flatMap((arg, at) =>
    arg === '-c' && /^(?:user|author|committer)\./i.test(before[at + 1] ?? '')
      ? [arg, before[at + 1] as string]
      : [],
  );
  const named = await Promise.all(
    ['AUTHOR', 'COMMITTER'].map(async (who): Promise<Record<string, string>> => {
      const { exitCode, stdout } = await ask({
        folder,
        args: [...typed, 'var', `GIT_${who}_IDENT`],
      });
      const [, name, email, date] = /^(.*) <(.*)> (\d+ [+-]\d{4})$/s.exec(stdout.trimEnd()) ?? [];
      if (exitCode !== 0 || name === undefined || email === undefined || date === undefined)
        return {};
      return { [`GIT_${who}_NAME`]: name, [`GIT_${who}_EMAIL`]: email, [`GIT_${who}_DATE`]: date };
    }),
  );
  return Object.assign({}, ...named);
}

/** What makes commits or tags signed, and what says that they are not, or that none is made. */
type Signing = { settings: readonly string[]; asks: RegExp; forgoes: RegExp };

const ofCommit: Signing = {
  settings: ['commit.gpgsign'],
  asks: /^-[abefiknopqrsvz]*S|^--gpg/,
  forgoes: /^--(?:no-gpg|abort|quit)/,
};
const signing: Readonly<Record<string, Signing>> = {
  ...Object.fromEntries(
    ['commit', 'merge', 'pull', 'rebase', 'cherry-pick', 'revert'].map((name) => [name, ofCommit]),
  ),
  tag: {
    settings: ['tag.gpgsign', 'tag.forcesignannotated'],
    asks: /^-[afi]*[su]|^--(?:sign|local)/,
    forgoes:
      /^--no-sign|^-[dlnv]|^--(?:delete|list|verify|contains|no-contains|merged|no-merged|points|sort|format)/,
  },
};

/**
 * Refuses a command whose commit or tag should bear a signature: in the sandbox there is no key.
 *
 * @throws {ServiceError} `denied`, with the command to type
 */
export function refuseUnsigned(settings: OwnSettings, args: readonly string[]): void {
  const at = subcommandAt(args);
  const subcommand = args[at] ?? '';
  const found = signing[subcommand];
  if (found === undefined) return;
  const after = args.slice(at + 1);
  const end = after.indexOf('--');
  const options = end < 0 ? after : after.slice(0, end);
  if (options.some((arg) => found.forgoes.test(arg))) return;
  // Without a name git lists the tags that there are.
  if (subcommand === 'tag' && !after.some((arg) => !arg.startsWith('-'))) return;
  const typed = options.find((arg) => found.asks.test(arg));
  const isAnnotated = options.some((arg) => /^-[afi]*[aFm]|^--(?:an|me|fi)/.test(arg));
  const isSet = (name: string): boolean =>
    (name !== 'tag.forcesignannotated' || isAnnotated) &&
    /^(?:true|yes|on|[1-9]\d*)$/i.test(settings.get(name) ?? '');
  const reason = typed ?? found.settings.find(isSet);
  if (reason === undefined) return;
  const text = `${reason} asks for a signature, and git ${subcommand} finds no key in the sandbox`;
  const without = subcommand === 'tag' ? '--no-sign' : '--no-gpg-sign';
  const hint = `Run git ${subcommand} yourself, or leave the signature out with ${without}.`;
  throw new ServiceError('denied', text, '', hint);
}

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
