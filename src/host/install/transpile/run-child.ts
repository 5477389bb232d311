import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { Confine } from '../../../contracts/confined-program.ts';
import { KernelError } from '../../../contracts/error.ts';
import { killGroup, orphanReaper, signalOf, spawnChild } from '../../../lib/process/child.ts';
import { watchMemory } from '../../../lib/process/watch-memory.ts';
import { coverInherited } from '../../../sandbox/masked-paths.ts';

/** Glue and core modules may take this much together; a QuickJS component makes 2 MB. */
const maxOutputBytes = 128 * 1024 * 1024;

/**
 * Memory of such a process, and of each byte that it reads. A small program for WASI takes 200 MB
 * because of all its imports, our largest engine 12 bytes a byte.
 */
const ownBytes = 320 * 1024 * 1024;
const bytesPerByte = 16;

/** The descriptor after the standard streams. */
const firstInherited = 3;

export type ChildOptions = {
  /** built bundle; its wasm files lie beside it */
  bundle: string;
  confine: Confine;
  args?: readonly string[];
  /** folders of packages that it loads */
  packages?: readonly string[];
  /** of the engine, in place of a limit on its heap */
  flags?: readonly string[];
  timeoutMs: number;
  signal: AbortSignal;
  /** for messages: `transpiling`, `the component cannot be transpiled` */
  doing: string;
  failed: string;
};

/**
 * Runs a program that reads a binary from standard input, confined as a plugin process is: it may
 * read the bundle's folder and nothing else.
 *
 * @returns what it wrote to standard output
 * @throws {KernelError} `plugin-fault` when it fails, writes more than 128 MiB or takes more memory
 *   than a binary of that size needs,
 *   `deadline-exceeded` when that takes longer than `timeoutMs`
 */
export async function runChild(input: Uint8Array, options: ChildOptions): Promise<Buffer> {
  const launch = await options.confine(
    {
      entry: options.bundle,
      flags: options.flags ?? ['--max-old-space-size=1024', '--no-warnings'],
      args: options.args ?? [],
      packages: options.packages ?? [],
    },
    firstInherited,
  );
  const given = launch.inherited.map(() => 'pipe' as const);
  orphanReaper.begin();
  const child = spawnChild(launch.program, launch.args, {
    stdio: coverInherited(['pipe', 'pipe', 'pipe', ...given]),
    env: launch.env,
    cwd: '/',
    detached: true,
  }) as ChildProcessWithoutNullStreams;
  // It reads what a stranger wrote, and may compute for long: watched before it is told what to do.
  orphanReaper.watch(child, 'group');
  for (const [index, bytes] of launch.inherited.entries()) {
    const pipe = (child.stdio as readonly unknown[])[firstInherited + index] as Duplex;
    pipe.on('error', () => {});
    pipe.end(bytes);
  }
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  const kill = (): void => killGroup(child);
  signal.addEventListener('abort', kill, { once: true });
  const maxBytes = ownBytes + bytesPerByte * input.byteLength;
  let isTooLarge = false;
  using _memory = watchMemory(
    child.pid ?? 0,
    maxBytes,
    () => false,
    () => {
      isTooLarge = true;
      kill();
    },
  );
  if (signal.aborted) kill();
  const chunks: Buffer[] = [];
  let size = 0;
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > maxOutputBytes) kill();
    else chunks.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 64 * 1024) stderr += chunk.toString('utf8');
  });
  // The child may end before it has read everything; `close` tells how.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const how = await new Promise<string | undefined>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, by) =>
      resolve(code === 0 ? undefined : `it ended with ${by ?? signalOf(code ?? 0) ?? code}`),
    );
  });
  signal.removeEventListener('abort', kill);
  if (options.signal.aborted) throw KernelError.from(options.signal.reason, 'canceled');
  if (timeout.aborted) {
    const message = `${options.doing} took longer than ${options.timeoutMs} ms (limits.transpile-timeout-ms)`;
    const hint = 'Run it again, or raise limits.transpile-timeout-ms in config.toml.';
    throw new KernelError('deadline-exceeded', message, { hint });
  }
  if (size > maxOutputBytes) {
    const message = `${options.doing} gives more than ${maxOutputBytes} bytes`;
    throw new KernelError('plugin-fault', message);
  }
  if (isTooLarge) {
    const message = `${options.failed}: it took more than ${maxBytes} bytes of memory`;
    throw new KernelError('plugin-fault', message);
  }
  if (how !== undefined) {
    throw new KernelError('plugin-fault', `${options.failed}: ${firstReason(stderr) ?? how}`);
  }
  return Buffer.concat(chunks);
}

/** The lines of a crash report that say why, without stack and paths. */
function firstReason(stderr: string): string | undefined {
  // Numbered where there are several: the last is the true one, those before it say of what.
  const causes = /Caused by:\n((?:\s+\d+: [^\n]+\n)+)/.exec(stderr)?.[1];
  const line =
    causes
      ?.replace(/^\s*\d+: /gm, '')
      .trim()
      .replaceAll('\n', ': ') ??
    /Caused by:\s*([^\n]+)/.exec(stderr)?.[1] ??
    /(?:ComponentError|Error|panicked at[^\n]*\n?)[:\s]+([^\n]+)/.exec(stderr)?.[1] ??
    /(panicked[^\n]*)/.exec(stderr)?.[1];
  return line?.trim().slice(0, 300);
}
