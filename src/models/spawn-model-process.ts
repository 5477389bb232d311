import { getCompileCacheDir } from 'node:module';
import type { Readable } from 'node:stream';
import { spawnChild } from '../lib/spawn-child.ts';

/** Of what a process says on standard error, kept to tell why it ended. */
const stderrTailChars = 2_000;
const reasonChars = 300;

/** A process that holds a model, because native code may take a process along. */
export type ModelProcess = {
  /** what it answers, on the descriptor that was named */
  replies: Readable;
  /** to its standard input; nothing where it has ended */
  writeLine(line: string): void;
  kill(): void;
  /** resolves when it is gone, or could not be started */
  exited: Promise<void>;
};

/** Told of the end of a process, once or twice. */
export type ModelProcessEnd = {
  onStartFailure(thrown: Error): void;
  /** @param how `ended (exit 1): …` with the last it said */
  onEnd(how: string): void;
};

/** @param options.replyFd descriptor that the process answers on */
export function spawnModelProcess(
  options: { nodePath: string; childPath: string; replyFd: number } & ModelProcessEnd,
): ModelProcess {
  const compileCache = getCompileCacheDir();
  const child = spawnChild(options.nodePath, [options.childPath], {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    // The model needs nothing of the user's environment, keys least of all.
    env: compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache },
    // Ctrl+C in a terminal goes to its whole process group; here the kernel decides what ends.
    // A process left behind by a dead kernel ends itself when its standard input does.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const exited = Promise.withResolvers<void>();
  let stderrTail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-stderrTailChars);
  });
  // A process that died is told of by its exit; writing to it in between is no second error.
  child.stdin?.on('error', () => {});
  child.once('error', (thrown) => {
    options.onStartFailure(thrown);
    exited.resolve();
  });
  child.once('close', (code, signal) => {
    const reason = stderrTail.trim().split('\n').at(-1)?.slice(0, reasonChars) ?? '';
    options.onEnd(`ended (${signal ?? `exit ${code}`})${reason === '' ? '' : `: ${reason}`}`);
    exited.resolve();
  });
  return {
    replies: child.stdio[options.replyFd] as Readable,
    writeLine: (line) => void child.stdin?.write(`${line}\n`),
    kill: () => void child.kill('SIGKILL'),
    exited: exited.promise,
  };
}
