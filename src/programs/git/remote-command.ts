import { sshHost, wrongSshHost } from '../../lib/ssh-host.ts';
import { subcommandAt } from './harden-git.ts';

/** A command of git that talks to another computer, as the built-in plugin `git` writes it. */
export type RemoteCommand = {
  subcommand: 'push' | 'fetch';
  /** what the person is told: an origin, or `ssh:HOST` */
  name: string;
} & ({ way: 'web'; url: URL } | ({ way: 'ssh' } & SshAddress));

export type SshAddress = {
  /** as a grant names it */
  host: string;
  /** words of `ssh` for it: nothing of them is an option or means anything to a shell */
  destination: readonly string[];
  /** path of the repository, in its own words */
  path: string;
};

/**
 * What a vector of git talks to, where that is an address of the web or of ssh that it names itself.
 * Ignores what a repository's configuration would make of a name.
 *
 * @returns undefined for any other command
 */
export function remoteCommand(args: readonly string[]): RemoteCommand | undefined {
  const at = subcommandAt(args);
  const subcommand = args[at];
  if (subcommand !== 'push' && subcommand !== 'fetch') return undefined;
  // The first argument behind the flags is the repository, for git as for us.
  const written = args.slice(at + 1).find((arg) => !arg.startsWith('-'));
  if (written === undefined) return undefined;
  const address = sshAddress(written);
  if (address !== undefined)
    return { subcommand, way: 'ssh', name: `ssh:${address.host}`, ...address };
  const url = URL.parse(written);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return { subcommand, way: 'web', name: url.origin, url };
}

const sshUrl = /^ssh:\/\/(?:([\w.-]+)@)?(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?(\/.*)$/i;
/** As git-fetch(1) has it: no slash stands before the first colon. */
const shortForm = /^(?:([\w.-]+)@)([\w.-]+):(?!\/\/)(.+)$/;

/** @returns undefined for what is not an address of ssh; git itself takes some more */
function sshAddress(text: string): SshAddress | undefined {
  const found = sshUrl.exec(text);
  const short = found === null ? shortForm.exec(text) : null;
  const [, user, name = '', port, path = ''] =
    found ?? (short === null ? [] : [short[0], short[1], short[2], undefined, short[3]]);
  if (name === '' || user?.startsWith('-') || !/^[ -~]{1,1000}$/.test(path)) return undefined;
  const host = sshHost(name, port === undefined ? undefined : Number(port));
  if (wrongSshHost(host) !== undefined) return undefined;
  const bare = name.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return {
    host,
    destination: [
      ...(port === undefined ? [] : ['-p', String(Number(port))]),
      ...(user === undefined ? [] : ['-l', user]),
      bare,
    ],
    // As git does it: `/~ann/x` is in the home of Ann.
    path: path.replace(/^\/(?=~)/, ''),
  };
}

/** Settings by which git goes no other way, whatever a server answers. */
export function onlyWay({ way }: RemoteCommand): string[] {
  const protocols = way === 'web' ? ['http', 'https'] : ['ssh'];
  return ['protocol.allow=never', ...protocols.map((name) => `protocol.${name}.allow=always`)];
}

/** The plugin that may talk to remotes with the user's credentials. */
export const remotePlugin = 'git';
