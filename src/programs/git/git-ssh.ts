import { lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { homeFolder } from '../../lib/files/paths.ts';
import { programFolders } from '../exec/find-program.ts';
import type { SshPorts } from './open-ssh.ts';

/**
 * The needs of a login by ssh: the system's `ssh`, and the agent that holds the keys.
 *
 * @param agent of `SSH_AUTH_SOCK`
 * @throws {ServiceError} `io` when one of them is missing, with the command that brings it
 */
export function gitSsh(agent: string | undefined): Omit<SshPorts, 'note'> {
  const program = programFolders.map((folder) => join(folder, 'ssh')).find(isFile);
  if (program === undefined) {
    throw missing('ssh is not installed; install it, as with: sudo apt-get install openssh-client');
  }
  const start = 'start one and give it your key: eval "$(ssh-agent)" && ssh-add';
  if (agent === undefined) throw missing(`no ssh agent runs (SSH_AUTH_SOCK is not set); ${start}`);
  if (!isAbsolute(agent) || !isSocket(agent))
    throw missing(`SSH_AUTH_SOCK names no socket: ${JSON.stringify(agent)}; ${start}`);
  // The path is quoted in a setting of ssh, where a backslash or quote would end it.
  const home = homeFolder();
  const odd = [agent, home].find((path) => /["\\\n]/.test(path));
  if (odd !== undefined) throw missing(`${JSON.stringify(odd)} cannot be named to ssh`);
  return { program, agent, home };
}

function missing(text: string): ServiceError {
  return new ServiceError('io', text);
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;
}
