import { subcommandAt } from './harden-git.ts';

/** A command of git that talks to another computer, as the built-in plugin `git` writes it. */
export type RemoteCommand = { subcommand: 'push' | 'fetch'; url: URL };

/**
 * What a vector of git talks to, where that is an address of the web that it names itself. What a
 * repository's configuration would make of a name is not looked at.
 *
 * @returns undefined for any other command
 */
export function remoteCommand(args: readonly string[]): RemoteCommand | undefined {
  const at = subcommandAt(args);
  const subcommand = args[at];
  if (subcommand !== 'push' && subcommand !== 'fetch') return undefined;
  // The first argument behind the flags is the repository, for git as for us.
  const written = args.slice(at + 1).find((arg) => !arg.startsWith('-'));
  const url = written === undefined ? null : URL.parse(written);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.username === '' && url.password === '' ? { subcommand, url } : undefined;
}

/** Settings by which git goes no other way, whatever a server answers. */
export const webOnly: readonly string[] = [
  'protocol.allow=never',
  'protocol.http.allow=always',
  'protocol.https.allow=always',
];

/** The plugin that may talk to remotes with the user's credentials. */
export const remotePlugin = 'git';
