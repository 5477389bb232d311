import { exec, HostError, ToolError } from '@cuervo/sdk';

/** Bytes of output that one command may give; the host cuts what is more. */
const maxOutputBytes = 400_000;
const usualTimeoutMs = 20_000;

/** Names of paths mean themselves: no pattern, no `:(magic)`. */
const plainPaths = '--literal-pathspecs';

/** One line of what git says when it is not in a repository, and what that means here. */
const failures: readonly (readonly [RegExp, 'not-found' | 'invalid-input' | 'conflict'])[] = [
  [/not a git repository/, 'not-found'],
  [/does not have any commits yet|bad default revision/, 'not-found'],
  [/unknown revision|bad revision|ambiguous argument|Not a valid object/i, 'not-found'],
  [/did not match any file/, 'not-found'],
  [/no such path|no such ref/i, 'not-found'],
  [/would be overwritten|unmerged|conflict/i, 'conflict'],
];

const noIdentity =
  'git has no author for the commit: set one with git config user.name NAME and user.email ADDRESS';

export type GitOutput = {
  stdout: string;
  truncated: boolean;
  /** files that look changed, while nobody allowed the filter that would tell */
  filterNotRun: string[];
};

/**
 * Runs one command of git in the workspace.
 *
 * @param args from the subcommand on
 * @param allowed exit codes beside 0 that are an answer
 * @throws {ToolError} with the first line of what git says
 */
export function runGit(
  args: readonly string[],
  options: { stdin?: string; allowed?: readonly number[]; timeoutMs?: number } = {},
): GitOutput {
  const done = started([plainPaths, ...args], options);
  const { exitCode, stdout, stderr, truncated } = done;
  if (exitCode === 0 || (exitCode !== undefined && options.allowed?.includes(exitCode))) {
    return { stdout, truncated, filterNotRun: filterNotRun(stderr) };
  }
  const said = (stderr || stdout).split('\n').find((line) => line.trim() !== '') ?? '';
  const message = plainly(said.replace(/^(?:fatal|error): /, '').slice(0, 500));
  const elsewhere = /^not a git repository: (.+)/.exec(message)?.[1];
  if (elsewhere !== undefined) {
    const text = `the repository of this work tree lies outside of the workspace, at ${elsewhere}, and cannot be seen from here`;
    throw new ToolError('not-found', `git ${args[0]}: ${text}`);
  }
  if (/identity unknown|empty ident name/i.test(stderr))
    throw new ToolError('conflict', noIdentity);
  const code = failures.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'failed';
  throw new ToolError(code, `git ${args[0]}: ${message || `ended with ${exitCode}`}`);
}

function filterNotRun(stderr: string): string[] {
  const rows = stderr.matchAll(/^filter not run: ("(?:[^"\\]|\\.)*") \(/gm);
  return [...rows].map(([, path = '""']) => JSON.parse(path) as string);
}

/** A message of git without the sandbox's own paths, which mean nothing outside of it. */
function plainly(message: string): string {
  if (/^(?:bad revision|ambiguous argument) 'HEAD'/.test(message)) return 'there is no commit yet';
  // Bare repositories are refused: anybody could have put one there, and its configuration starts
  // programs.
  if (message.startsWith('cannot use bare repository'))
    return 'the workspace is a bare repository, which is not supported here; use a clone of it';
  return message
    .replace(/ \(or any parent up to mount point \S+\)$/, '')
    .replace(/(?<=^not a git repository: )\/roots\/work\//, '');
}

function started(
  args: string[],
  { stdin, timeoutMs = usualTimeoutMs }: { stdin?: string; timeoutMs?: number },
): ReturnType<typeof exec.run> {
  const input = stdin === undefined ? {} : { stdin };
  try {
    return exec.run({ program: 'git', args, timeoutMs, maxOutputBytes, ...input });
  } catch (thrown) {
    if (!(thrown instanceof HostError) || thrown.code !== 'not-found') throw thrown;
    throw new ToolError(
      'unavailable',
      'git is not installed; install it with: apt-get install git',
    );
  }
}

/** Refuses a name that git would read as an option. @throws {ToolError} `invalid-input` */
export function revision(name: string): string {
  if (!name.startsWith('-') && !/[\0\s]/.test(name)) return name;
  throw new ToolError('invalid-input', `"${name}" is not a name of a commit, branch or tag`);
}

/** Paths behind `--`, as git takes them; `work:` is the workspace. */
export function pathArguments(paths: readonly string[]): string[] {
  return ['--', ...paths.map((path) => path.replace(/^work:/, '') || '.')];
}
