import type { NewFleetRun } from '../../../src/contracts/fleet.ts';
import { type FleetDatabase, openDatabase } from '../../../src/fleet/open-database.ts';
import { type FleetQueue, openQueue } from '../../../src/fleet/open-queue.ts';
import { parseAddress } from '../../../src/fleet/parse-repositories.ts';

export const leaseSeconds = 10;

/** The database and the queue as a worker has them. The caller owns them. */
export async function openFleet(
  address: string,
  {
    isWorker = false,
    connections = 6,
    statementMs = 60_000,
  }: { isWorker?: boolean; connections?: number; statementMs?: number } = {},
): Promise<{ database: FleetDatabase; queue: FleetQueue } & AsyncDisposable> {
  const database = await openDatabase({
    address: parseAddress(address),
    password: async () => 'none',
    ca: undefined,
    connections,
    // Longer than the wire is cut.
    patienceMs: 60_000,
    statementMs,
    signal: new AbortController().signal,
  });
  const queue = await openQueue(database, { isWorker, leaseSeconds });
  return {
    ...{ database, queue },
    [Symbol.asyncDispose]: async () => {
      await queue[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** A run over repositories that nobody fetches. */
export function runOf(id: string, count: number, more: Partial<NewFleetRun> = {}): NewFleetRun {
  const repositories = Array.from({ length: count }, (_, index) => `/${id}/${index}`);
  return { id, work: { kind: 'index' }, budget: {}, repositories, ...more };
}
