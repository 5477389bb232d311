import { KernelError } from '../contracts/error.ts';
import { killGroup, spawnChild } from '../lib/process/child.ts';

const maxBytes = 64 * 1024 * 1024;

/**
 * Nothing of a repository is started: no hook, no monitor, no filter, no helper that a transport
 * names. What the user set up for their own git counts where a repository is fetched.
 */
const quiet = [
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'],
  ...['-c', 'protocol.ext.allow=never', '-c', 'submodule.recurse=false'],
  ...['-c', 'gc.auto=0', '-c', 'maintenance.auto=false', '-c', 'core.symlinks=true'],
  ...['-c', 'core.attributesFile=/dev/null', '-c', 'commit.gpgSign=false'],
];

/** Filters of git-lfs and the like are settings of the user, and a repository chooses among them. */
const withoutSettings = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

export type GitOptions = {
  /** of the repository; none where git makes one */
  folder?: string;
  stdin?: Uint8Array;
  env?: Readonly<Record<string, string>>;
  /** uses the settings of the user, for keys and proxies; nothing is checked out then */
  isOwn?: boolean;
  signal: AbortSignal;
};

/** What git and the helpers of a transport need of the environment; no key of a provider is in it. */
const needed =
  /^(?:PATH|HOME|USER|LOGNAME|TMPDIR|XDG_CONFIG_HOME|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|SSL_CERT_(?:FILE|DIR)|(?:https?|all|no)_proxy)$/i;

/**
 * Runs git.
 *
 * @returns what it printed
 * @throws {KernelError} `tool-failed` with the first line of what git said, without the password of
 *   an address; `resource-exhausted` where it printed too much
 */
export type RunGit = (args: readonly string[], options: GitOptions) => Promise<Buffer>;

/** @param environment of the person */
export function createGit(environment: Readonly<Record<string, string | undefined>>): RunGit {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && needed.test(name)) env[name] = value;
  return (args, options) => runGit(args, { ...options, env: { ...env, ...options.env } });
}

async function runGit(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const { folder, stdin, env, isOwn = false, signal } = options;
  signal.throwIfAborted();
  const child = spawnChild(
    'git',
    [...(folder === undefined ? [] : ['-C', folder]), ...quiet, ...args],
    {
      env: {
        ...(isOwn ? {} : withoutSettings),
        ...{ GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_LFS_SKIP_SMUDGE: '1' },
        ...{ LC_ALL: 'C.UTF-8', GIT_SSH_COMMAND: 'ssh -o BatchMode=yes' },
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that helpers end with it.
      detached: true,
    },
  );
  const onAbort = (): void => killGroup(child);
  signal.addEventListener('abort', onAbort, { once: true });
  const out: Buffer[] = [];
  let size = 0;
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > maxBytes) killGroup(child);
    else out.push(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    if (said.length < 4_096) said += chunk.toString('utf8');
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(stdin);
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  })
    .catch((thrown: unknown) => {
      throw new KernelError('unavailable', 'git cannot be started', {
        cause: thrown,
        hint: 'Install git.',
      });
    })
    .finally(() => signal.removeEventListener('abort', onAbort));
  if (size > maxBytes)
    throw new KernelError('resource-exhausted', `git printed more than ${maxBytes} bytes`);
  signal.throwIfAborted();
  if (code === 0) return Buffer.concat(out);
  const line = said.split('\n').find((each) => /^(?:fatal|error):/.test(each)) ?? said;
  const [subcommand = ''] = args;
  throw new KernelError(
    'tool-failed',
    `git ${subcommand}: ${withoutPassword(line.split('\n', 1)[0] ?? '')}`,
  );
}

/** `https://NAME:PASSWORD@host` in what somebody printed. */
function withoutPassword(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/@\s'"]*@/gi, '$1');
}
