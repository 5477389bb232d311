import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allJobs } from '../../../scheduler/all-jobs.ts';
import { runDueJobs } from '../../../scheduler/run-due-jobs.ts';
import { defaultLeaseMs } from '../../../scheduler/run-job.ts';
import { systemTiming } from '../../../scheduler/timing.ts';
import { openKernel } from '../../../src/index.ts';
import type { Bench } from '../bench-context.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, timed } from '../measure.ts';

const tick: Target = { name: 'scheduler.tick', unit: 'ms', reach: '<= 50 ms' };

/** With opening the store, as the first tick of a process has it. */
const schedulerTick: Bench = {
  ...tick,
  run: async () => {
    const home = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
    const nothingDue = async (): Promise<number> => {
      await using kernel = await openKernel({ home, workspace: home });
      const { signal } = new AbortController();
      const stuck = new Set<string>();
      const ports = { kernel, timing: systemTiming, signal, stuck, leaseMs: defaultLeaseMs };
      return await timed(async () => {
        const { runs } = await runDueJobs(allJobs, ports);
        if (runs.length > 0) throw new Error(`${runs[0]?.job} was due`);
      });
    };
    try {
      const runs = 30;
      const { a } = await interleave({ runs, warmUps: 3 }, nothingDue, undefined);
      return benchLine(tick, { value: a, runs });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
};

export const schedulerBenches: readonly Bench[] = [schedulerTick];
