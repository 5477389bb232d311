import { exitCodes, KernelError } from '../contracts/error.ts';
import type { RunEvent, UnstampedEvent } from '../contracts/events.ts';
import type { Clock } from '../lib/ids-clock.ts';
import { toKernelError } from './to-kernel-error.ts';

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
