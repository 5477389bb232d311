import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Kernel, openKernel } from '../src/index.ts';
import { createVirtualTime, type VirtualTime } from '../tests/fixtures/virtual-time.ts';
import { allJobs } from './all-jobs.ts';
import { hourMs } from './job.ts';
import { runDueJobs } from './run-due-jobs.ts';
import { defaultLeaseMs } from './run-job.ts';

const startMs = Date.UTC(2026, 0, 1);
const dayMs = 24 * hourMs;
const signal = new AbortController().signal;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Bed = AsyncDisposable & {
  time: VirtualTime;
  kernel: Kernel;
  say(text: string, over?: { kind?: string; tags?: string[] }): Promise<void>;
  /** @returns `JOB: SUMMARY`, without those that found nothing to do */
  tick(): Promise<string[]>;
  rows(): Promise<{ interact: number; insights: number }>;
};

async function openBed(): Promise<Bed> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-jobs-'));
  folders.push(folder);
  const [home, workspace] = [join(folder, 'home'), join(folder, 'work')];
  mkdirSync(workspace);
  const time = createVirtualTime(startMs);
  const kernel = await openKernel({ home, workspace, clock: time.clock });
  const stuck = new Set<string>();
  const ports = { kernel, timing: time.timing, signal, stuck, leaseMs: defaultLeaseMs };
  return {
    time,
    kernel,
    say: async (text, { kind = 'answer', tags = [] } = {}) => {
      const memory = await kernel.memory();
      const ts = time.clock.nowMs();
      const record = { layer: 'interact' as const, text, context: text, kind, tags, ts };
      await memory.remember([{ ...record, project: workspace, session: 's', run: 'r' }], {
        signal,
      });
    },
    tick: async () => {
      const { runs } = await runDueJobs(allJobs, ports);
      return runs
        .map(({ job, summary }) => `${job}: ${summary}`)
        .filter(
          (line) => !/nothing new|no row is|no table has|took away 0 (?:runs|files)/.test(line),
        );
    },
    rows: async () => {
      const memory = await kernel.memory();
      const { interact, insights } = await memory.count({}, { signal });
      return { interact, insights };
    },
    [Symbol.asyncDispose]: () => kernel[Symbol.asyncDispose](),
  };
}

describe('allJobs', () => {
  it('keep decisions and notes over a year of days, and let turns go after a day', async () => {
    await using bed = await openBed();
    await bed.tick();
    await bed.say('the port is 8080');
    await bed.say('we take Postgres and not MySQL', { tags: ['decision'] });
    await bed.say('releases happen on Thursdays', { kind: 'note' });
    const days: [number, string[], Awaited<ReturnType<Bed['rows']>>][] = [];
    for (const day of [0.25, 0.5, 1.25, 2, 60, 91, 365]) {
      await bed.time.pass(startMs + day * dayMs - bed.time.clock.nowMs());
      days.push([day, await bed.tick(), await bed.rows()]);
    }
    expect(days).toEqual([
      [0.25, ['promote_decisions: promoted 2 rows to insights'], { interact: 3, insights: 2 }],
      [0.5, [], { interact: 3, insights: 2 }],
      [1.25, ['prune_memory: took away 3 of interact'], { interact: 0, insights: 2 }],
      [2, [], { interact: 0, insights: 2 }],
      [60, [], { interact: 0, insights: 2 }],
      [91, ['prune_memory: took away 2 of insights'], { interact: 0, insights: 0 }],
      [365, [], { interact: 0, insights: 0 }],
    ]);
    const [run] = (await bed.kernel.jobs.book())
      .log({ job: 'promote_decisions', limit: 9 })
      .slice(-1);
    expect(run?.details.map((line) => line.slice(14)).sort()).toEqual([
      'asked to be remembered: releases happen on Thursdays',
      'tagged decision: we take Postgres and not MySQL',
    ]);
  }, 60_000);

  it('promote before they prune, even when nothing ran for days', async () => {
    await using bed = await openBed();
    await bed.tick();
    await bed.say('we take Postgres and not MySQL', { tags: ['decision'] });
    (await bed.kernel.jobs.book()).pause('promote_decisions', 1);
    await bed.time.pass(5 * dayMs);
    expect(await bed.tick()).toEqual(['prune_memory: took away 1 of interact']);
    expect(await bed.rows()).toEqual({ interact: 0, insights: 1 });
    const [run] = (await bed.kernel.jobs.book()).log({ job: 'prune_memory', limit: 1 });
    expect(run?.details[0]).toContain('tagged decision: we take Postgres');
  });

  it('move pending rows over from eight on', async () => {
    await using bed = await openBed();
    await bed.tick();
    for (let turn = 0; turn < 7; turn += 1) await bed.say(`turn ${turn}`);
    await bed.time.pass(hourMs);
    expect(await bed.tick()).toEqual([]);
    await bed.say('turn 7');
    expect(await bed.tick()).toEqual(['flush_memory: moved 8 rows, 0 wait']);
    expect(await bed.kernel.jobs.pendingRows()).toBe(0);
  });
});
