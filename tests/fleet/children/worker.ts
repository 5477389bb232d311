import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { KernelError } from '../../../src/contracts/error.ts';
import { failedWith, runWorker } from '../../../src/fleet/run-worker.ts';
import { leaseSeconds, openFleet } from '../support/open-fleet.ts';

/**
 * A worker whose jobs only wait: ADDRESS POINT FILE WAIT_MS [CLOCK_MS]. At the point it kills itself
 * as a power cut would; each job that it does is a line of the file. Its clock is wrong by CLOCK_MS.
 * It tells a parent that listens of its first job.
 */
const [address = '', point = '', file = '', waitMs = '0', clockMs = '0'] = process.argv.slice(2);
const { now } = Date;
Date.now = () => now() + Number(clockMs);

let isFirst = true;
const empty = new AbortController();
await using fleet = await openFleet(address, { isWorker: true });
await runWorker({
  queue: fleet.queue,
  name: `worker ${point || 'whole'}`,
  slots: 1,
  leaseSeconds,
  idleMs: 200,
  signal: empty.signal,
  work: async (job) => {
    appendFileSync(file, `${job.repository}\n`);
    // One whose lease is renewed takes longer than a third of it.
    await sleep(point.endsWith('renewal') ? 5_000 : Number(waitMs));
    const failed = failedWith(new KernelError('internal', 'failed on purpose'));
    if (point.endsWith('give-back')) return failed;
    return { ...failed, outcome: 'ok', code: undefined, content: `done ${job.repository}` };
  },
  at: (reached) => {
    if (reached === 'begun' && isFirst) process.send?.(reached);
    if (reached === 'begun') isFirst = false;
    if (reached === point) process.kill(process.pid, 'SIGKILL');
  },
  onIdle: async () => {
    if (await fleet.queue.isEmpty()) empty.abort();
  },
});
