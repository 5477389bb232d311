import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type JobBook, type Kernel, openKernel } from '../src/index.ts';
import { createVirtualTime, type VirtualTime } from '../tests/fixtures/virtual-time.ts';
import { hourMs, type Job, minuteMs } from './job.ts';
import { runDueJobs } from './run-due-jobs.ts';
import { defaultLeaseMs, type RunnerPorts } from './run-job.ts';

const startMs = Date.UTC(2026, 0, 1);
const yearMs = 365 * 24 * hourMs;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Bed = AsyncDisposable & {
  time: VirtualTime;
  kernel: Kernel;
  book: JobBook;
  ports: RunnerPorts;
  /** another process, as far as the store can tell */
  another(): Promise<RunnerPorts & AsyncDisposable>;
};

async function openBed(): Promise<Bed> {
  const home = mkdtempSync(join(tmpdir(), 'cuervo-scheduler-'));
  folders.push(home);
  const time = createVirtualTime(startMs);
  const open = () => openKernel({ home, workspace: home, clock: time.clock });
  const portsOf = (kernel: Kernel): RunnerPorts => ({
    kernel,
    timing: time.timing,
    signal: new AbortController().signal,
    stuck: new Set(),
    leaseMs: defaultLeaseMs,
  });
  const kernel = await open();
  return {
    time,
    kernel,
    book: await kernel.jobs.book(),
    ports: portsOf(kernel),
    another: async () => {
      const other = await open();
      await other.jobs.book();
      return { ...portsOf(other), [Symbol.asyncDispose]: () => other[Symbol.asyncDispose]() };
    },
    [Symbol.asyncDispose]: () => kernel[Symbol.asyncDispose](),
  };
}

const jobOf = (run: Job['run'], over: Partial<Job> = {}): Job => ({
  name: 'a',
  about: '',
  everyMs: hourMs,
  deadlineMs: minuteMs,
  run,
  ...over,
});

const doing = async () => ({ summary: 'did it' });

/** Makes the jobs known and lets an hour pass. */
async function makeDue(bed: Bed, jobs: readonly Job[]): Promise<void> {
  expect((await runDueJobs(jobs, bed.ports)).runs).toEqual([]);
  await bed.time.pass(hourMs);
}

const summaries = (runs: readonly { job: string; outcome: string; summary: string }[]) =>
  runs.map(({ job, outcome, summary }) => `${job} ${outcome}: ${summary}`);

describe('runDueJobs()', () => {
  it('runs what is due once, in order, however many periods were missed', async () => {
    await using bed = await openBed();
    const jobs = [jobOf(doing), jobOf(doing, { name: 'b', everyMs: 3 * hourMs })];
    await makeDue(bed, jobs);
    expect((await runDueJobs(jobs, bed.ports)).runs.map(({ job }) => job)).toEqual(['a']);
    await bed.time.pass(50 * hourMs);
    const { runs, nextMs } = await runDueJobs(jobs, bed.ports);
    expect(runs.map(({ job, why }) => [job, why])).toEqual([
      ['a', 'every 60 min, and 2 days have passed'],
      ['b', 'every 3 h, and 2 days have passed'],
    ]);
    expect(nextMs).toBe(hourMs);
    expect((await runDueJobs(jobs, bed.ports)).runs).toEqual([]);
    expect(bed.book.log({ limit: 9 })).toHaveLength(3);
  });

  it('asks a job by threshold, tells its reason, and asks again later when there is none', async () => {
    await using bed = await openBed();
    let need: string | undefined;
    const job = jobOf(doing, { need: async () => need });
    await makeDue(bed, [job]);
    expect(await runDueJobs([job], bed.ports)).toEqual({ runs: [], nextMs: 10 * minuteMs });
    need = '9 rows wait';
    const { runs } = await runDueJobs([job], bed.ports);
    expect(runs[0]?.why).toBe('9 rows wait; every 60 min, and 60 min have passed');
  });

  it('tries a job that throws again with backoff, and goes on with the next', async () => {
    await using bed = await openBed();
    let fails = true;
    const failing = jobOf(async () => {
      if (fails) throw new Error('no space');
      return { summary: 'did it' };
    });
    const jobs = [failing, jobOf(doing, { name: 'b' })];
    await makeDue(bed, jobs);
    const first = await runDueJobs(jobs, bed.ports);
    expect(summaries(first.runs)).toEqual(['a failed: internal: no space', 'b done: did it']);
    expect(first.nextMs).toBe(minuteMs);
    expect((await runDueJobs(jobs, bed.ports)).runs).toEqual([]);
    await bed.time.pass(minuteMs);
    const second = await runDueJobs(jobs, bed.ports);
    expect(second.runs.map(({ why }) => why)).toEqual(['try 2, 1 min after the last']);
    expect(second.nextMs).toBe(2 * minuteMs);
    fails = false;
    await bed.time.pass(2 * minuteMs);
    const third = await runDueJobs(jobs, bed.ports);
    expect(summaries(third.runs)).toEqual(['a done: did it']);
    expect(bed.book.records(['a'], 0)[0]?.failures).toBe(0);
  });

  it('ends a job that hangs at its deadline', async () => {
    await using bed = await openBed();
    const job = jobOf(
      (_, { signal }) =>
        new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    await makeDue(bed, [job]);
    const ticking = runDueJobs([job], bed.ports);
    await bed.time.pass(minuteMs);
    expect(summaries((await ticking).runs)).toEqual(['a timed-out: a did not end within 1 min']);
    expect(bed.book.records(['a'], 0)).toMatchObject([{ failures: 1, isRunning: false }]);
  });

  it('leaves a job that does not listen, and starts no second one beside it', async () => {
    await using bed = await openBed();
    const hanging = Promise.withResolvers<{ summary: string }>();
    let starts = 0;
    const deaf = jobOf(
      () => {
        starts += 1;
        return hanging.promise;
      },
      { deadlineMs: 5 },
    );
    // a lease that ends soon, so that nothing else keeps the job from being started again
    const ports = { ...bed.ports, leaseMs: 3 };
    const jobs = [deaf, jobOf(doing, { name: 'b' })];
    await makeDue(bed, jobs);
    const ticking = runDueJobs(jobs, ports);
    await bed.time.pass(2 * minuteMs);
    expect(summaries((await ticking).runs)).toEqual([
      'a timed-out: a did not end within 5 ms, and it ignores the signal to stop',
      'b done: did it',
    ]);
    await expect.poll(() => bed.book.records(['a'], 0)[0]?.isRunning).toBe(false);
    await bed.time.pass(hourMs);
    expect(summaries((await runDueJobs(jobs, ports)).runs)).toEqual(['b done: did it']);
    expect(starts).toBe(1);
    hanging.resolve({ summary: 'at last' });
    await bed.time.pass(minuteMs);
    expect(summaries((await runDueJobs(jobs, ports)).runs)).toEqual(['a done: at last']);
    expect(starts).toBe(2);
  });

  it('lets one of two schedulers run a job', async () => {
    await using bed = await openBed();
    await using other = await bed.another();
    let running = 0;
    let most = 0;
    let starts = 0;
    const job = jobOf(async () => {
      starts += 1;
      running += 1;
      most = Math.max(most, running);
      await bed.time.timing.wait(1_000, new AbortController().signal);
      running -= 1;
      return { summary: 'did it' };
    });
    await makeDue(bed, [job]);
    const ticking = Promise.all([runDueJobs([job], bed.ports), runDueJobs([job], other)]);
    await bed.time.pass(1_000);
    const [mine, theirs] = await ticking;
    expect([mine.runs.length, theirs.runs.length].sort()).toEqual([0, 1]);
    expect([most, starts]).toEqual([1, 1]);
    expect(Math.max(mine.nextMs, theirs.nextMs)).toBe(hourMs);
  });

  it('ends a job whose lease was taken over', async () => {
    await using bed = await openBed();
    let reason = '';
    const job = jobOf(
      (_, { signal }) =>
        new Promise((__, reject) =>
          signal.addEventListener('abort', () => {
            reason = String(signal.reason.message);
            reject(signal.reason);
          }),
        ),
    );
    await makeDue(bed, [job]);
    const ticking = runDueJobs([job], { ...bed.ports, leaseMs: 3 });
    await bed.time.pass(0);
    await using other = await bed.another();
    const theirs = await other.kernel.jobs.book();
    const died: ReturnType<typeof theirs.reap> = [];
    await expect.poll(() => died.push(...theirs.reap(startMs))).toBe(1);
    expect(died[0]?.outcome).toBe('died');
    await bed.time.pass(minuteMs);
    await ticking;
    expect(reason).toBe('another process took over a');
    expect(bed.book.log({ limit: 9 })).toMatchObject([{ outcome: 'died' }]);
  });

  it('runs each job once and no more when the clock is set back a year', async () => {
    await using bed = await openBed();
    const job = jobOf(doing);
    await makeDue(bed, [job]);
    await runDueJobs([job], bed.ports);
    bed.time.setClock(startMs - yearMs);
    const { runs, nextMs } = await runDueJobs([job], bed.ports);
    expect(runs.map(({ why }) => why)).toEqual(['the clock was set back since its last run']);
    expect(nextMs).toBe(hourMs);
    expect((await runDueJobs([job], bed.ports)).runs).toEqual([]);
    await bed.time.pass(hourMs);
    expect((await runDueJobs([job], bed.ports)).runs).toHaveLength(1);
    bed.time.setClock(startMs + yearMs);
    expect((await runDueJobs([job], bed.ports)).runs).toHaveLength(1);
    expect((await runDueJobs([job], bed.ports)).runs).toEqual([]);
  });

  it('stops at the budget of a command, and gives the job four times as long the next time', async () => {
    await using bed = await openBed();
    const job = jobOf(async (_, { signal }) => {
      await bed.time.timing.wait(700, signal);
      signal.throwIfAborted();
      return { summary: 'did it' };
    });
    const jobs = [job, jobOf(doing, { name: 'b' })];
    await makeDue(bed, jobs);
    const first = runDueJobs(jobs, bed.ports, { budgetMs: 200 });
    await bed.time.pass(200);
    expect(summaries((await first).runs)).toEqual(['a stopped: a did not end within 200 ms']);
    expect(bed.book.records(['a'], 0)).toMatchObject([{ stops: 1, failures: 0 }]);
    const second = runDueJobs(jobs, bed.ports, { budgetMs: 200 });
    await bed.time.pass(800);
    expect(summaries((await second).runs)).toEqual(['a done: did it']);
    const third = await runDueJobs(jobs, bed.ports, { budgetMs: 200 });
    expect(summaries(third.runs)).toEqual(['b done: did it']);
  });

  it('counts as failed what does not fit into five seconds behind a command', async () => {
    await using bed = await openBed();
    const job = jobOf(
      (_, { signal }) =>
        new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    await makeDue(bed, [job]);
    const outcomes: string[] = [];
    for (let command = 0; command < 4; command += 1) {
      const ticking = runDueJobs([job], bed.ports, { budgetMs: 200 });
      await bed.time.pass(5_000);
      outcomes.push(...(await ticking).runs.map(({ summary }) => summary));
    }
    expect(outcomes.map((summary) => summary.split('within ')[1])).toEqual([
      '200 ms',
      '800 ms',
      '3 s',
      '5 s',
    ]);
    expect(bed.book.records(['a'], 0)).toMatchObject([{ failures: 1, lastOutcome: 'timed-out' }]);
    expect((await runDueJobs([job], bed.ports, { budgetMs: 200 })).runs).toEqual([]);
  });

  it('cancels with the signal, counts no failure, and starts nothing more', async () => {
    await using bed = await openBed();
    const controller = new AbortController();
    const job = jobOf(async (_, { signal }) => {
      await bed.time.timing.wait(minuteMs, signal);
      signal.throwIfAborted();
      return { summary: 'did it' };
    });
    const jobs = [job, jobOf(doing, { name: 'b' })];
    await makeDue(bed, jobs);
    const ticking = runDueJobs(jobs, { ...bed.ports, signal: controller.signal });
    await bed.time.pass(10);
    controller.abort(new Error('interrupted'));
    expect(summaries((await ticking).runs)).toEqual(['a canceled: interrupted']);
    expect(bed.book.records(['a', 'b'], 0)).toMatchObject([
      { failures: 0, stops: 0, isRunning: false },
      { failures: 0 },
    ]);
  });

  it('runs no paused job', async () => {
    await using bed = await openBed();
    const job = jobOf(doing);
    await makeDue(bed, [job]);
    bed.book.pause('a', 1);
    const tick = await runDueJobs([job], bed.ports);
    expect(tick).toEqual({ runs: [], nextMs: Number.POSITIVE_INFINITY });
    bed.book.pause('a', undefined);
    expect((await runDueJobs([job], bed.ports)).runs).toHaveLength(1);
  });
});
