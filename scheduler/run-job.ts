import { randomBytes } from 'node:crypto';
import {
  type JobBook,
  type JobOutcome,
  type JobRecord,
  type JobRun,
  type Kernel,
  KernelError,
} from '../src/index.ts';
import type { Job, JobReport } from './job.ts';
import { systemTiming, type Timing } from './timing.ts';
import { spanText } from './why-due.ts';

export type RunnerPorts = {
  kernel: Kernel;
  timing: Timing;
  /** an interrupt: what runs is canceled, and nothing more is started */
  signal: AbortSignal;
  /** jobs of this process that did not end at their deadline and still work; shared by its runs */
  stuck: Set<string>;
  /** how long a lease outlives a process that dies */
  leaseMs: number;
};

/** A lease is renewed when a third of it has passed. */
export const defaultLeaseMs = 30_000;

/** What one command or one scheduler runs its jobs with; `stuck` is shared by all of its runs. */
export function runnerPorts(
  kernel: Kernel,
  { signal, timing = systemTiming }: { signal: AbortSignal; timing?: Timing },
): RunnerPorts {
  return { kernel, timing, signal, stuck: new Set(), leaseMs: defaultLeaseMs };
}

/**
 * A job that hears of its end has this long to come to it. Behind a command, too: a call into a
 * library that cannot be ended keeps the process from ending anyway.
 */
const graceMs = 1_000;

/** The part of a report that the log keeps. */
const maxDetails = 100;

type Limit = {
  ms: number;
  /** of the job itself, or of the time there is after a command */
  of: 'job' | 'command';
};

type Ending = { outcome: JobOutcome; report: JobReport };

/**
 * Runs one job under its lease, and ends it when its time is over. Whatever it throws is in the
 * log and not thrown.
 *
 * @param why looked at when the lease is taken; undefined: the job is not due any more
 * @returns undefined when it is not due, held by another process, or still at a run it should have ended
 */
export async function runJob(
  job: Job,
  ports: RunnerPorts,
  options: {
    limit: Limit;
    isBehindCommand?: boolean;
    why(record: JobRecord): string | undefined;
  },
): Promise<JobRun | undefined> {
  const { kernel, timing, leaseMs, stuck } = ports;
  if (stuck.has(job.name)) return undefined;
  const book = await kernel.jobs.book();
  const holder = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const nowMs = kernel.jobs.nowMs();
  const seq = book.claim({ job: job.name, holder, leaseMs, nowMs, why: options.why });
  if (seq === undefined) return undefined;

  const ended = new AbortController();
  const aborted = new AbortController();
  const signal = AbortSignal.any([ports.signal, aborted.signal]);
  const { isBehindCommand = false } = options;
  const work = start(job, kernel, { nowMs, signal, isBehindCommand });
  const settled = { is: false };
  void work.finally(() => {
    settled.is = true;
  });
  void renewLease(job.name, { book, holder, leaseMs, timing, aborted, ended: ended.signal });
  try {
    const ending = await awaitEnd(job, work, { timing, signal, aborted, limit: options.limit });
    const { summary, details = [] } = ending.report;
    const keepLease = !settled.is;
    if (keepLease) {
      stuck.add(job.name);
      void work.finally(() => {
        stuck.delete(job.name);
        releaseQuietly(book, job.name, holder);
      });
    }
    return book.finish(seq, holder, {
      outcome: ending.outcome,
      nowMs: kernel.jobs.nowMs(),
      summary,
      details: details.slice(0, maxDetails),
      keepLease,
    });
  } finally {
    ended.abort();
  }
}

/** The job's work as something that never rejects. */
async function start(
  job: Job,
  kernel: Kernel,
  context: Parameters<Job['run']>[1],
): Promise<{ report: JobReport } | { error: KernelError }> {
  try {
    return { report: await job.run(kernel, context) };
  } catch (thrown) {
    return { error: KernelError.from(thrown, 'internal') };
  }
}

async function awaitEnd(
  job: Job,
  work: ReturnType<typeof start>,
  {
    timing,
    signal,
    aborted,
    limit,
  }: { timing: Timing; signal: AbortSignal; aborted: AbortController; limit: Limit },
): Promise<Ending> {
  const over = new AbortController();
  const first = await Promise.race([
    work,
    timing.wait(limit.ms, AbortSignal.any([signal, over.signal])),
  ]);
  over.abort();
  const timedOut = first === undefined && !signal.aborted;
  if (timedOut) {
    const message = `${job.name} did not end within ${spanText(limit.ms)}`;
    aborted.abort(new KernelError('deadline-exceeded', message));
  }
  const graceOver = new AbortController();
  const result = first ?? (await Promise.race([work, timing.wait(graceMs, graceOver.signal)]));
  graceOver.abort();
  if (result !== undefined && 'report' in result) return { outcome: 'done', report: result.report };
  if (!signal.aborted) return { outcome: 'failed', report: { summary: failure(result?.error) } };
  const reason = KernelError.from(signal.reason, 'canceled');
  const left = result === undefined ? ', and it ignores the signal to stop' : '';
  return { outcome: outcomeOf(reason, limit), report: { summary: `${reason.message}${left}` } };
}

function outcomeOf(reason: KernelError, limit: Limit): JobOutcome {
  if (reason.code === 'conflict') return 'failed';
  if (reason.code !== 'deadline-exceeded') return 'canceled';
  return limit.of === 'command' ? 'stopped' : 'timed-out';
}

function failure(error: KernelError | undefined): string {
  return error === undefined ? 'it failed' : `${error.code}: ${error.message}`;
}

/** Until the run is over, or the lease was taken by another, who must not work beside this one. */
async function renewLease(
  job: string,
  ports: {
    book: JobBook;
    holder: string;
    leaseMs: number;
    timing: Timing;
    aborted: AbortController;
    ended: AbortSignal;
  },
): Promise<void> {
  const { book, holder, leaseMs, timing, aborted, ended } = ports;
  for (;;) {
    await timing.wait(leaseMs / 3, AbortSignal.any([ended, aborted.signal]));
    if (ended.aborted || aborted.signal.aborted) return;
    try {
      if (book.renew(job, holder, leaseMs)) continue;
      aborted.abort(new KernelError('conflict', `another process took over ${job}`));
    } catch {
      // The store is busy or full: the lease has two more thirds, and whoever ends the run will say.
    }
  }
}

function releaseQuietly(book: JobBook, job: string, holder: string): void {
  try {
    book.release(job, holder);
  } catch {
    // The store is closed by now: the lease runs out by itself.
  }
}
