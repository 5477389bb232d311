import type { JobRecord } from '../src/index.ts';
import { hourMs, type Job, minuteMs } from './job.ts';

/** Clocks are set by less than this all the time. */
const clockToleranceMs = minuteMs;
const firstBackoffMs = minuteMs;

/** From the end of the last run to the next: the period, or the pause after failures. */
export function pauseMs(job: Pick<Job, 'everyMs'>, { failures }: JobRecord): number {
  if (failures === 0) return job.everyMs;
  return Math.min(Math.max(job.everyMs, hourMs), firstBackoffMs * 2 ** Math.min(failures - 1, 30));
}

/**
 * Milliseconds until a job is due, 0 when it is. However far the clock was set, a job waits no
 * longer than its pause and runs no more than once for it: the end of a run counts from the clock
 * as it then is, and one that lies in the future is not a reason to wait for it.
 */
export function dueInMs(job: Pick<Job, 'everyMs'>, record: JobRecord, nowMs: number): number {
  if (record.pausedMs !== undefined) return Number.POSITIVE_INFINITY;
  const passedMs = nowMs - record.sinceMs;
  if (passedMs < -clockToleranceMs) return 0;
  return Math.max(0, pauseMs(job, record) - passedMs);
}

/** @returns why a job is due, in words; undefined when it is not */
export function whyDue(
  job: Pick<Job, 'everyMs'>,
  record: JobRecord,
  nowMs: number,
): string | undefined {
  if (dueInMs(job, record, nowMs) > 0) return undefined;
  const passedMs = nowMs - record.sinceMs;
  if (passedMs < 0) return 'the clock was set back since its last run';
  const { failures } = record;
  if (failures > 0) return `try ${failures + 1}, ${spanText(passedMs)} after the last`;
  return `every ${spanText(job.everyMs)}, and ${spanText(passedMs)} have passed`;
}

/** `6 h`, `10 min`, `3 days`. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < minuteMs) return `${Math.round(ms / 1_000)} s`;
  if (ms < 2 * hourMs) return `${Math.round(ms / minuteMs)} min`;
  if (ms < 48 * hourMs) return `${Math.round(ms / hourMs)} h`;
  return `${Math.round(ms / (24 * hourMs))} days`;
}
