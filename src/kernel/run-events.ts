import { exitCodes, KernelError } from '../contracts/error.ts';
import type { RunEvent, UnstampedEvent } from '../contracts/events.ts';
import type { Clock } from '../lib/ids-clock.ts';

/** A run in progress: its id and where its time went. */
export type RunScope = {
  id: string;
  /** milliseconds in which at least one step was running */
  toolMs: number;
  modelMs: number;
  /** a program failed, which is an answer and no error */
  programFailed?: boolean;
};

/** Hints for errors that have none of their own. */
const hints: Readonly<Record<KernelError['code'], string>> = {
  'invalid-argument': 'See the usage with: cuervo help',
  'not-found': 'Check the name in the message.',
  'permission-denied': 'Grant it for one run with --allow, e.g. --allow fs:work',
  'resource-exhausted': 'Ask for less at once; the message names the limit.',
  'deadline-exceeded': 'Give it more time with --timeout SECONDS.',
  canceled: 'Run it again when you like; nothing is left half-done.',
  conflict: 'Read it again and repeat.',
  unavailable: 'Try again, or go on without a model: --model none',
  'tool-failed': 'See what the tools take with: cuervo tools',
  'plugin-fault': 'See what the plugin is with: cuervo plugin list',
  internal: 'This is a bug of cuervo; please report it with the command that shows it.',
};

function errorEvent(error: KernelError): Extract<UnstampedEvent, { type: 'error' }> {
  return { type: 'error', ...errorBody(error) };
}

export function errorBody(error: KernelError): {
  code: KernelError['code'];
  message: string;
  hint: string;
} {
  return { code: error.code, message: error.message, hint: error.hint ?? hints[error.code] };
}

/**
 * Stamps the events of a run, puts `run-finished` at their end, and turns what `body` throws into
 * an `error` event, so that a consumer reads one stream and no exceptions. A consumer that stops
 * reading cancels the run.
 *
 * @param onEnd told how it ended, before `run-finished`
 */
export async function* runEvents(
  scope: RunScope,
  clock: Clock,
  body: () => AsyncGenerator<UnstampedEvent, void, undefined>,
  onEnd: (error: KernelError | undefined) => void,
): AsyncGenerator<RunEvent, void, undefined> {
  const startedMs = clock.nowMs();
  const stamp = (event: UnstampedEvent): RunEvent => {
    const { type, ...rest } = event;
    return { type, ts: clock.nowMs(), run: scope.id, ...rest } as RunEvent;
  };
  let failure: KernelError | undefined;
  let isOver = false;
  try {
    try {
      for await (const event of body()) yield stamp(event);
    } catch (thrown) {
      failure = toKernelError(thrown);
      yield stamp(errorEvent(failure));
    }
    isOver = true;
    try {
      onEnd(failure);
    } catch (thrown) {
      // Report the first failure only: a journal that cannot be closed comes second.
      if (failure === undefined) {
        failure = toKernelError(thrown);
        yield stamp(errorEvent(failure));
      }
    }
  } finally {
    if (!isOver) onEnd(failure ?? new KernelError('canceled', 'the reader of its events stopped'));
  }
  yield stamp({
    type: 'run-finished',
    status: failure?.code ?? 'ok',
    exitCode:
      failure === undefined ? Number(scope.programFailed ?? false) : exitCodes[failure.code],
    durationMs: clock.nowMs() - startedMs,
    toolMs: scope.toolMs,
    modelMs: scope.modelMs,
  });
}

const moreSpace = 'Free some space, or set CUERVO_HOME to a folder on another disk.';

/** The resource that the operating system lacks, by error code, and what to do about it. */
const exhausted: Readonly<Record<string, { lack: string; hint: string }>> = {
  ENOSPC: { lack: 'the disk is full', hint: moreSpace },
  EDQUOT: { lack: 'the quota of this user on the disk is used up', hint: moreSpace },
  EFBIG: { lack: 'the file would be larger than is allowed', hint: moreSpace },
  EMFILE: {
    lack: 'this process has too many files open',
    // Node has raised the soft limit to the hard one already.
    hint: 'Run it where more open files are allowed; see how many are here with: ulimit -Hn',
  },
  ENFILE: {
    lack: 'all programs together have too many files open',
    hint: 'End programs that hold many files open, then run it again.',
  },
  ENOMEM: {
    lack: 'there is no memory left',
    hint: 'End programs that take much memory, or run it where more is allowed; see how much is here with: ulimit -v',
  },
};

/**
 * Any thrown value as an error for people. A refusal of the operating system is not our bug: it is
 * reported with the path and the code, so that a person can fix it.
 */
export function toKernelError(thrown: unknown): KernelError {
  // Parts that did not expect it may have called it a bug already.
  let cause = thrown;
  while (cause instanceof KernelError && cause.code === 'internal') cause = cause.cause;
  if (!isSystemError(cause)) return KernelError.from(thrown, 'internal');
  const { code, path, syscall } = cause;
  const what = path === undefined ? `the system call ${syscall}` : path;
  const limit = exhausted[code];
  if (limit !== undefined) {
    const { lack, hint } = limit;
    const message = `${what} failed: ${lack} (${code})`;
    return new KernelError('resource-exhausted', message, { cause, hint });
  }
  return new KernelError('unavailable', `${what} cannot be used: ${code} at ${syscall}`, {
    cause,
    hint: 'Check what it is and its permissions, or set CUERVO_HOME to another folder.',
  });
}

function isSystemError(
  thrown: unknown,
): thrown is Error & { code: string; syscall: string; path?: string } {
  if (!(thrown instanceof Error)) return false;
  const { code, syscall } = thrown as { code?: unknown; syscall?: unknown };
  return typeof code === 'string' && typeof syscall === 'string';
}
