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
    'Gets new commits of a remote (git fetch); the branches and files here stay as they are. Asks a person each time.',
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
  const { origin } = partsOf(url);
  try {
    const [flags, refs] = [args.filter(isFlag), args.filter((arg) => !isFlag(arg))];
    const quiet = ['--no-recurse-submodules', ...flags];
    return runGit([command, ...quiet, url, ...refs], { timeoutMs });
  } catch (thrown) {
    if (!(thrown instanceof ToolError) || thrown.code === 'denied') throw thrown;
    if (/could not resolve|failed to connect|CONNECT tunnel failed|\b403\b/i.test(thrown.message)) {
      const advice = `allow it with --allow http:${origin}, or always with: cuervo plugin grant git http:${origin}`;
      throw new ToolError(
        'unavailable',
        `${origin} was not reached; if it was not granted, ${advice}`,
      );
    }
    if (/authentication failed|could not read username|\b401\b/i.test(thrown.message)) {
      const advice = 'keep a login with a credential.helper of your own git configuration';
      throw new ToolError(
        'denied',
        `${origin} wants a login and has none that it takes; ${advice}`,
      );
    }
    throw thrown;
  }
}

function isFlag(arg: string): boolean {
  return arg.startsWith('-');
}

/** @throws {ToolError} for a remote that is not there, or is not reached over the web */
function addressOf(remote: string): string {
  const rows = runGit(['remote', '-v']).stdout.split('\n');
  const row = rows.find((each) => each.startsWith(`${remote}\t`) && each.endsWith(' (fetch)'));
  const url = row?.slice(remote.length + 1, -' (fetch)'.length);
  if (url === undefined) {
    throw new ToolError(
      'not-found',
      `there is no remote "${remote}" with an address of the web and without a password; see them with: git remote -v`,
    );
  }
  partsOf(url);
  return url;
}

/** The parts of a web address; guests have no `URL`. */
function partsOf(url: string): { origin: string } {
  const origin = /^(https?:\/\/[\w.-]+(?::\d{1,5})?)(?:\/|$)/i.exec(url)?.[1];
  if (origin !== undefined) return { origin: origin.toLowerCase() };
  throw new ToolError(
    'invalid-input',
    `the address ${url} is not of the web (https://…), and only such ones are supported`,
  );
}

function refsBelow(place: string): Map<string, string> {
  const { stdout } = runGit(['for-each-ref', '--format=%(refname)%00%(objectname)', place]);
  const rows = stdout.split('\n').filter(Boolean);
  return new Map(rows.map((row) => row.split('\0') as [string, string]));
}
