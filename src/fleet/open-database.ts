import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { KernelError, reasonOf } from '../contracts/error.ts';
import type { DatabaseAddress } from './parse-repositories.ts';

export type Row = Record<string, unknown>;

/** Runs one statement. */
export type Sql = (text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** A few connections to the database of the team. The caller owns it. */
export type FleetDatabase = AsyncDisposable & {
  sql: Sql;
  /** All statements of `work`, or none. It is tried again where the connection broke before the end. */
  transaction<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value>;
};

export type DatabaseOptions = {
  address: DatabaseAddress;
  /** called for each connection, where the server asks for a password */
  password(): Promise<string>;
  ca: string | undefined;
  connections: number;
  /** how long a database that went away is waited for */
  patienceMs: number;
  /** how long one statement may take; a wire that is silent for longer counts as broken */
  statementMs: number;
  signal: AbortSignal;
};

const retryMs = 250;

/** Until what the server says of a late statement must have come. */
const silenceMs = 5_000;

/**
 * Opens no connection yet. TLS with a checked certificate is used unless the database is on this
 * machine.
 */
export async function openDatabase(options: DatabaseOptions): Promise<FleetDatabase> {
  const { default: pg } = await import('pg');
  const { address, ca, statementMs } = options;
  const sockets = new Set<Socket>();
  const pool: Pool = new pg.Pool({
    ...{ host: address.host, port: address.port, user: address.user, database: address.database },
    // As a function: the client would otherwise look into the environment and ~/.pgpass.
    password: options.password,
    ssl: address.isLocal ? false : { rejectUnauthorized: true, ...certificates(ca) },
    // Set here, so that no variable of the environment adds to it.
    options: `-c statement_timeout=${statementMs} -c idle_in_transaction_session_timeout=60000`,
    // A firewall that forgot a connection drops what is sent, and nobody answers.
    query_timeout: statementMs + silenceMs,
    max: options.connections,
    application_name: 'cuervo',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
  });
  // A connection that breaks while nobody uses it is replaced by the next statement.
  pool.on('error', () => {});
  const patient = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const untilMs = performance.now() + options.patienceMs;
    for (;;) {
      try {
        return await work();
      } catch (thrown) {
        if (!isLost(thrown) || options.signal.aborted || performance.now() >= untilMs)
          throw toError(thrown, address);
        await sleep(retryMs);
      }
    }
  };
  return {
    sql: (text, values) => patient(() => statement(pool, text, values)),
    transaction: (work) => patient(() => inTransaction(pool, work)),
    [Symbol.asyncDispose]: async () => {
      await pool.end();
      // The pool forgets a connection for which nobody had the password, and the server waits a minute.
      for (const socket of sockets) socket.destroy();
    },
  };
}

function certificates(ca: string | undefined): { ca?: string } {
  if (ca === undefined) return {};
  try {
    return { ca: readFileSync(ca, 'utf8') };
  } catch (thrown) {
    throw new KernelError('not-found', `fleet.ca ${ca} cannot be read: ${reasonOf(thrown)}`, {
      cause: thrown,
      hint: 'Name a file with the certificates: cuervo config set fleet.ca FILE',
    });
  }
}

async function statement(
  on: Pool | PoolClient,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  // Without values several statements may stand in one text.
  const result = await (values === undefined ? on.query(text) : on.query(text, [...values]));
  return Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;
}

async function inTransaction<Value>(
  pool: Pool,
  work: (sql: Sql) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (thrown: Error): void => {
    broken = thrown;
  };
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const value = await work((text, values) => statement(client, text, values));
    await client.query('COMMIT');
    return value;
  } catch (thrown) {
    if (isLost(thrown)) broken = thrown as Error;
    else await client.query('ROLLBACK').catch(onError);
    throw thrown;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** Of PostgreSQL's classes: connection, operator intervention, and transactions that met. */
const passing = /^(?:08|57P0[123]|53300|40001|40P01)/;
const passingOfNode = /^(?:ECONN|EPIPE|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|EAI_AGAIN)/;

/** Whether the same statement may do later. */
function isLost(thrown: unknown): boolean {
  if (thrown instanceof AggregateError) return thrown.errors.some(isLost);
  const { code = '', message = '' } = thrown as { code?: string; message?: string };
  return (
    passing.test(code) ||
    passingOfNode.test(code) ||
    /Connection terminated|connection timeout|timeout exceeded when trying to connect|Query read timeout/i.test(
      message,
    )
  );
}

/** A driver's message may hold what it was given, so only the code and the place are told. */
function toError(thrown: unknown, { host, port, database }: DatabaseAddress): KernelError {
  if (thrown instanceof KernelError) return thrown;
  const place = `the database ${database} at ${host}:${port}`;
  const { code = '' } = thrown as { code?: string };
  const hint = 'Check fleet.database in your config.toml, and whether the server runs.';
  if (isLost(thrown)) {
    const message = `${place} cannot be reached${code === '' ? '' : ` (${code})`}`;
    return new KernelError('unavailable', message, { cause: thrown, hint });
  }
  if (code.startsWith('28'))
    return new KernelError('permission-denied', `${place} refused the user or the password`, {
      cause: thrown,
      hint: 'Keep the password with: cuervo fleet login',
    });
  return new KernelError('internal', `${place}: ${reasonOf(thrown)}`, { cause: thrown });
}

/** What this program writes. A worker of another number neither takes nor ends jobs. */
export const tablesVersion = 1;

const tables = `
create schema if not exists cuervo_fleet;
create table if not exists cuervo_fleet.version (
  version int not null, only_row bool primary key default true check (only_row));
insert into cuervo_fleet.version (version) values (${tablesVersion}) on conflict do nothing;
create table if not exists cuervo_fleet.run (
  id text primary key, work jsonb not null, jobs int not null,
  queued timestamptz not null default now(), canceled timestamptz, ends timestamptz,
  max_tokens bigint, max_usd float8,
  spent_tokens bigint not null default 0, spent_usd float8 not null default 0,
  reserved_tokens bigint not null default 0, reserved_usd float8 not null default 0);
create index if not exists run_queued on cuervo_fleet.run (queued);
create table if not exists cuervo_fleet.held (
  job uuid primary key, run text not null, worker text not null, attempt int not null,
  external bool not null, tokens bigint not null default 0, usd float8 not null default 0,
  since timestamptz not null default now());
create index if not exists held_run on cuervo_fleet.held (run);
create table if not exists cuervo_fleet.result (
  job uuid primary key, run text not null, repository text not null, outcome text not null,
  code text, summary text not null, content text not null, evidence jsonb not null,
  commit text not null, digest text not null, patch text, journal text,
  worker text not null, attempts int not null, duration_ms int not null,
  tokens bigint not null, usd float8 not null, ended timestamptz not null default now());
create index if not exists result_run on cuervo_fleet.result (run, repository)
  include (outcome, code, patch, ended, tokens, usd);
create table if not exists cuervo_fleet.blob (digest text primary key, bytes bytea not null);
`;

/** Number of the lock that makes the tables once, whoever comes first. */
const tablesLock = 0x63756572;

/** @throws {KernelError} `unavailable` where the database belongs to another version */
export async function openTables(database: FleetDatabase): Promise<void> {
  const [found] = await database.sql(
    "select to_regclass('cuervo_fleet.version') is not null as is_there",
  );
  if (found?.is_there !== true)
    await database.transaction(async (sql) => {
      await sql('select pg_advisory_xact_lock($1)', [tablesLock]);
      await sql(tables);
    });
  await checkTables(database);
}

/** @throws {KernelError} `unavailable` where the database belongs to another version */
export async function checkTables(database: FleetDatabase): Promise<void> {
  const [row] = await database.sql('select version from cuervo_fleet.version');
  if (row?.version === tablesVersion) return;
  const message = `the tables of the fleet have version ${row?.version}, and this cuervo knows ${tablesVersion}`;
  throw new KernelError('unavailable', message, {
    hint: 'Install the version of cuervo that the rest of the team uses.',
  });
}
