import type { JobRecord, JobRun } from '../src/index.ts';
import { type Job, minuteMs } from './job.ts';
import { type RunnerPorts, runJob } from './run-job.ts';
import { dueInMs, whyDue } from './why-due.ts';

export type Tick = {
  runs: JobRun[];
  /** until the next job may be due */
  nextMs: number;
};

/** A job that is due by its period and not needed is asked again after this. */
const askAgainMs = 10 * minuteMs;

/** A job that did not fit behind a command gets four times as long behind the next one… */
const growth = 4;
/** …up to this, and what does not fit into it has failed. */
const maxAllowanceMs = 5_000;

/**
 * Runs what is due, one after the other, in the order of `jobs`. A period that was missed many
 * times is made up for once.
 *
 * @param options.budgetMs for all of them, behind a command; absent: each until its deadline
 */
export async function runDueJobs(
  jobs: readonly Job[],
  ports: RunnerPorts,
  options: { budgetMs?: number; onRun?: (run: JobRun) => void } = {},
): Promise<Tick> {
  const { kernel, timing, signal, leaseMs } = ports;
  const { budgetMs, onRun } = options;
  const startMs = timing.passedMs();
  const book = await kernel.jobs.book();
  const runs = book.reap(kernel.jobs.nowMs());
  for (const run of runs) onRun?.(run);
  const records = book.records(
    jobs.map(({ name }) => name),
    kernel.jobs.nowMs(),
  );
  let nextMs = Number.POSITIVE_INFINITY;
  const soon = (ms: number): void => {
    nextMs = Math.min(nextMs, ms);
  };
  for (const [at, job] of jobs.entries()) {
    const record = records[at];
    if (record === undefined || signal.aborted) continue;
    const inMs = dueInMs(job, record, kernel.jobs.nowMs());
    if (inMs > 0) {
      soon(inMs);
      continue;
    }
    const need = job.need === undefined ? '' : await job.need(kernel);
    if (need === undefined) {
      soon(Math.min(job.everyMs, askAgainMs));
      continue;
    }
    const leftMs = (budgetMs ?? Number.POSITIVE_INFINITY) - (timing.passedMs() - startMs);
    if (leftMs <= 0) {
      soon(0);
      continue;
    }
    const why = (found: JobRecord): string | undefined => {
      const reason = whyDue(job, found, kernel.jobs.nowMs());
      return reason === undefined || need === '' ? reason : `${need}; ${reason}`;
    };
    const limit = limitOf(job, record, leftMs, budgetMs);
    const isBehindCommand = budgetMs !== undefined;
    const run = await runJob(job, ports, { limit, isBehindCommand, why });
    if (run === undefined) {
      // another process has it: looked at again when its lease may be over
      soon(leaseMs);
      continue;
    }
    runs.push(run);
    onRun?.(run);
    const [after] = book.records([job.name], kernel.jobs.nowMs());
    if (after !== undefined) soon(dueInMs(job, after, kernel.jobs.nowMs()));
  }
  return { runs, nextMs };
}

function limitOf(
  job: Job,
  { stops }: JobRecord,
  leftMs: number,
  budgetMs: number | undefined,
): { ms: number; of: 'job' | 'command' } {
  if (budgetMs === undefined) return { ms: job.deadlineMs, of: 'job' };
  const allowedMs = stops === 0 ? leftMs : budgetMs * growth ** Math.min(stops, 10);
  if (allowedMs >= job.deadlineMs) return { ms: job.deadlineMs, of: 'job' };
  if (allowedMs >= maxAllowanceMs) return { ms: maxAllowanceMs, of: 'job' };
  return { ms: allowedMs, of: 'command' };
}
