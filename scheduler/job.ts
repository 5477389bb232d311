import type { Kernel } from '../src/index.ts';

/** What a run of a job did. */
export type JobReport = {
  /** one sentence */
  summary: string;
  /** a line for each thing, with the reason */
  details?: readonly string[];
};

export type JobContext = {
  /** ms since the Unix epoch, taken when the run began */
  nowMs: number;
  /** fires at the deadline, with an interrupt, and when another process took the job over */
  signal: AbortSignal;
  /** a command has told its answer, and a person waits for the prompt */
  isBehindCommand: boolean;
};

/** A maintenance function with its period. It may be ended anywhere, and then runs again. */
export type Job = {
  name: string;
  /** one line for a person */
  about: string;
  /** between the end of a run and the next one */
  everyMs: number;
  /** time of one run */
  deadlineMs: number;
  /**
   * A job by threshold: asked when its period is over, and cheap.
   *
   * @returns why it has to run, or undefined
   */
  need?(kernel: Kernel): Promise<string | undefined>;
  run(kernel: Kernel, context: JobContext): Promise<JobReport>;
};

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
