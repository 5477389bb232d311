import { type ChildProcess, spawn } from 'node:child_process';
import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import type { HostCall } from '../../contracts/tool.ts';
import { homeFolder } from '../../lib/files/paths.ts';
import { programFolders } from '../exec/find-program.ts';
import { sshSocketPlace } from '../exec/launch-scripts.ts';
import type { RemoteCommand } from './command-line.ts';

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

type SshCommand = Extract<RemoteCommand, { way: 'ssh' }>;

export type SshPorts = {
  /** absolute path of the system's `ssh` */
  program: string;
  /** absolute path of the socket of the user's agent */
  agent: string;
  /** the user's home, where the known hosts are */
  home: string;
  /** called for each login when it is over */
  note(call: HostCall): void;
};

/** Logins of one command: git makes another one for tags. */
const maxLogins = 4;
const maxErrorLength = 4_000;

/**
 * A socket through which git finds one repository at one host, and nothing else: `ssh` itself runs
 * outside of the sandbox, with no words of git's, and with the user's own agent, which
 * nothing in the sandbox sees. No file of the user's configures it, so that no proxy, local command
 * or forwarding starts. A host that the user does not know is refused.
 *
 * The caller disposes it, which ends every login.
 */
export async function openSsh(
  command: SshCommand,
  ports: SshPorts,
): Promise<Disposable & { socket: string; errors(): string }> {
  const running = new Set<ChildProcess>();
  const sockets = new Set<Socket>();
  let errors = '';
  let logins = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    logins += 1;
    if (logins > maxLogins) return void socket.destroy();
    sockets.add(socket);
    const startedMs = performance.now();
    const child = spawn(ports.program, sshWords(command, ports), {
      stdio: 'pipe',
      cwd: '/',
      env: { HOME: ports.home, SSH_AUTH_SOCK: ports.agent, LANG: 'C.UTF-8' },
    });
    running.add(child);
    for (const stream of child.stdio) stream?.on('error', () => {});
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString('utf8')).slice(-maxErrorLength);
    });
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
    const end = (outcome: HostCall['outcome']): void => {
      if (!running.delete(child)) return;
      const durationMs = performance.now() - startedMs;
      const bytes = socket.bytesWritten;
      ports.note({ call: 'exec.connect', target: command.name, outcome, durationMs, bytes });
    };
    child.once('error', () => {
      end('io');
      socket.destroy();
    });
    child.once('close', (code) => end(code === 0 ? 'ok' : 'io'));
    socket.once('close', () => {
      sockets.delete(socket);
      child.kill();
    });
  });
  // In a folder that nobody but this user may enter.
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-ssh-'));
  const socket = join(folder, 'ssh');
  const close = (): void => {
    server.close();
    for (const child of running) child.kill();
    for (const each of sockets) each.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(socket, resolve);
    });
  } catch (thrown) {
    close();
    throw thrown;
  }
  return { socket, errors: () => errors, [Symbol.dispose]: close };
}

/** ssh_config(5); what is said on a command line counts before any file. */
function sshWords({ subcommand, destination, path }: SshCommand, { agent, home }: SshPorts) {
  const settings = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile="${home}/.ssh/known_hosts"`,
    'UpdateHostKeys=no',
    `IdentityAgent="${agent}"`,
    // Keys of files could ask for a passphrase.
    'IdentityFile=none',
    'PreferredAuthentications=publickey',
    'ClearAllForwardings=yes',
    'ForwardAgent=no',
    'PermitLocalCommand=no',
    'ControlPath=none',
    'ConnectTimeout=30',
  ];
  const remote = subcommand === 'push' ? 'git-receive-pack' : 'git-upload-pack';
  return [
    ...['-F', 'none', '-T', '-a', '-x'],
    ...settings.flatMap((setting) => ['-o', setting]),
    ...[...destination, `${remote} ${shellQuoted(path)}`],
  ];
}

/** One word for the shell of the other side, as git writes it. */
function shellQuoted(text: string): string {
  return `'${text.replace(/['!]/g, "'\\$&'")}'`;
}

/** Seconds in which the other side may be silent once git has sent all: a large push takes long. */
const silentSeconds = 600;

/**
 * What git starts in place of `ssh`. Whatever it says of host and command is left out: the shell that
 * git starts it with takes it for a comment. git hears of an end only where its pipe is closed.
 *
 * @param forwarder absolute path of `socat`
 */
export function sshVariables(forwarder: string): Record<string, string> {
  return {
    GIT_SSH_VARIANT: 'ssh',
    GIT_SSH_COMMAND: `exec '${forwarder}' -t ${silentSeconds} -,shut-close UNIX-CONNECT:${sshSocketPlace} #`,
  };
}
