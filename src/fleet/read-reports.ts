import { KernelError } from '../contracts/error.ts';
import type { FleetWork } from '../contracts/fleet.ts';
import type { FleetResult, FleetStatus } from '../contracts/output/parse-jobs.ts';
import { sha256 } from '../lib/sha256.ts';
import type { FleetDatabase, Row } from './open-database.ts';

const number = (value: unknown): number => Number(value ?? 0);
const text = (value: unknown): string => String(value ?? '');

/**
 * Runs, newest first. It reads counts from one index and no content.
 *
 * @param run one alone, by its id
 */
export async function readStatus(database: FleetDatabase, run?: string): Promise<FleetStatus[]> {
  const rows = await database.sql(
    `select r.id, r.work, r.jobs, r.canceled is not null as canceled,
       extract(epoch from r.queued) * 1000 as queued_ms, d.*,
       (select count(*) from cuervo_fleet.held h where h.run = r.id) as running
     from (select * from cuervo_fleet.run where $1::text is null or id = $1 order by queued desc limit 20) r,
     lateral (select coalesce(sum(n), 0) as ended, coalesce(sum(n) filter (where outcome = 'ok'), 0) as ok,
         coalesce(sum(n) filter (where outcome = 'failed'), 0) as failed,
         coalesce(sum(n) filter (where outcome = 'unknown'), 0) as unknown,
         coalesce(sum(changed), 0) as changed, coalesce(sum(recent), 0) as recent,
         coalesce(sum(tokens), 0) as tokens, coalesce(sum(usd), 0) as usd,
         jsonb_object_agg(coalesce(code, 'internal'), n) filter (where outcome = 'failed') as failures
       from (select outcome, code, count(*) as n, count(patch) as changed,
           count(*) filter (where ended > now() - interval '1 minute') as recent,
           sum(tokens) as tokens, sum(usd) as usd
         from cuervo_fleet.result where run = r.id group by outcome, code) g) d`,
    [run ?? null],
  );
  if (run !== undefined && rows.length === 0)
    throw new KernelError('not-found', `there is no run "${run}"`, {
      hint: 'See the runs with: cuervo fleet status',
    });
  return rows.map(statusOf);
}

function statusOf(row: Row): FleetStatus {
  const work = row.work as FleetWork;
  const jobs = number(row.jobs);
  const left = jobs - number(row.ended);
  const running = row.canceled === true ? 0 : number(row.running);
  return {
    run: runId(row.id),
    kind: work.kind,
    about: work.kind === 'ask' ? work.question : work.kind === 'run' ? work.tool : 'index',
    queuedMs: Math.round(number(row.queued_ms)),
    jobs,
    waiting: row.canceled === true ? 0 : Math.max(0, left - running),
    running,
    ok: number(row.ok),
    failed: number(row.failed),
    unknown: number(row.unknown),
    canceled: row.canceled === true ? left : 0,
    changed: number(row.changed),
    failures: Object.fromEntries(
      Object.entries((row.failures ?? {}) as Row).map(([code, count]) => [code, number(count)]),
    ),
    perMinute: number(row.recent),
    tokens: number(row.tokens),
    usd: number(row.usd),
  };
}

/** The newest run, where a person names none. @throws {KernelError} `not-found` */
export async function newestRun(database: FleetDatabase): Promise<string> {
  const [row] = await database.sql(
    'select id from cuervo_fleet.run order by queued desc, id desc limit 1',
  );
  if (row !== undefined) return runId(row.id);
  throw new KernelError('not-found', 'no run was queued in this database', {
    hint: 'Ask one question of many repositories: cuervo fleet ask "QUESTION" --repos FILE',
  });
}

const pageRows = 200;

/** What the jobs of a run came to, by the name of the repository. */
export async function* readResults(
  database: FleetDatabase,
  run: string,
): AsyncGenerator<FleetResult, void, undefined> {
  let after = '';
  for (;;) {
    const rows = await database.sql(
      `select * from cuervo_fleet.result where run = $1 and repository > $2
       order by repository limit ${pageRows}`,
      [run, after],
    );
    for (const row of rows) yield resultOf(row);
    if (rows.length < pageRows) return;
    after = text(rows.at(-1)?.repository);
  }
}

function resultOf(row: Row): FleetResult {
  const named = (key: string): Row => (row[key] === null ? {} : { [key]: text(row[key]) });
  return {
    ...{ run: runId(row.run), job: text(row.job), repository: text(row.repository) },
    outcome: row.outcome as FleetResult['outcome'],
    ...named('code'),
    ...{ summary: text(row.summary), content: text(row.content) },
    evidence: row.evidence as string[],
    ...{ commit: text(row.commit), digest: text(row.digest) },
    ...named('patch'),
    ...named('journal'),
    ...{ worker: text(row.worker), attempts: number(row.attempts) },
    durationMs: number(row.duration_ms),
  };
}

/**
 * A patch or the events of a run.
 *
 * @throws {KernelError} `not-found`; `conflict` where the bytes are not those of the digest
 */
export async function readBlob(database: FleetDatabase, digest: string): Promise<Uint8Array> {
  const [row] = await database.sql('select bytes from cuervo_fleet.blob where digest = $1', [
    digest,
  ]);
  if (row === undefined)
    throw new KernelError('not-found', `the database no longer holds ${digest}`, {
      hint: 'Queue the run again.',
    });
  const bytes = row.bytes as Uint8Array;
  if (sha256(bytes) === digest) return bytes;
  throw new KernelError('conflict', `the bytes of ${digest} in the database were changed`, {
    hint: 'Queue the run again, and ask who can write to this database.',
  });
}

/**
 * The id of a run, which becomes part of a path and of a branch's name. Whoever can write to the
 * database can put any text there.
 *
 * @throws {KernelError} `conflict` for what is no id
 */
export function runId(value: unknown): string {
  const id = String(value ?? '');
  if (/^[\w-]{1,64}$/.test(id)) return id;
  throw new KernelError('conflict', 'the database has a run with an invalid id', {
    hint: 'Ask who can write to this database.',
  });
}
