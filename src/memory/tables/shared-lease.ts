import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { KernelError } from '../../contracts/error.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { type ControlRow, putControlRow } from './control-table.ts';

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
