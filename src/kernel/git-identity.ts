import { execFile } from 'node:child_process';
import { programFolders } from '../host/exec/find-program.ts';
import { homeFolder } from '../lib/home-folder.ts';

/** Who commits, by the user's own configuration and by nothing that a repository says. */
export async function gitIdentity(): Promise<string[]> {
  const settings = await Promise.all(['user.name', 'user.email'].map(globalSetting));
  return settings.filter((setting) => setting !== undefined);
}

/** `NAME=VALUE`; undefined where git is missing or the user has set nothing. */
function globalSetting(name: string): Promise<string | undefined> {
  const options = {
    cwd: '/',
    env: { HOME: homeFolder(), PATH: programFolders.join(':') },
    timeout: 5000,
  };
  return new Promise((resolve) => {
    execFile('git', ['config', '--global', '--get', name], options, (error, stdout) => {
      const value = stdout.trim();
      resolve(error !== null || value === '' ? undefined : `${name}=${value}`);
    });
  });
}
