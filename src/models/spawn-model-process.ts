import type { Duplex, Readable } from 'node:stream';
import type { Confine } from '../contracts/confined-program.ts';
import { KernelError } from '../contracts/error.ts';
import { killGroup, orphanReaper, signalOf, spawnChild } from '../lib/process/child.ts';
import { watchMemory } from '../lib/process/watch-memory.ts';
import { untilAborted } from '../lib/signals.ts';

/** The most characters of standard error that are kept to explain why a process ended. */
const stderrTailChars = 4_000;
const reasonChars = 300;

/** A process that holds a model, because native code may take a process along. */
export type ModelProcess = {
  /** what it answers, on the descriptor that was named */
  replies: Readable;
  /** to its standard input; nothing where it has ended */
  writeLine(line: string): void;
  kill(): void;
  /** the path under which the process sees this path */
  find(path: string): string;
  /** resolves when it is gone, or could not be started */
  exited: Promise<void>;
};

/** Told of the end of a process, once or twice. */
export type ModelProcessEnd = {
  onStartFailure(thrown: Error): void;
  /** @param how `ended (exit 1): …` with the last it said */
  onEnd(how: string): void;
};

export type ModelProgram = {
  /** its built bundle, or `child.ts` of its folder */
  childPath: string;
  /** folders of packages that it loads */
  packages?: readonly string[];
  /** the model's files, the only ones that the process sees */
  reads: { folder: string; files: readonly string[] };
  /** the one folder that it may write in */
  writes?: string;
  /** beside what is mapped from files; it is ended above that. Absent: no limit */
  maxMemoryBytes?: number;
  confine: Confine;
};

/** The JavaScript heap, for templates of a model's file and its tokenizer; weights are outside. */
const maxHeapMiB = 1024;

/** Descriptor 3 carries the answers; inherited descriptors follow. */
const firstInherited = 4;

/**
 * Starts a process that is confined to its model, since its native code reads a stranger's file. It
 * gets no device and computes on the CPU.
 *
 * @returns and how it finds a path of the model
 * @throws {KernelError} as `Confine`
 */
export async function spawnModelProcess(
  { childPath, packages = [], reads, writes, maxMemoryBytes, confine }: ModelProgram,
  options: { replyFd: number } & ModelProcessEnd,
): Promise<ModelProcess> {
  const flags = ['--no-warnings', `--max-old-space-size=${maxHeapMiB}`];
  const written = writes === undefined ? {} : { writes };
  const program = { entry: childPath, flags, packages, reads, ...written, isNative: true };
  const launch = await confine(program, firstInherited);
  const given = launch.inherited.map(() => 'pipe' as const);
  orphanReaper.begin();
  const child = spawnChild(launch.program, launch.args, {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe', ...given],
    // The model needs nothing of the user's environment, keys least of all.
    env: launch.env,
    cwd: '/',
    // Ctrl+C in a terminal goes to its whole process group; here the kernel decides what ends.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  // A process that computes never sees the end of its input, so it is watched from the start.
  orphanReaper.watch(child, 'group');
  for (const [index, bytes] of launch.inherited.entries()) {
    const pipe = (child.stdio as readonly unknown[])[firstInherited + index] as Duplex;
    pipe.on('error', () => {});
    pipe.end(bytes);
  }
  let excess: string | undefined;
  const memory =
    child.pid === undefined || maxMemoryBytes === undefined
      ? undefined
      : watchMemory(
          child.pid,
          maxMemoryBytes,
          () => true,
          () => {
            excess = `took more than ${maxMemoryBytes} bytes of memory and was ended`;
            killGroup(child);
          },
        );
  const exited = Promise.withResolvers<void>();
  let stderrTail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-stderrTailChars);
  });
  // The exit reports a process that died; a write in between is not a second error.
  child.stdin?.on('error', () => {});
  child.once('error', (thrown) => {
    options.onStartFailure(thrown);
    exited.resolve();
  });
  child.once('close', (code, signal) => {
    memory?.[Symbol.dispose]();
    // Node says what was fatal ahead of a list of addresses.
    const fatal = /^FATAL ERROR: (.+)$/m.exec(stderrTail)?.[1];
    const said = fatal ?? stderrTail.trim().split('\n').at(-1) ?? '';
    const reason = said.slice(0, reasonChars);
    options.onEnd(
      excess ??
        `ended (${signal ?? signalOf(code ?? 0) ?? `exit ${code}`})${reason === '' ? '' : `: ${reason}`}`,
    );
    exited.resolve();
  });
  return {
    replies: child.stdio[options.replyFd] as Readable,
    writeLine: (line) => void child.stdin?.write(`${line}\n`),
    kill: () => killGroup(child),
    find: launch.find,
    exited: exited.promise,
  };
}

/** A model process that hangs at its start costs a question that time once, not at every search. */
const restMs = 60_000;

/**
 * Keeps one model process. The first use starts it, and the next use after its end starts it again.
 * Within a minute after a failed start a use throws the same error.
 *
 * @param name of the model, for messages
 * @param start its signal fires when nobody waits for the process any more
 * @param first one that runs already
 */
export function keepProcess<Process extends AsyncDisposable & { readonly alive: boolean }>(
  name: string,
  start: (signal: AbortSignal) => Promise<Process>,
  first?: Process,
): { live(signal?: AbortSignal): Promise<Process>; dispose(): Promise<void> } {
  let running = first === undefined ? undefined : (async () => first)();
  let failed: { thrown: unknown; atMs: number } | undefined;
  const closing = new AbortController();
  const startAgain = async (): Promise<Process> => {
    if (failed !== undefined && performance.now() - failed.atMs < restMs) throw failed.thrown;
    try {
      return await start(closing.signal);
    } catch (thrown) {
      failed = { thrown, atMs: performance.now() };
      throw thrown;
    }
  };
  return {
    live: (signal) => {
      const previous = running;
      const next = (async () => {
        if (closing.signal.aborted)
          throw new KernelError('unavailable', `the model ${name} is closed`);
        const found = await previous?.catch(() => undefined);
        return found?.alive ? found : await startAgain();
      })();
      next.catch(() => {}); // whoever asks gets the error
      running = next;
      return signal === undefined ? next : untilAborted(next, signal);
    },
    dispose: async () => {
      closing.abort();
      // A process that failed to start has nothing left to close.
      const found = await running?.catch(() => undefined);
      await found?.[Symbol.asyncDispose]();
    },
  };
}
