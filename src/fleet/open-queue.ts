import type { ConnectionOptions, PgBoss } from 'pg-boss';
import { KernelError } from '../contracts/error.ts';
import type {
  BegunJob,
  FinishedJob,
  FleetBudget,
  FleetWork,
  NewFleetRun,
  TakenJob,
} from '../contracts/fleet.ts';
import { sha256 } from '../lib/sha256.ts';
import {
  checkTables,
  type FleetDatabase,
  openTables,
  type Row,
  type Sql,
  tablesVersion,
} from './open-database.ts';

/** Named by the version of the tables, so that an older worker never sees a newer job. */
const queue = `jobs-v${tablesVersion}`;
const schema = 'cuervo_fleet_queue';

/** Beyond it, a job is set aside by the worker that takes it. */
export const maxAttempts = 3;

/** How many jobs one statement queues or takes back. */
const chunkJobs = 1_000;

export type Begun =
  | ({ state: 'begun' } & BegunJob)
  /** its run was canceled, and the job is gone */
  | { state: 'canceled' }
  /** an effect outside of the workspace may have happened */
  | { state: 'unknown' }
  /** others hold what is left of the budget; try again later */
  | { state: 'waiting' }
  | { state: 'spent'; why: string };

/** The queue, leases and results of a fleet. Every method throws `KernelError`. */
export type FleetQueue = AsyncDisposable & {
  /** All jobs of a run, or none. A second call for the same run changes nothing. */
  submit(run: NewFleetRun): Promise<void>;
  /** The next job: the first jobs of each run come before the second ones. */
  take(): Promise<TakenJob | undefined>;
  /** Notes who holds the job, and reserves its share of the budget. */
  begin(job: TakenJob, worker: string): Promise<Begun>;
  /** @returns false where the job is no longer this worker's */
  renew(job: TakenJob): Promise<boolean>;
  /**
   * Ends the job and keeps its result, in one transaction.
   *
   * @returns false where the job is no longer this worker's; nothing is kept then
   */
  end(job: TakenJob, worker: string, finished: FinishedJob): Promise<boolean>;
  /** Gives the job back to be tried again. */
  giveBack(job: TakenJob, why: string, used: FinishedJob['used']): Promise<void>;
  /** @returns jobs that were taken back */
  cancel(run: string): Promise<number>;
  /** Whether no job waits, and nobody holds one. */
  isEmpty(): Promise<boolean>;
  /** @throws {KernelError} `unavailable` where the tables belong to another version by now */
  check(): Promise<void>;
};

/**
 * Takes over nothing: the database stays the caller's.
 *
 * @param options.isWorker looks every few seconds for leases that ran out
 */
export async function openQueue(
  database: FleetDatabase,
  options: { isWorker: boolean; leaseSeconds: number },
): Promise<FleetQueue> {
  await openTables(database);
  const boss = await openBoss(database, options);
  const attempt = ({ id, retries }: TakenJob) => ({ id, retryCount: retries });
  return {
    check: () => checkTables(database),
    submit: (run) => database.transaction((sql) => submit(boss, sql, run)),
    take: async () => {
      const [job] = await boss.fetch<{ run: string; repository: string }>(queue);
      if (job === undefined) return undefined;
      const { id, data, retryCount } = job;
      return { id, run: data.run, repository: data.repository, retries: retryCount };
    },
    begin: (job, worker) => begin(database, boss, job, worker),
    renew: async (job) => (await boss.touch(queue, attempt(job)).then(affected)) > 0,
    end: (job, worker, finished) =>
      database.transaction(async (sql) => {
        const done = await boss.complete(queue, attempt(job), null, through(sql)).then(affected);
        if (done === 0) return await wasEnded(sql, job, worker);
        await keep(sql, job, worker, finished);
        return true;
      }),
    giveBack: (job, why, used) =>
      database.transaction(async (sql) => {
        const text = { message: why.slice(0, 500) };
        const done = await boss.fail(queue, attempt(job), text, through(sql)).then(affected);
        if (done > 0) await release(sql, job, used);
      }),
    cancel: (run) => cancel(database, boss, run),
    isEmpty: async () => {
      const jobs = `select 1 from ${schema}.job where name = $1 and state < 'completed' limit 1`;
      return (await database.sql(jobs, [queue])).length === 0;
    },
    [Symbol.asyncDispose]: () => boss.stop({ close: false, graceful: false }),
  };
}

async function openBoss(
  database: FleetDatabase,
  { isWorker, leaseSeconds }: { isWorker: boolean; leaseSeconds: number },
): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    schema,
    db: through(database.sql).db,
    schedule: false,
    supervise: isWorker,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    persistWarnings: false,
  });
  // Its own upkeep is tried again at the next turn; what a worker asks for throws by itself.
  boss.on('error', () => {});
  await boss.start();
  if ((await boss.getQueue(queue)) === null)
    await boss.createQueue(queue, {
      // A worker that fails the last of them keeps the reason as a result, before the queue gives up.
      retryLimit: maxAttempts + 2,
      retryDelay: 1,
      heartbeatSeconds: leaseSeconds,
      expireInSeconds: 86_399,
      retentionSeconds: 30 * 86_400,
      deleteAfterSeconds: 3_600,
    });
  return boss;
}

/** Has pg-boss run its statements in a transaction of ours. */
function through(sql: Sql): Required<Pick<ConnectionOptions, 'db'>> {
  return { db: { executeSql: async (text, values) => ({ rows: await sql(text, values) }) } };
}

/** Jobs that the statement changed; the types of pg-boss leave it out. */
function affected(response: object): number {
  return (response as { affected?: number }).affected ?? 0;
}

/** The same for the same run and repository, so that nothing is queued twice. */
function jobId(run: string, repository: string): string {
  const hex = sha256(`${run}\n${repository}`);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

async function submit(boss: PgBoss, sql: Sql, run: NewFleetRun): Promise<void> {
  const { id, work, budget, repositories } = run;
  const { tokens = null, usd = null, durationMs = null } = budget;
  const [row] = await sql(
    `insert into cuervo_fleet.run (id, work, jobs, max_tokens, max_usd, ends)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6::float8 / 1000))
     on conflict do nothing returning id`,
    [id, JSON.stringify(work), repositories.length, tokens, usd, durationMs],
  );
  if (row === undefined) return;
  for (let at = 0; at < repositories.length; at += chunkJobs) {
    const jobs = repositories.slice(at, at + chunkJobs).map((repository, index) => ({
      id: jobId(id, repository),
      data: { run: id, repository },
      // Fairness: the tenth job of one run waits for the ninth of another.
      priority: -(at + index),
      ...(durationMs === null ? {} : { retentionSeconds: 30 * 86_400 }),
    }));
    await boss.insert(queue, jobs, through(sql));
  }
}

type RunRow = {
  work: FleetWork;
  canceled: boolean;
  left_ms: number | null;
  has_budget: boolean;
  was_external: boolean | null;
};

async function begin(
  database: FleetDatabase,
  boss: PgBoss,
  job: TakenJob,
  worker: string,
): Promise<Begun> {
  const [row] = (await database.sql(
    `with run as (select work, canceled is not null as canceled,
         (extract(epoch from ends - now()) * 1000)::float8 as left_ms,
         max_tokens is not null or max_usd is not null as has_budget
       from cuervo_fleet.run where id = $2),
     old as (select external, attempt from cuervo_fleet.held where job = $1),
     new as (insert into cuervo_fleet.held (job, run, worker, attempt, external)
       select $1::uuid, $2, $3, $4, coalesce((work->>'external')::bool, false) from run
       on conflict (job) do update set worker = excluded.worker, attempt = excluded.attempt, since = now()
         where held.attempt <= excluded.attempt)
     select run.*, old.external and old.attempt <> $4 as was_external from run left join old on true`,
    [job.id, job.run, worker, job.retries],
  )) as RunRow[];
  if (row === undefined || row.canceled) {
    await database.transaction(async (sql) => {
      await boss.complete(queue, { id: job.id, retryCount: job.retries }, null, through(sql));
      await release(sql, job, { tokens: 0, usd: 0 });
    });
    return { state: 'canceled' };
  }
  if (row.was_external === true) return { state: 'unknown' };
  if (row.left_ms !== null && row.left_ms <= 0)
    return { state: 'spent', why: 'the time of the run was over before this job began' };
  const share = row.has_budget ? await database.transaction((sql) => reserve(sql, job)) : {};
  if ('state' in share) return share;
  return {
    state: 'begun',
    work: row.work,
    share: { ...share, ...(row.left_ms === null ? {} : { durationMs: Math.ceil(row.left_ms) }) },
  };
}

/** A job may use this many times its even share, so that a long one does not hold all that is left. */
const shares = 4;

type BudgetRow = Record<
  | 'jobs'
  | 'max_tokens'
  | 'max_usd'
  | 'spent_tokens'
  | 'spent_usd'
  | 'reserved_tokens'
  | 'reserved_usd',
  number | null
>;

async function reserve(
  sql: Sql,
  job: TakenJob,
): Promise<FleetBudget | Extract<Begun, { state: 'waiting' | 'spent' }>> {
  await sql(`with ${countLost} select`, [job.id, job.run, null, null]);
  const [row] = (await sql(
    `select jobs, max_tokens::float8, max_usd, spent_tokens::float8, spent_usd,
       reserved_tokens::float8, reserved_usd from cuervo_fleet.run where id = $1 for update`,
    [job.run],
  )) as BudgetRow[];
  if (row === undefined) return {};
  const share = (max: number | null, spent: number | null, reserved: number | null) =>
    max === null
      ? undefined
      : Math.min((max / (row.jobs ?? 1)) * shares, max - (spent ?? 0) - (reserved ?? 0));
  const tokens = share(row.max_tokens, row.spent_tokens, row.reserved_tokens);
  const usd = share(row.max_usd, row.spent_usd, row.reserved_usd);
  const isShort = (tokens !== undefined && tokens < 1) || (usd !== undefined && usd <= 0);
  const isReserved = (row.reserved_tokens ?? 0) > 0 || (row.reserved_usd ?? 0) > 0;
  if (isShort && isReserved) return { state: 'waiting' };
  if (isShort) return { state: 'spent', why: spentText(row) };
  const whole = tokens === undefined ? undefined : Math.floor(tokens);
  await sql(
    `with mine as (update cuervo_fleet.held set tokens = $2, usd = $3 where job = $1)
     update cuervo_fleet.run set reserved_tokens = reserved_tokens + $2, reserved_usd = reserved_usd + $3
     where id = $4`,
    [job.id, whole ?? 0, usd ?? 0, job.run],
  );
  return {
    ...(whole === undefined ? {} : { tokens: whole }),
    ...(usd === undefined ? {} : { usd }),
  };
}

function spentText(row: BudgetRow): string {
  const tokens = `${row.spent_tokens} of ${row.max_tokens} tokens`;
  const usd = `${(row.spent_usd ?? 0).toFixed(4)} of ${row.max_usd} US dollars`;
  const parts = [row.max_tokens === null ? [] : [tokens], row.max_usd === null ? [] : [usd]];
  return `the budget of the run is spent: ${parts.flat().join(' and ')}`;
}

/**
 * Counts what a job used in place of what it had reserved: job $1, run $2, tokens $3, dollars $4.
 * What a worker reserved and never reported counts as spent where these are null.
 */
const settling = (held: string): string =>
  `mine as (select tokens, usd from cuervo_fleet.held where job = $1),
     freed as (${held} where job = $1),
     settled as (update cuervo_fleet.run set
       spent_tokens = spent_tokens + coalesce($3, mine.tokens), spent_usd = spent_usd + coalesce($4, mine.usd),
       reserved_tokens = reserved_tokens - mine.tokens, reserved_usd = reserved_usd - mine.usd
     from mine where id = $2 and (max_tokens is not null or max_usd is not null))`;

const letGo = settling('delete from cuervo_fleet.held');
const countLost = settling('update cuervo_fleet.held set tokens = 0, usd = 0');

/** Nobody holds the job any more. */
async function release(sql: Sql, job: TakenJob, used: FinishedJob['used']): Promise<void> {
  await sql(`with ${letGo} select`, [job.id, job.run, used.tokens, used.usd]);
}

/** Whether an earlier try of this transaction went through before its connection broke. */
async function wasEnded(sql: Sql, job: TakenJob, worker: string): Promise<boolean> {
  const rows = await sql(
    'select 1 from cuervo_fleet.result where job = $1 and worker = $2 and attempts = $3',
    [job.id, worker, job.retries + 1],
  );
  return rows.length > 0;
}

async function keep(sql: Sql, job: TakenJob, worker: string, finished: FinishedJob): Promise<void> {
  const { outcome, content, patch, journal, used } = finished;
  const patchDigest = patch.byteLength === 0 ? undefined : sha256(patch);
  const journalDigest = journal.byteLength === 0 ? undefined : sha256(journal);
  const digest = sha256(JSON.stringify([outcome, content, patchDigest ?? null]));
  const blobs = [
    ...(patchDigest === undefined ? [] : [{ digest: patchDigest, bytes: patch }]),
    ...(journalDigest === undefined ? [] : [{ digest: journalDigest, bytes: journal }]),
  ];
  await sql(
    `with ${letGo},
     blobs as (insert into cuervo_fleet.blob (digest, bytes)
       select * from unnest($5::text[], $6::bytea[]) on conflict do nothing)
     insert into cuervo_fleet.result (job, run, tokens, usd, repository, outcome, code, summary, content,
       evidence, commit, digest, patch, journal, worker, attempts, duration_ms)
     values ($1, $2, $3, $4, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
     on conflict do nothing`,
    [
      ...[job.id, job.run, used.tokens, used.usd],
      blobs.map((each) => each.digest),
      blobs.map(({ bytes }) => Buffer.from(bytes)),
      ...[job.repository, outcome, finished.code ?? null],
      // A text of PostgreSQL has every character but this one.
      ...[finished.summary, content].map((text) => text.replaceAll('\0', '\ufffd')),
      JSON.stringify(finished.evidence).replaceAll('\\u0000', '\ufffd'),
      ...[finished.commit, digest, patchDigest ?? null, journalDigest ?? null],
      ...[worker, job.retries + 1, Math.round(finished.durationMs)],
    ],
  );
}

async function cancel(database: FleetDatabase, boss: PgBoss, run: string): Promise<number> {
  const [row] = await database.sql(
    'update cuervo_fleet.run set canceled = coalesce(canceled, now()) where id = $1 returning id',
    [run],
  );
  if (row === undefined)
    throw new KernelError('not-found', `there is no run "${run}"`, {
      hint: 'See the runs with: cuervo fleet status',
    });
  const jobs = await database.sql(
    `select id from ${schema}.job where name = $1 and data->>'run' = $2 and state < 'completed'`,
    [queue, run],
  );
  let count = 0;
  for (let at = 0; at < jobs.length; at += chunkJobs) {
    const ids = jobs.slice(at, at + chunkJobs).map(({ id }: Row) => String(id));
    count += await boss.cancel(queue, ids).then(affected);
  }
  await database.sql('delete from cuervo_fleet.held where run = $1', [run]);
  return count;
}
