import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { KernelError, reasonOf } from '../contracts/error.ts';
import type { DatabaseAddress } from './parse-address.ts';

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
  signal: AbortSignal;
};

const retryMs = 250;

/**
 * Opens no connection yet. TLS with a checked certificate is used unless the database is on this
 * machine.
 */
export async function openDatabase(options: DatabaseOptions): Promise<FleetDatabase> {
  const { default: pg } = await import('pg');
  const { address, ca } = options;
  const pool: Pool = new pg.Pool({
    ...{ host: address.host, port: address.port, user: address.user, database: address.database },
    // As a function: the client would otherwise look into the environment and ~/.pgpass.
    password: options.password,
    ssl: address.isLocal ? false : { rejectUnauthorized: true, ...certificates(ca) },
    // Set here, so that no variable of the environment adds to it.
    options: '-c statement_timeout=60000 -c idle_in_transaction_session_timeout=60000',
    max: options.connections,
    application_name: 'cuervo',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
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
    [Symbol.asyncDispose]: () => pool.end(),
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
    /Connection terminated|connection timeout|timeout exceeded when trying to connect/i.test(
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
