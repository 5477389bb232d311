import { setTimeout as sleep } from 'node:timers/promises';
import { KernelError } from '../../src/contracts/error.ts';
import type { FleetDatabase, Sql } from '../../src/fleet/open-database.ts';
import { openQueue } from '../../src/fleet/open-queue.ts';
import { readStatus } from '../../src/fleet/read-reports.ts';
import { failedWith, runWorker } from '../../src/fleet/run-worker.ts';
import { leaseSeconds, openFleet, runOf } from '../fleet/support/open-fleet.ts';
import { openPostgres } from '../fleet/support/postgres.ts';

/**
 * What the queue of a fleet costs, with a server of its own on this machine and jobs that only wait:
 * `npm run bench:fleet`.
 */
using server = await openPostgres();
await using fleet = await openFleet(server.address);
const { database } = fleet;
const ended = {
  ...failedWith(new KernelError('internal', '')),
  outcome: 'ok',
  code: undefined,
} as const;

let statements = 0;
const counting =
  (sql: Sql): Sql =>
  (text, values) => {
    statements += 1;
    return sql(text, values);
  };
const counted: FleetDatabase = {
  sql: counting(database.sql),
  transaction: (work) => {
    // Its begin and its commit.
    statements += 2;
    return database.transaction((sql) => work(counting(sql)));
  },
  [Symbol.asyncDispose]: async () => {},
};

/** @returns ms until workers of one slot each have done all jobs */
async function timeOf(workers: number, jobs: number, waitMs: number): Promise<number> {
  const run = `run-${workers}-${jobs}-${waitMs}`;
  await fleet.queue.submit(runOf(run, jobs));
  const stop = new AbortController();
  let left = jobs;
  const startedMs = performance.now();
  const worked = Array.from({ length: workers }, async (_, at) => {
    await using queue = await openQueue(counted, { isWorker: false, leaseSeconds });
    await runWorker({
      ...{ queue, name: `w${at}`, slots: 1, leaseSeconds, idleMs: 20, signal: stop.signal },
      work: async () => {
        if (waitMs > 0) await sleep(waitMs);
        return { ...ended, content: 'x'.repeat(500), summary: 'fine' };
      },
      onEnd: () => {
        left -= 1;
        if (left === 0) stop.abort();
      },
    });
  });
  await Promise.all(worked);
  return performance.now() - startedMs;
}

async function bytes(): Promise<{ tables: number; log: number }> {
  const [row] = await database.sql(
    `select sum(pg_total_relation_size(c.oid))::float8 as tables,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as log
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname like 'cuervo_fleet%' and c.relkind = 'r'`,
  );
  return { tables: Number(row?.tables), log: Number(row?.log) };
}

await timeOf(1, 50, 0);
const jobs = 500;
const before = await bytes();
statements = 0;
const ms = await timeOf(1, jobs, 0);
const after = await bytes();
console.log(`overhead: ${(ms / jobs).toFixed(1)} ms a job`);
console.log(`statements: ${(statements / jobs).toFixed(1)} a job`);
console.log(`tables: ${Math.round((after.tables - before.tables) / jobs)} bytes a job`);
console.log(`write-ahead log: ${Math.round((after.log - before.log) / jobs)} bytes a job`);
const one = await timeOf(1, 8, 1_000);
const eight = await timeOf(8, 64, 1_000);
console.log(`8 workers on jobs of 1 s: ${(one / 8 / (eight / 64)).toFixed(1)} times one`);
await database.sql(
  `insert into cuervo_fleet.run (id, work, jobs) values ('large', '{"kind":"index"}', 100000);
   insert into cuervo_fleet.result (job, run, repository, outcome, summary, content, evidence, commit,
     digest, worker, attempts, duration_ms, tokens, usd)
   select gen_random_uuid(), 'large', '/r/' || n, 'ok', 's', repeat('x', 500), '[]', 'c', 'd', 'w', 1, 1, 0, 0
   from generate_series(1, 100000) n; analyze cuervo_fleet.result`,
);
const startedMs = performance.now();
await readStatus(database, 'large');
console.log(`status of 100000 jobs: ${Math.round(performance.now() - startedMs)} ms`);
