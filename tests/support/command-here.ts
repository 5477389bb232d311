import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type { Ended, RunOptions } from './run-cuervo.ts';

const runMain = createRequire(import.meta.url)('./run-main.cjs') as () => {
  ended: Promise<void>;
};

/** What a command reads whenever it asks. Others are read by Node, or by what it starts, at the start. */
const readLate =
  /^(CUERVO_\w+|npm_config_\w+|\w+_(API_KEY|BASE_URL)|XDG_\w+|HOME|PATH|TMPDIR|SSH_AUTH_SOCK|CI|NO_COLOR|EDITOR|VISUAL)$/;

type Option = keyof RunOptions;
/** Options that only a process has: another Node or user, and what is done with it while it runs. */
const ofProcess: readonly Option[] = ['node', 'program', 'user', 'onStart', 'onLine', 'onStderr'];
/** How it is ended. */
const ofItsEnd: readonly Option[] = ['giveUpMs', 'detached'];

let isBusy = false;

/**
 * Whether a command can run in the process of the tests: starting Node and loading the program
 * takes ten times as long as most commands. Two at the same time are two processes.
 */
export function canRunHere(options: RunOptions): boolean {
  const { ownProcess } = options;
  const speakOfOne = ownProcess === false ? ofProcess : [...ofProcess, ...ofItsEnd];
  return (
    !isBusy &&
    ownProcess !== true &&
    speakOfOne.every((name) => options[name] === undefined) &&
    Object.keys(options.env ?? {}).every((name) => readLate.test(name))
  );
}

/**
 * Runs the built command line in this process, as `node dist/cuervo.cjs` would in another: with
 * words, folder, environment and streams of its own. The exit code is the one it sets.
 * `tests/e2e/both-ways.test.ts` shows that nothing differs.
 */
export async function commandHere(args: readonly string[], options: RunOptions): Promise<Ended> {
  const startedMs = performance.now();
  isBusy = true;
  const ran = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  try {
    using _restored = actAs(args, options, ran);
    await runMain().ended;
    return {
      code: Number(process.exitCode ?? 0),
      stdout: Buffer.concat(ran.stdout).toString(),
      stderr: Buffer.concat(ran.stderr).toString(),
      pid: process.pid,
      durationMs: performance.now() - startedMs,
    };
  } finally {
    isBusy = false;
  }
}

/** Puts what belongs to the command in the place of what belongs to the tests, until disposed. */
function actAs(
  args: readonly string[],
  options: RunOptions,
  ran: Record<'stdout' | 'stderr', Buffer[]>,
): Disposable {
  const { argv, exitCode } = process;
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  const cwd = process.cwd();
  const env = { ...process.env };
  const streams = [process.stdout, process.stderr] as const;
  const listening = streams.map((stream) => stream.listeners('error'));
  const writes = streams.map((stream) => stream.write);
  process.argv = [process.execPath, 'cuervo', ...args];
  process.exitCode = undefined;
  process.chdir(options.cwd);
  replaceEnv({ PATH: env.PATH ?? '', CUERVO_HOME: options.home, ...options.env });
  const given = options.stdin === undefined ? [] : [Buffer.from(options.stdin)];
  Object.defineProperty(process, 'stdin', { value: Readable.from(given), configurable: true });
  process.stdout.write = keepIn(ran.stdout);
  process.stderr.write = keepIn(ran.stderr);
  return {
    [Symbol.dispose]: () => {
      process.argv = argv;
      process.exitCode = exitCode;
      process.chdir(cwd);
      replaceEnv(env);
      Object.defineProperty(process, 'stdin', stdin);
      for (const [at, stream] of streams.entries()) {
        stream.write = writes[at] as typeof stream.write;
        const added = stream.listeners('error').filter((each) => !listening[at]?.includes(each));
        for (const each of added) stream.off('error', each as () => void);
      }
    },
  };
}

function keepIn(chunks: Buffer[]): typeof process.stdout.write {
  return (chunk: string | Uint8Array, ...more: unknown[]) => {
    chunks.push(Buffer.from(chunk as string));
    const written = more.find((each) => typeof each === 'function') as (() => void) | undefined;
    written?.();
    return true;
  };
}

function replaceEnv(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && process.env[name] !== value) process.env[name] = value;
}
