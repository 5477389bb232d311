import { KernelError } from '../contracts/error.ts';
import type { FleetDatabase } from './open-database.ts';

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
