import { join } from 'node:path';
import type { Table } from '@lancedb/lancedb';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import { openControlTable } from './control-table.ts';
import { openLease } from './shared-lease.ts';
import type { TableName } from './table-names.ts';
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
    shown: uri,
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
      const { keepNameIn } = await import('./control-table.ts');
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
    const { controlName, namesIn } = await import('./control-table.ts');
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
