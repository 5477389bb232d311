import { defineTool, ToolError, v } from '@cuervo/sdk';
import { revision, runGit } from './run-git.ts';

const name = (what: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[A-Za-z0-9][\w./-]{0,199}$/, 'is not a name'),
      v.description(what),
    ),
  );
const remote = name('name of the remote; default origin');

const timeoutMs = 120_000;

export const fetch = defineTool({
  name: 'fetch',
  description:
    'Gets new commits of a remote (git fetch, by https or ssh); the branches and files here stay as they are. Asks a person each time.',
  effect: 'external',
  input: v.object({ remote }),
  examples: [{}, { remote: 'upstream' }],
  run: (input) => {
    const from = input.remote ?? 'origin';
    const url = addressOf(from);
    const place = `refs/remotes/${from}/`;
    const before = refsBelow(place);
    talk('fetch', url, ['--no-auto-maintenance', `+refs/heads/*:${place}*`]);
    const changed = [...refsBelow(place)].filter(([ref, hash]) => before.get(ref) !== hash);
    const branches = changed.map(([ref, hash]) => ({
      name: ref.slice('refs/remotes/'.length),
      hash,
    }));
    return {
      content: { remote: from, url, branches },
      summary: `${branches.length} new or changed ${branches.length === 1 ? 'branch' : 'branches'} of ${from}`,
    };
  },
});

export const push = defineTool({
  name: 'push',
  description:
    'Sends the commits of a branch to the branch of that name at a remote (git push), never by force. Asks a person each time; undo does not take it back.',
  effect: 'external',
  input: v.object({ remote, branch: name('default the one that is checked out') }),
  examples: [{}, { branch: 'main' }],
  run: (input) => {
    const to = input.remote ?? 'origin';
    const branch = input.branch ?? runGit(['branch', '--show-current']).stdout.trim();
    if (branch === '')
      throw new ToolError('conflict', 'no branch is checked out; name one as branch');
    const url = addressOf(to);
    const ref = `refs/heads/${revision(branch)}`;
    const { stdout } = talk('push', url, ['--porcelain', '--no-verify', `${ref}:${ref}`]);
    const isNew = !/^=\t/m.test(stdout);
    const summary = isNew ? `pushed ${branch} to ${to}` : `${to} has all of ${branch} already`;
    return { content: { remote: to, url, branch, pushed: isNew }, summary };
  },
});

/**
 * The address is on the command line, so that the question to a person shows it and nothing that a
 * repository says can replace it.
 */
function talk(command: 'push' | 'fetch', url: string, args: readonly string[]) {
  const place = placeOf(url);
  try {
    const [flags, refs] = [args.filter(isFlag), args.filter((arg) => !isFlag(arg))];
    const quiet = ['--no-recurse-submodules', ...flags];
    return runGit([command, ...quiet, url, ...refs], { timeoutMs });
  } catch (thrown) {
    if (!(thrown instanceof ToolError) || thrown.code === 'denied') throw thrown;
    throw place.way === 'web' ? ofWeb(thrown, place.name) : ofSsh(thrown, place.name);
  }
}

function ofWeb(error: ToolError, origin: string): ToolError {
  if (/could not resolve|failed to connect|CONNECT tunnel failed|\b403\b/i.test(error.message)) {
    const advice = `allow it with --allow http:${origin}, or always with: cuervo plugin grant git http:${origin}`;
    return new ToolError(
      'unavailable',
      `${origin} was not reached; if it was not granted, ${advice}`,
    );
  }
  if (/authentication failed|could not read username|\b401\b/i.test(error.message)) {
    const advice = 'keep a login with a credential.helper of your own git configuration';
    return new ToolError(
      'denied',
      `${origin} asks for a login, and none is known that it accepts; ${advice}`,
    );
  }
  return error;
}

/** The first line of what ssh said, and what to do about it. */
function ofSsh(error: ToolError, host: string): ToolError {
  const { message } = error;
  if (/host key verification failed|no \S+ host key is known/i.test(message)) {
    const advice = `log in once by hand and compare its key: ssh ${host.replace(/^(.*?)(?::(\d+))?$/, (_, name, port) => (port ? `-p ${port} ${name}` : name))}`;
    return new ToolError('denied', `the host ${host} is not known; ${advice}`);
  }
  if (/permission denied \(/i.test(message)) {
    const advice = 'see its keys with: ssh-add -l';
    return new ToolError('denied', `${host} accepts none of the keys of your ssh agent; ${advice}`);
  }
  if (/could not resolve|connect to host|connection timed out/i.test(message))
    return new ToolError('unavailable', `${host} was not reached: ${message}`);
  return error;
}

function isFlag(arg: string): boolean {
  return arg.startsWith('-');
}

/** @throws {ToolError} for a remote that is missing, or is reached in no way that is supported */
function addressOf(remote: string): string {
  const rows = runGit(['remote', '-v']).stdout.split('\n');
  const row = rows.find((each) => each.startsWith(`${remote}\t`) && each.endsWith(' (fetch)'));
  const url = row?.slice(remote.length + 1, -' (fetch)'.length);
  if (url === undefined) {
    throw new ToolError(
      'not-found',
      `there is no remote "${remote}" with an address of the web or of ssh, and without a password; see them with: git remote -v`,
    );
  }
  placeOf(url);
  return url;
}

/** The server of an address, by expressions: guests have no `URL`. */
function placeOf(url: string): { way: 'web' | 'ssh'; name: string } {
  const origin = /^(https?:\/\/[\w.-]+(?::\d{1,5})?)(?:\/|$)/i.exec(url)?.[1];
  if (origin !== undefined) return { way: 'web', name: origin.toLowerCase() };
  const [, host, port] =
    /^ssh:\/\/(?:[\w.-]+@)?([\w.-]+)(?::(\d{1,5}))?\//i.exec(url) ??
    /^[\w.-]+@([\w.-]+):(?!\/\/)/.exec(url) ??
    [];
  if (host !== undefined)
    return { way: 'ssh', name: host.toLowerCase() + (port === undefined ? '' : `:${port}`) };
  throw new ToolError(
    'invalid-input',
    `the address ${url} is neither of the web (https://…) nor of ssh (ssh://… or USER@HOST:…), and only such ones are supported`,
  );
}

function refsBelow(place: string): Map<string, string> {
  const { stdout } = runGit(['for-each-ref', '--format=%(refname)%00%(objectname)', place]);
  const rows = stdout.split('\n').filter(Boolean);
  return new Map(rows.map((row) => row.split('\0') as [string, string]));
}
