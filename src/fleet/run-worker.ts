import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, KernelError } from '../contracts/error.ts';
import type { BegunJob, FinishedJob, TakenJob } from '../contracts/fleet.ts';
import { type FleetQueue, maxAttempts } from './open-queue.ts';

/** Where a test ends the process. */
export type WorkerPoint =
  | 'taken'
  | 'begun'
  | 'worked'
  | 'ended'
  | 'before-renewal'
  | 'after-renewal'
  | 'before-give-back'
  | 'after-give-back';

export type WorkerOptions = {
  queue: FleetQueue;
  /** name of this worker in results */
  name: string;
  /** jobs at once */
  slots: number;
  leaseSeconds: number;
  /** Does one job. The signal fires when the lease is lost or the run is canceled. */
  work(job: TakenJob, begun: BegunJob, signal: AbortSignal): Promise<FinishedJob>;
  /** ends the worker: what it began is finished first */
  signal: AbortSignal;
  onEnd?(job: TakenJob, finished: FinishedJob): void;
  /** one sentence for the log */
  onNote?(text: string): void;
  /** called when the queue has nothing to take */
  onIdle?: (() => Promise<void>) | undefined;
  /** how often an empty queue is looked at */
  idleMs?: number;
  at?(point: WorkerPoint): void;
};

/** Failures that another try, or another worker, would not meet. */
const lasting: ReadonlySet<ErrorCode> = new Set([
  'invalid-argument',
  'not-found',
  'permission-denied',
  'conflict',
]);

/** How often a job asks again for a share of a budget that others hold. */
const budgetMs = 1_000;

/**
 * Takes jobs until the signal fires, then finishes those that it began.
 *
 * @throws {KernelError} `unavailable` where the database is away for too long, or belongs to
 *   another version
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { slots, signal } = options;
  // One slot that fails ends the others as a signal would.
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const ended = await Promise.allSettled(
    Array.from({ length: slots }, async () => {
      try {
        await runSlot(options, stop);
      } catch (thrown) {
        failed.abort();
        throw thrown;
      }
    }),
  );
  const broken = ended.find((each) => each.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
}

async function runSlot(options: WorkerOptions, stop: AbortSignal): Promise<void> {
  const { queue, idleMs = 1_000 } = options;
  let checkedMs = Number.NEGATIVE_INFINITY;
  while (!stop.aborted) {
    if (performance.now() - checkedMs > 5_000) {
      await queue.check();
      checkedMs = performance.now();
    }
    const job = await queue.take();
    if (job !== undefined) {
      await runJob(job, options);
      continue;
    }
    await options.onIdle?.();
    await sleep(idleMs, undefined, { signal: stop }).catch(() => {});
  }
}

async function runJob(job: TakenJob, options: WorkerOptions): Promise<void> {
  const { queue, name, leaseSeconds, at = () => {}, onNote = () => {} } = options;
  at('taken');
  const lost = new AbortController();
  await using _ = renewing(job, { queue, leaseSeconds, lost, at });
  const end = async (finished: FinishedJob): Promise<void> => {
    if (await queue.end(job, name, finished)) options.onEnd?.(job, finished);
    else onNote(`${job.repository}: another worker took this job, and this result is dropped`);
    at('ended');
  };
  if (job.retries >= maxAttempts) {
    const why = `set aside: its worker was lost or it failed ${job.retries} times`;
    await end(failedWith(new KernelError('unavailable', why)));
    return;
  }
  const startedMs = performance.now();
  for (;;) {
    const begun = await queue.begin(job, name);
    if (begun.state === 'waiting') {
      await sleep(budgetMs);
      if (lost.signal.aborted) return;
      continue;
    }
    if (begun.state === 'canceled') return;
    if (begun.state === 'unknown') {
      await end({ ...failedWith(new KernelError('unavailable', unknownText)), outcome: 'unknown' });
      return;
    }
    if (begun.state === 'spent') {
      await end(failedWith(new KernelError('resource-exhausted', begun.why)));
      return;
    }
    at('begun');
    let finished: FinishedJob;
    try {
      finished = await options.work(job, begun, lost.signal);
    } catch (thrown) {
      finished = failedWith(KernelError.from(thrown, 'internal'));
    }
    if (lost.signal.aborted) {
      onNote(`${job.repository}: the job was canceled, or its lease was lost`);
      return;
    }
    at('worked');
    if (mayRetry(job, begun, finished)) {
      at('before-give-back');
      await queue.giveBack(job, finished.summary, finished.used);
      at('after-give-back');
      onNote(`${job.repository}: ${finished.summary} (attempt ${job.retries + 1})`);
      return;
    }
    await end({ ...finished, durationMs: performance.now() - startedMs });
    return;
  }
}

const unknownText =
  'its worker was lost while an effect outside of the workspace may have happened; look before you repeat it';

/** What may have had an effect outside is not done again by itself, whatever its error. */
function mayRetry(job: TakenJob, { work, share }: BegunJob, finished: FinishedJob): boolean {
  const isExternal = work.kind === 'run' && work.external;
  if (finished.outcome !== 'failed' || isExternal) return false;
  const { code } = finished;
  // What used up its share of a budget would use up another one.
  const isSpent = code === 'resource-exhausted' && Object.keys(share).length > 0;
  const isLasting = isSpent || (code !== undefined && lasting.has(code));
  return !isLasting && job.retries + 1 < maxAttempts;
}

/** A job without a result. */
export function failedWith(error: KernelError): FinishedJob {
  return {
    outcome: 'failed',
    code: error.code,
    summary: error.message,
    content: '',
    evidence: [],
    commit: '',
    patch: new Uint8Array(),
    journal: new Uint8Array(),
    used: { tokens: 0, usd: 0 },
    durationMs: 0,
  };
}

/**
 * Renews the lease of a job until it is disposed. It fires `lost` when another worker may have the
 * job: measured from before the last renewal that went through, by a clock that nobody sets.
 */
function renewing(
  job: TakenJob,
  {
    queue,
    leaseSeconds,
    lost,
    at,
  }: Pick<WorkerOptions, 'queue' | 'leaseSeconds'> & {
    lost: AbortController;
    at(point: WorkerPoint): void;
  },
): AsyncDisposable {
  const ended = new AbortController();
  const everyMs = (leaseSeconds * 1000) / 3;
  let renewedMs = performance.now();
  const overdue = setInterval(() => {
    if (performance.now() - renewedMs > leaseSeconds * 1000) lost.abort();
  }, 1_000);
  const done = (async (): Promise<void> => {
    for (;;) {
      await sleep(everyMs, undefined, { signal: ended.signal }).catch(() => {});
      if (ended.signal.aborted || lost.signal.aborted) return;
      at('before-renewal');
      const startedMs = performance.now();
      const isOurs = await queue.renew(job).catch(() => undefined);
      if (isOurs === true) renewedMs = startedMs;
      if (isOurs === false) lost.abort();
      at('after-renewal');
    }
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      clearInterval(overdue);
      await done;
    },
  };
}
