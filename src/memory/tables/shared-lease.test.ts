import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterAll, describe, expect, it } from 'vitest';
import { type LeaseTimes, openControlTable, openLease } from './shared-place.ts';

const top = mkdtempSync(join(tmpdir(), 'cuervo-lease-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** Leases of two machines over one control table, which lies in a folder here. */
async function twoMachines(times: Partial<LeaseTimes>) {
  const folder = mkdtempSync(join(top, 'lance-'));
  const lease = (holder: string) =>
    openLease({
      table: async () => await openControlTable(await connect(folder)),
      holder,
      shown: 's3://bucket/memory',
      seenPath: join(folder, `${holder}-seen.json`),
      times: { beatMs: 60_000, patienceMs: 0, pollMs: 1, ...times },
    });
  return { one: lease('one:1:a'), other: lease('other:2:b'), folder };
}

const refused = {
  code: 'unavailable',
  message: 'another process keeps writing to the shared memory in s3://bucket/memory',
};

describe('openLease()', () => {
  it('is for one at a time, and for the next when it is given back', async () => {
    const { one, other } = await twoMachines({});
    // the first attempt makes the row
    await expect(one.acquire()).rejects.toMatchObject(refused);
    await one.acquire();
    await one.acquire();
    await expect(other.acquire()).rejects.toMatchObject(refused);
    await other.release();
    await expect(other.acquire()).rejects.toMatchObject(refused);
    await one.release();
    await other.acquire();
    await expect(one.acquire()).rejects.toMatchObject(refused);
    await other.release();
  });

  it('waits for the other to end', async () => {
    const { one, other } = await twoMachines({ patienceMs: 60_000 });
    await one.acquire();
    let isMine = false;
    const waiting = other.acquire().then(() => {
      isMine = true;
    });
    await expect(one.acquire()).resolves.toBeUndefined();
    expect(isMine).toBe(false);
    await one.release();
    await waiting;
    await other.release();
  });

  it('goes to another process when its holder stands still, and the holder learns it', async () => {
    const { one, other, folder } = await twoMachines({ patienceMs: 60_000, beatMs: 20 });
    await one.acquire();
    one[Symbol.dispose](); // as if it had died: it counts no more
    const state = 'one:1:a 1';
    writeFileSync(join(folder, 'other:2:b-seen.json'), JSON.stringify({ state, sinceMs: 0 }));
    await other.acquire();
    await one.release(); // takes nothing from its successor
    const { one: third } = await twoMachines({});
    await expect(third.acquire()).rejects.toMatchObject(refused);
    await other.release();
  });

  it('is not taken from a holder that counts on', async () => {
    const { one, other, folder } = await twoMachines({ deadMs: 0 });
    await expect(one.acquire()).rejects.toMatchObject(refused);
    await one.acquire();
    const seen = join(folder, 'other:2:b-seen.json');
    // seen long ago, with another count
    writeFileSync(seen, JSON.stringify({ state: 'one:1:a 0', sinceMs: 0 }));
    await expect(other.acquire()).rejects.toMatchObject(refused);
    // the positive control: the same count once more
    await other.acquire();
    await other.release();
    await one.release();
  });
});
