import { execFile } from 'node:child_process';
import { programFolders } from '../../host/programs/exec/find-program.ts';
import type { GitCredential } from '../../host/programs/git/credential-settings.ts';
import { homeFolder } from '../../lib/files/home-folder.ts';

/** The author of commits, from the user's own configuration and never from a repository. */
export async function gitIdentity(): Promise<string[]> {
  const settings = await Promise.all(
    ['user.name', 'user.email'].map(async (name) => {
      const [value] = await globalSettings(name);
      return value === undefined ? [] : [`${name}=${value}`];
    }),
  );
  return settings.flat();
}

/** Repositories of others that the user trusts, by their own configuration: paths, or `*`. */
export async function gitSafeFolders(): Promise<string[]> {
  return await globalSettings('safe.directory', '--type=path');
}

/** Values of one name, in their order; none where git is missing or the user has set nothing. */
async function globalSettings(name: string, ...flags: string[]): Promise<string[]> {
  const args = ['config', '--global', ...flags, '-z', '--get-all', name];
  const printed = await git(args, '');
  return printed === undefined ? [] : printed.split('\0').slice(0, -1);
}

/**
 * The credential for an address from the user's own `credential.helper`. Helpers are programs that
 * the user chose; nothing of a repository is read, and no other program is started. The user is not
 * asked.
 *
 * @returns undefined when no helper knows one
 */
export async function gitCredential(url: URL): Promise<GitCredential | undefined> {
  const asked = `protocol=${url.protocol.slice(0, -1)}\nhost=${url.host}\npath=${url.pathname.slice(1)}\n\n`;
  // The folder is not a repository whatever lies in it.
  const alone = [
    '--git-dir=/dev/null',
    '-c',
    'core.askPass=',
    '-c',
    'credential.interactive=false',
  ];
  const printed = await git([...alone, 'credential', 'fill'], asked);
  const fields = new Map((printed ?? '').split('\n').map((line) => split(line)));
  const [username, password] = [fields.get('username'), fields.get('password')];
  return username === undefined || password === undefined ? undefined : { username, password };
}

function split(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}

/** Standard output; undefined where git failed or is missing. */
function git(args: readonly string[], input: string): Promise<string | undefined> {
  const options = {
    cwd: '/',
    env: { HOME: homeFolder(), PATH: programFolders.join(':'), GIT_TERMINAL_PROMPT: '0' },
    timeout: 5000,
  };
  return new Promise((resolve) => {
    const child = execFile('git', args, options, (error, stdout) => {
      resolve(error === null ? stdout : undefined);
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
