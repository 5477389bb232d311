import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../../support/compile-cache.ts';

/** A program of this folder in a process of its own, as far as a test looks at it. */
export type Child = {
  process: ChildProcess;
  /** resolves with the text so far once `text` was printed; rejects if the child ends before */
  printed(text: string): Promise<string>;
  /** resolves with everything printed to both streams when the child has ended */
  ended: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>;
};

/** @param command what runs the program; Node itself unless given, e.g. a shell that sets a limit */
export function runChild(
  program: string,
  args: readonly string[],
  command?: readonly string[],
): Child {
  const [file, ...before] = command ?? [process.execPath];
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(file!, [...before, path, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A limit or another file system is not for this cache.
    env: { ...process.env, ...(command === undefined ? compileCache : {}) },
  });
  const text = { stdout: '', stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.stderr += chunk;
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.stdout += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    ...text,
  }));
  const printed = (wanted: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (!text.stdout.includes(wanted)) return;
        child.stdout.off('data', look);
        resolve(text.stdout);
      };
      child.stdout.on('data', look);
      look();
      child.once('close', () =>
        reject(new Error(`child ended first: ${text.stdout}${text.stderr}`)),
      );
    });
  return { process: child, printed, ended };
}
