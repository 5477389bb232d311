import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Table } from '@lancedb/lancedb';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { loadArrow, primaryKey } from './lance-schema.ts';
import { isTableName, type TableName } from './lance-table.ts';
import { connectOnce, type TablePlace } from './table-place.ts';

/** Tables that several machines share, e.g. `s3://bucket/memory`. */
export type SharedStorage = {
  uri: string;
  /** as LanceDB takes them: region, endpoint, keys */
  options: Readonly<Record<string, string>>;
};

/** Another machine changes the embedder of a layer about as often as a person does. */
const namesAgeMs = 30_000;

/** A server that does not answer is an error within seconds, and not after LanceDB's 3 minutes. */
const patience = {
  connect_timeout: '5s',
  timeout: '60s',
  client_max_retries: '1',
  client_retry_timeout: '5',
};

/**
 * @param directory of this machine, where it notes what it saw of other machines' leases
 * @param holder names this process among all machines
 */
export function sharedPlace(
  { uri, options }: SharedStorage,
  directory: string,
  holder: string,
  prepare?: () => void,
): TablePlace {
  const { connect, close } = connectOnce(uri, { ...patience, ...options }, prepare);
  let control: Promise<Table> | undefined;
  const controlTable = (): Promise<Table> => {
    control ??= connect()
      .then(openControlTable)
      .catch((thrown: unknown) => {
        control = undefined;
        throw thrown;
      });
    return control;
  };
  const lease = openLease({
    table: controlTable,
    holder,
    shown: uri,
    seenPath: join(directory, 'shared-lease.json'),
  });
  let known: { names: Promise<TableName[]>; untilMs: number } | undefined;
  const forget = (): void => {
    known = undefined;
  };
  return {
    isShared: true,
    connect,
    writtenVersion: () => 0,
    names: () => {
      if (known === undefined || performance.now() > known.untilMs) {
        const names = readNames().catch((thrown: unknown) => {
          forget();
          throw thrown;
        });
        known = { names, untilMs: performance.now() + namesAgeMs };
      }
      return known.names;
    },
    remove: async () => {},
    drop: async (table) => (await connect()).dropTable(table),
    keepName: async (name) => {
      await keepNameIn(await controlTable(), name);
      forget();
    },
    beWriter: () => lease.acquire(),
    endWriting: () => lease.release(),
    forget,
    toError: (thrown) => toSharedError(thrown, uri),
    close: () => {
      lease[Symbol.dispose]();
      control?.then((table) => table.close()).catch(() => {});
      control = undefined;
      close();
    },
  };

  async function readNames(): Promise<TableName[]> {
    const there = new Set(await (await connect()).tableNames());
    if (!there.has(controlName)) return [];
    // a name is kept before its table is made, and a process may have died in between
    return (await namesIn(await controlTable())).filter(({ table }) => there.has(table));
  }
}

const safe = 'what was remembered is safe in cuervo.db and moves over later';

function toSharedError(thrown: unknown, uri: string): KernelError {
  if (thrown instanceof KernelError) return thrown;
  const message = reasonOf(thrown);
  const error = (what: string, hint: string): KernelError =>
    new KernelError('unavailable', `the shared memory in ${uri} ${what}`, { cause: thrown, hint });
  if (/NoSuchBucket/.test(message)) {
    return error('has no bucket', `Make the bucket, or set memory.uri in config.toml; ${safe}`);
  }
  if (
    /AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|status: 40[13]|credential/i.test(
      message,
    )
  ) {
    return error(
      'does not let this user in',
      `Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to keys that may read and write it; ${safe}`,
    );
  }
  if (/error sending request|timed? ?out|connect|dns|RetryError/i.test(message)) {
    return error(
      'cannot be reached',
      `Check the network and AWS_ENDPOINT, then try again; ${safe}`,
    );
  }
  const reason = message
    .split(/\n|, \/|\s+Caused by/)[0]!
    .trim()
    .slice(0, 160);
  return error(`cannot be used: ${reason}`, `Look at it with: cuervo memory stats; ${safe}`);
}

/** The right to write to tables that machines share, for one process among all of them. */
export type Lease = Disposable & {
  /**
   * Waits for it, and keeps it until it is released.
   *
   * @throws {KernelError} `unavailable` when another does not end within 30 s, or when it was lost
   */
  acquire(): Promise<void>;
  release(): Promise<void>;
};

export type LeasePorts = {
  table(): Promise<Table>;
  /** letters, digits, `:`, `.` and `-` */
  holder: string;
  /** for messages */
  shown: string;
  /** the file in which this machine notes since when the holder has not moved */
  seenPath: string;
  /** for tests; milliseconds */
  times?: Partial<LeaseTimes>;
};

export type LeaseTimes = { beatMs: number; deadMs: number; patienceMs: number; pollMs: number };

/** A holder that dies blocks writers for a minute; readers are never blocked. */
const defaultTimes: LeaseTimes = {
  beatMs: 15_000,
  deadMs: 60_000,
  patienceMs: 30_000,
  pollMs: 250,
};

const rowId = 'writer';

/**
 * The lease is a row that changes on a condition; LanceDB commits one of many attempts. The holder
 * counts the row up while it works. Clocks of machines are not compared: a holder counts as dead
 * when this machine has seen the same count for a minute. If such a holder wakes up beside its
 * successor, LanceDB's own commits keep the tables whole and the ids distinct.
 */
export function openLease(ports: LeasePorts): Lease {
  const { holder, shown } = ports;
  const times = { ...defaultTimes, ...ports.times };
  let held: { beat: NodeJS.Timeout; isLost: boolean } | undefined;

  const read = async (table: Table): Promise<ControlRow | undefined> => {
    await table.checkoutLatest();
    const [row]: ControlRow[] = await table.query().where(`id = '${rowId}'`).limit(1).toArray();
    return row;
  };
  /** @returns whether the row was still as it was read */
  const change = async (row: ControlRow, to: string): Promise<boolean> => {
    const table = await ports.table();
    const same = `id = '${rowId}' AND holder = '${row.holder}' AND beat = ${row.beat}`;
    try {
      const { rowsUpdated } = await table.update({
        where: same,
        valuesSql: { holder: `'${to}'`, beat: `${row.beat + 1n}` },
      });
      return rowsUpdated > 0;
    } catch (thrown) {
      // another was faster: its commit came first
      if (/conflict/i.test(String(thrown))) return false;
      throw thrown;
    }
  };
  const beat = async (): Promise<void> => {
    const mine = held;
    const row = await read(await ports.table());
    if (mine === undefined || mine !== held) return;
    if (row?.holder !== holder || !(await change(row, holder))) mine.isLost = true;
  };
  const tryAcquire = async (): Promise<boolean> => {
    const table = await ports.table();
    const row = await read(table);
    if (row === undefined) {
      await putControlRow(table, { id: rowId, holder: '', beat: 0n, value: '' });
      return false;
    }
    const isFree = row.holder === '' || row.holder === holder || (await isDead(row));
    return isFree && (await change(row, holder));
  };
  const isDead = async (row: ControlRow): Promise<boolean> => {
    const now = Date.now();
    const state = `${row.holder} ${row.beat}`;
    const seen = readSeen(ports.seenPath);
    // a clock that was set back starts the minute anew
    if (seen?.state === state && seen.sinceMs <= now) return now - seen.sinceMs >= times.deadMs;
    await mkdir(dirname(ports.seenPath), { recursive: true, mode: 0o700 });
    writeFileWhole(ports.seenPath, JSON.stringify({ state, sinceMs: now }));
    return false;
  };
  return {
    acquire: async () => {
      if (held?.isLost) throw unavailable('this process lost its turn to write to');
      if (held !== undefined) return;
      const untilMs = performance.now() + times.patienceMs;
      while (!(await tryAcquire())) {
        if (performance.now() > untilMs) throw unavailable('another process keeps writing to');
        await sleep(times.pollMs);
      }
      const timer = setInterval(() => {
        // A failed beat is ignored: the next one makes up for it, or the lease is lost.
        beat().catch(() => {});
      }, times.beatMs);
      held = { beat: timer.unref(), isLost: false };
    },
    release: async () => {
      if (held === undefined) return;
      clearInterval(held.beat);
      held = undefined;
      const table = await ports.table();
      const row = await read(table);
      if (row?.holder !== holder) return;
      await change(row, '');
      if (row.beat % tidyBeats === 0n) {
        await table.optimize({ cleanupOlderThan: new Date(Date.now() - keepVersionsMs) });
      }
    },
    [Symbol.dispose]: () => {
      if (held !== undefined) clearInterval(held.beat);
    },
  };

  function unavailable(what: string): KernelError {
    return new KernelError('unavailable', `${what} the shared memory in ${shown}`, {
      hint: 'Try again later; what was remembered is safe in cuervo.db and moves over then.',
    });
  }
}

/** Each turn leaves two versions of a small table. */
const tidyBeats = 64n;
const keepVersionsMs = 10 * 60_000;

function readSeen(path: string): { state: string; sinceMs: number } | undefined {
  try {
    const seen: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const { state, sinceMs } = (seen ?? {}) as Record<string, unknown>;
    return typeof state === 'string' && typeof sinceMs === 'number'
      ? { state, sinceMs }
      : undefined;
  } catch {
    return undefined; // nothing was seen yet
  }
}

/** Beside the tables of shared layers: which table serves which layer, and who writes. */
const controlName = 'cuervo-control';

/** A row of it: a layer's table as JSON in `value`, or the lease with its holder and beat. */
export type ControlRow = { id: string; holder: string; beat: bigint; value: string };

const layerPrefix = 'layer:';

/** Opens it; makes it if it is missing. The caller owns the result. */
export async function openControlTable(connection: Connection): Promise<Table> {
  if ((await connection.tableNames()).includes(controlName)) {
    return await connection.openTable(controlName);
  }
  const arrow = loadArrow();
  const schema = new arrow.Schema([
    new arrow.Field('id', new arrow.Utf8(), false, primaryKey),
    new arrow.Field('holder', new arrow.Utf8(), false),
    new arrow.Field('beat', new arrow.Int64(), false),
    new arrow.Field('value', new arrow.Utf8(), false),
  ]);
  try {
    return await connection.createEmptyTable(controlName, schema, { existOk: true });
  } catch (thrown) {
    // two machines at once: one of them made it
    if (!(await connection.tableNames()).includes(controlName)) throw thrown;
    return await connection.openTable(controlName);
  }
}

/** Adds the row, or takes the place of the one with its id. */
async function putControlRow(table: Table, row: ControlRow): Promise<void> {
  const { makeArrowTable } = await import('@lancedb/lancedb');
  await table.checkoutLatest();
  await table
    .mergeInsert('id')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(makeArrowTable([row], { schema: await table.schema() }));
}

async function namesIn(table: Table): Promise<TableName[]> {
  await table.checkoutLatest();
  const rows: ControlRow[] = await table.query().toArray();
  return rows.flatMap(({ id, value }) => {
    if (!id.startsWith(layerPrefix)) return [];
    const name: unknown = JSON.parse(value);
    return isTableName(name) ? [name] : [];
  });
}

async function keepNameIn(table: Table, name: TableName): Promise<void> {
  const id = `${layerPrefix}${name.layer}`;
  await putControlRow(table, { id, holder: '', beat: 0n, value: JSON.stringify(name) });
}
