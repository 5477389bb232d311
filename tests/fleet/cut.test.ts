import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KernelError } from '../../src/contracts/error.ts';
import { readResults } from '../../src/fleet/read-reports.ts';
import { failedWith, runWorker } from '../../src/fleet/run-worker.ts';
import { leaseSeconds, openFleet, runOf } from './support/open-fleet.ts';
import { openWire, type Wire } from './support/open-wire.ts';
import { openPostgres, type Postgres, withPostgres } from './support/postgres.ts';

const cutMs = 30_000;
const jobs = 20;

describe.skipIf(withPostgres !== undefined)(
  'a network that is cut for 30 s',
  {
    timeout: 180_000,
  },
  () => {
    let server: Postgres;
    let wire: Wire;
    beforeEach(async () => {
      server = await openPostgres();
      wire = await openWire(server.port);
    });
    afterEach(async () => {
      await wire?.[Symbol.asyncDispose]();
      server?.[Symbol.dispose]();
    });

    it.each(['cut', 'silence'] as const)('costs a worker no job: %s', async (way) => {
      await using near = await openFleet(server.address);
      const far = server.address.replace(`:${server.port}/`, `:${wire.port}/`);
      await using fleet = await openFleet(far, {
        ...{ isWorker: true, statementMs: leaseSeconds * 1_000 },
      });
      await near.queue.submit(runOf('cut', jobs));
      const stop = new AbortController();
      const worked: string[] = [];
      let mended: Promise<void> | undefined;
      let afterMs = 0;
      await runWorker({
        ...{ queue: fleet.queue, name: 'w', slots: 2, leaseSeconds, idleMs: 100 },
        signal: stop.signal,
        work: async (job) => {
          worked.push(job.repository);
          if (worked.length === 5) {
            wire[way]();
            mended = new Promise((done) =>
              setTimeout(() => {
                afterMs = performance.now();
                wire.mend();
                done();
              }, cutMs),
            );
          }
          const failed = failedWith(new KernelError('internal', ''));
          return { ...failed, outcome: 'ok', code: undefined };
        },
        onIdle: async () => {
          if (await near.queue.isEmpty()) stop.abort();
        },
      });
      await mended;
      const outcomes: string[] = [];
      for await (const { outcome } of readResults(near.database, 'cut')) outcomes.push(outcome);
      expect(outcomes).toEqual(Array(jobs).fill('ok'));
      expect(afterMs).toBeGreaterThan(0);
      console.log(
        `${way}: ${worked.length} times worked, ${Math.round((performance.now() - afterMs) / 1000)} s until the end`,
      );
    });
  },
);
