import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type JobRun, type Kernel, type KernelError, openKernel } from '../src/index.ts';
import { createVirtualTime } from '../tests/fixtures/virtual-time.ts';
import { hourMs, type Job, minuteMs } from './job.ts';
import { runScheduler } from './run-scheduler.ts';

const startMs = Date.UTC(2026, 0, 1);
const yearMs = 365 * 24 * hourMs;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const jobOf = (over: Partial<Job> = {}): Job => ({
  name: 'a',
  about: '',
  everyMs: 6 * hourMs,
  deadlineMs: minuteMs,
  run: async () => ({ summary: 'did it' }),
  ...over,
});

/** A scheduler that runs until `end`. */
async function openScheduler(jobs: readonly Job[], hinder?: (kernel: Kernel) => Kernel) {
  const home = mkdtempSync(join(tmpdir(), 'cuervo-scheduler-'));
  folders.push(home);
  const time = createVirtualTime(startMs);
  const kernel = await openKernel({ home, workspace: home, clock: time.clock });
  await kernel.jobs.book();
  const runs: JobRun[] = [];
  const errors: KernelError[] = [];
  const controller = new AbortController();
  const ended = runScheduler(hinder?.(kernel) ?? kernel, {
    signal: controller.signal,
    onRun: (run) => runs.push(run),
    onError: (error) => errors.push(error),
    jobs,
    timing: time.timing,
  });
  await time.pass(0);
  const end = async (): Promise<void> => {
    controller.abort(new Error('interrupted'));
    await ended;
    expect(time.waiting()).toEqual([]);
    await kernel[Symbol.asyncDispose]();
  };
  return { time, runs, errors, end };
}

describe('runScheduler()', () => {
  it('has one timer between jobs, to the next one', async () => {
    const { time, runs, end } = await openScheduler([
      jobOf({ everyMs: 10 * minuteMs }),
      jobOf({ name: 'b', everyMs: 14 * minuteMs }),
    ]);
    expect(time.waiting()).toEqual([10 * minuteMs]);
    await time.pass(10 * minuteMs);
    expect(runs.map(({ job }) => job)).toEqual(['a']);
    expect(time.waiting()).toEqual([4 * minuteMs]);
    await time.pass(4 * minuteMs);
    expect(runs.map(({ job }) => job)).toEqual(['a', 'b']);
    expect(time.waiting()).toEqual([6 * minuteMs]);
    await end();
  });

  it('looks again after a quarter of an hour when every job is far away', async () => {
    const { time, end } = await openScheduler([jobOf()]);
    expect(time.waiting()).toEqual([15 * minuteMs]);
    await end();
  });

  it('runs each job once in each period, whatever the clock is set to', async () => {
    const { time, runs, end } = await openScheduler([jobOf()]);
    await time.pass(24 * hourMs);
    expect(runs).toHaveLength(4);
    time.setClock(startMs - yearMs);
    await time.pass(24 * hourMs);
    expect(runs.slice(4).map(({ why }) => why)).toEqual([
      'the clock was set back since its last run',
      ...Array(3).fill('every 6 h, and 6 h have passed'),
    ]);
    time.setClock(startMs + yearMs);
    await time.pass(24 * hourMs);
    expect(runs).toHaveLength(12);
    await end();
  });

  it('tries a job that always throws with growing pauses', async () => {
    const { time, runs, end } = await openScheduler([
      jobOf({ run: () => Promise.reject(new Error('no')) }),
    ]);
    await time.pass(24 * hourMs);
    const pauses = runs.slice(1).map(({ startedMs }, at) => {
      return (startedMs - (runs[at]?.startedMs ?? 0)) / minuteMs;
    });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360]);
    await end();
  });

  it('goes on when the store cannot be used for a while', async () => {
    let isBroken = true;
    const { time, runs, errors, end } = await openScheduler([jobOf()], (kernel) => ({
      ...kernel,
      jobs: {
        ...kernel.jobs,
        book: () => (isBroken ? Promise.reject(new Error('disk full')) : kernel.jobs.book()),
      },
    }));
    await time.pass(2 * minuteMs);
    expect(errors.map(({ message }) => message)).toEqual(Array(3).fill('disk full'));
    isBroken = false;
    await time.pass(7 * hourMs);
    expect(runs).toHaveLength(1);
    await end();
  });

  it('cancels what runs when it is ended', async () => {
    const { time, runs, end } = await openScheduler([
      jobOf({
        run: (_, { signal }) =>
          new Promise((__, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          ),
      }),
    ]);
    await time.pass(6 * hourMs);
    await end();
    expect(runs).toMatchObject([{ outcome: 'canceled', summary: 'interrupted' }]);
  });
});
