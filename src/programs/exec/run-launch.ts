import type { ChildProcess, IOType } from 'node:child_process';
import { closeSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { type HostCaller, ServiceError } from '../../contracts/host-service.ts';
import type { OutputSink } from '../../contracts/kept-outputs.ts';
import { toBytes } from '../../lib/files/raw-fs.ts';
import { orphanReaper, spawnChild } from '../../lib/process/child.ts';
import { onAbort } from '../../lib/signals.ts';
import { holdBytes } from '../../sandbox/launch-bubblewrap.ts';
import { coverInherited } from '../../sandbox/masked-paths.ts';
import type { ExecLimits } from './launch-scripts.ts';
import type { ProcessCgroup } from './process-cgroup.ts';
import { createOutputCollector, createOutputTeller } from './program-output.ts';
import type { RootSurvey } from './survey-root.ts';
import { signalDescendants, watchTree } from './watch-tree.ts';

/** A granted root, with what in it is kept from programs. */
export type SurveyedRoot = { name: string; folder: string; survey: RootSurvey };

/** A run of an allowed program: its arguments, place, limits and caller. */
export type ProgramRun = {
  program: string;
  args: readonly string[];
  cwd: string;
  stdin: string | undefined;
  timeoutMs: number;
  maxOutputBytes: number;
  readOnly: boolean;
  origins: readonly string[];
  /** hosts that the built-in plugin `git` may log in to */
  sshHosts?: readonly string[];
  /** of `Authority` */
  filters?: readonly string[];
  repositories?: readonly string[];
  folders: Readonly<Record<string, string>>;
  caller: HostCaller;
};

/** How a program is started, with or without a sandbox around it. */
export type Launch = {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** options of bubblewrap, handed over beside the vector; it then reports on descriptor 3 */
  bwrapOptions?: readonly string[];
  /** read by bubblewrap from descriptor 5 */
  filter?: Buffer | undefined;
  /**
   * open descriptors that bubblewrap mounts, from `firstPinned` on; the program does not get them
   */
  pinned?: readonly number[];
  /** nothing but the kernel holds the number of its processes down */
  countedByKernel?: boolean;
  /** that it enters */
  cgroup?: ProcessCgroup | undefined;
  /** ends what a process group does not hold; called before the group is killed */
  beforeKill?(child: ChildProcess): void;
};

/** `output` of `wit/host/host.wit`. */
export type ProgramOutput = {
  exitCode?: number;
  signal?: string;
  stdout: string;
  stderr: string;
  truncated: boolean;
  durationMs: number;
};

const statusDescriptor = 3;
const optionsDescriptor = 4;
export const firstPinned = 6;

/** Without a sandbox a process may have left the group, and hold the outputs open. */
const strayGraceMs = 500;

/**
 * Runs a program to its end. Whatever ends it, all of its processes are gone when this returns.
 *
 * @param run.shown how the program is called in a message
 * @throws {ServiceError} `timeout`, `limit` for too many processes or too much memory, `io` when
 *   it did not start
 */
export async function runLaunch(
  launch: Launch,
  run: {
    shown: string;
    stdin: string | undefined;
    timeoutMs: number;
    maxOutputBytes: number;
    limits: ExecLimits;
    signal: AbortSignal;
    /** gets what is printed last, for who waits */
    tell?: ((line: string) => void) | undefined;
    /** gets all of a long output; ended here */
    sink?: OutputSink | undefined;
  },
): Promise<ProgramOutput> {
  const startedMs = performance.now();
  let failure: ServiceError | undefined;
  const fail = (error: ServiceError): void => {
    failure ??= error;
    started.kill();
  };
  const started = startLaunch(launch, {
    limits: run.limits,
    hasInput: run.stdin !== undefined,
    onExcess: (reason) => fail(new ServiceError('limit', `${run.shown} used ${reason}`)),
  });
  const { child, kill } = started;
  let grace: NodeJS.Timeout | undefined;
  /** A program that only took too long may put its things in order first. */
  const stop = (error: ServiceError): void => {
    failure ??= error;
    if (grace !== undefined) return;
    started.terminate();
    grace = setTimeout(kill, run.limits.graceMs);
  };

  let flooded = false;
  const onFlood = (): void => {
    flooded = true;
    kill();
  };
  const output = createOutputCollector(run.maxOutputBytes, onFlood, run.sink);
  const teller = run.tell === undefined ? undefined : createOutputTeller(run.tell);
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk: Buffer) => {
      output.take(stream, chunk);
      teller?.(chunk);
    });
  }
  if (run.stdin !== undefined) child.stdin?.end(run.stdin);
  const timer = setTimeout(
    () => stop(new ServiceError('timeout', `${run.shown} took longer than ${run.timeoutMs} ms`)),
    run.timeoutMs,
  );
  const forget = onAbort(run.signal, () =>
    stop(new ServiceError('timeout', `${run.shown} was stopped with the call that started it`)),
  );
  try {
    const end = await started.ended;
    const excess = launch.cgroup?.findExcess();
    if (excess !== undefined) throw new ServiceError('limit', `${run.shown} used ${excess}`);
    if (failure !== undefined) throw failure;
    const sandboxed = launch.bwrapOptions !== undefined;
    const code = sandboxed ? started.exitCode() : (end.code ?? undefined);
    if (end.error !== undefined || (sandboxed && code === undefined && !flooded)) {
      // Messages of bubblewrap name paths of the host; the person has the doctor.
      throw new ServiceError('io', `${run.shown} did not start; cuervo doctor says why`);
    }
    const durationMs = performance.now() - startedMs;
    const how = flooded ? { signal: 'SIGKILL' } : endOf(code, end.signal);
    return { ...how, ...output.end(), durationMs };
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    forget();
    run.sink?.end();
  }
}

/** A program that was started: its own streams, and how all of its processes are ended. */
export type StartedLaunch = {
  child: ChildProcess;
  /** Ends all of its processes at once. */
  kill(): void;
  /** Asks them to end. */
  terminate(): void;
  /** resolves when all of them are gone */
  ended: Promise<End>;
  /** as the sandbox reports it; undefined before its end, and where there is no sandbox */
  exitCode(): number | undefined;
};

/** @param options.onExcess called once, with what it used too much of; it goes on until it is ended */
export function startLaunch(
  launch: Launch,
  options: { limits: ExecLimits; hasInput: boolean; onExcess(reason: string): void },
): StartedLaunch {
  let status: SandboxStatus = {};
  let stopWatching = (): void => {};
  const given = givenToBubblewrap(launch);
  orphanReaper.begin();
  const child = startHolding(given, () =>
    spawnChild(launch.file, launch.args, {
      stdio: stdioOf(launch, given, options.hasInput),
      env: launch.env,
      cwd: launch.cwd,
      // A group and a session of its own: no terminal, and one kill for all that stay in it.
      detached: true,
    }),
  );
  if (launch.countedByKernel === true) yieldToKernel(child);
  // A sandbox ends with the kernel only when it stands.
  orphanReaper.watch(child, 'group');
  const kill = (): void => killTree(child, status.init, launch);
  for (const stream of child.stdio) stream?.on('error', () => {});
  if (launch.bwrapOptions !== undefined) {
    for (const [index, what] of given.entries()) {
      const pipe = (child.stdio as readonly unknown[])[optionsDescriptor + index];
      if (typeof what !== 'number') (pipe as Writable).end(what);
    }
    readStatus(child.stdio[statusDescriptor] as Readable, (read) => {
      status = { ...status, ...read };
      if (read.init === undefined) return;
      stopWatching = watchTree(read.init, options.limits, options.onExcess);
    });
  }
  return {
    child,
    kill,
    terminate: () => terminateTree(child, status.init, launch),
    ended: ended(child, launch, kill).finally(() => stopWatching()),
    exitCode: () => status.exitCode,
  };
}

/** The kernel must not be starved by what it counts. */
function yieldToKernel({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already.
  }
}

type SandboxStatus = { init?: number; exitCode?: number };

/** Options that bubblewrap reads from `optionsDescriptor` on: a descriptor, or bytes for a pipe. */
type Given = number | Uint8Array;

function givenToBubblewrap({ bwrapOptions, filter }: Launch): Given[] {
  if (bwrapOptions === undefined) return [];
  const read = [toBytes(`${bwrapOptions.join('\0')}\0`), ...(filter ? [filter] : [])];
  return read.map(holdBytes);
}

/** The child has its own of what is held for it. */
function startHolding<Child>(given: readonly Given[], start: () => Child): Child {
  try {
    return start();
  } finally {
    for (const what of given) if (typeof what === 'number') closeSync(what);
  }
}

function stdioOf(launch: Launch, given: readonly Given[], hasInput: boolean): (IOType | number)[] {
  const stdio: (IOType | number)[] = [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'];
  if (launch.bwrapOptions !== undefined) stdio.push('pipe');
  stdio.push(...given.map((what) => (typeof what === 'number' ? what : 'pipe')));
  if (launch.pinned !== undefined) {
    while (stdio.length < firstPinned) stdio.push('ignore');
    stdio.push(...launch.pinned);
  }
  return coverInherited(stdio);
}

/** Lines of JSON: the first process when it is there, the exit code when it has ended. */
function readStatus(stream: Readable, onStatus: (status: SandboxStatus) => void): void {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const init = /"child-pid":\s*(\d+)/.exec(line)?.[1];
      const exitCode = /"exit-code":\s*(\d+)/.exec(line)?.[1];
      if (init !== undefined) onStatus({ init: Number(init) });
      if (exitCode !== undefined) onStatus({ exitCode: Number(exitCode) });
    }
  });
}

type End = { code: number | null; signal: NodeJS.Signals | null; error?: Error };

/** When the program itself has ended; what it left running is ended, too. */
function ended(child: ChildProcess, launch: Launch, kill: () => void): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('close', (code, signal) => resolve({ code, signal }));
    // With bubblewrap all processes of its namespace have ended before this event.
    if (launch.bwrapOptions !== undefined) return;
    child.once('exit', () => {
      kill();
      const close = (): void => {
        for (const stream of child.stdio) stream?.destroy();
      };
      setTimeout(close, strayGraceMs).unref();
    });
  });
}

/** Asks all of them to end; one that has not started yet has nothing to put in order. */
function terminateTree(child: ChildProcess, init: number | undefined, launch: Launch): void {
  if (launch.bwrapOptions === undefined) {
    signalDescendants(child.pid, 'SIGTERM');
    if (child.pid !== undefined) tryKill(-child.pid, 'SIGTERM');
  } else if (init === undefined) killTree(child, init, launch);
  // The processes of bubblewrap itself stay, because all others end with them.
  else signalDescendants(init, 'SIGTERM');
}

function killTree(child: ChildProcess, init: number | undefined, launch: Launch): void {
  if (child.pid === undefined) return;
  launch.beforeKill?.(child);
  // The first process of a namespace takes all others in it along.
  if (init !== undefined) tryKill(init);
  tryKill(-child.pid);
}

function tryKill(pid: number, signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

/** Inside a sandbox a shell's convention stands for the signal: 128 and its number. */
function endOf(
  code: number | undefined,
  signal: NodeJS.Signals | null,
): { exitCode: number } | { signal: string } {
  if (signal !== null) return { signal };
  const named = Object.entries(constants.signals).find(([, number]) => number + 128 === code);
  return named === undefined ? { exitCode: code ?? 0 } : { signal: named[0] };
}
