import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FleetResult } from '../../src/contracts/output/parse-jobs.ts';
import type { FleetDatabase } from '../../src/fleet/open-database.ts';
import { readResults } from '../../src/fleet/read-reports.ts';
import type { WorkerPoint } from '../../src/fleet/run-worker.ts';
import { openFleet, runOf } from './support/open-fleet.ts';
import { openPostgres, withPostgres } from './support/postgres.ts';

const points: readonly WorkerPoint[] = [
  ...(['taken', 'begun', 'worked', 'ended'] as const),
  ...(['before-renewal', 'after-renewal', 'before-give-back', 'after-give-back'] as const),
];
const jobs = 60;

async function results(database: FleetDatabase, run: string): Promise<FleetResult[]> {
  const all: FleetResult[] = [];
  for await (const each of readResults(database, run)) all.push(each);
  return all;
}

describe.skipIf(withPostgres !== undefined)('workers that are killed', { timeout: 400_000 }, () => {
  it('lose no job and count none twice, also while the database restarts', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cuervo-kills-'));
    using server = await openPostgres();
    const file = join(dir, 'done');
    writeFileSync(file, '');
    const work = (
      point: WorkerPoint | '',
      waitMs = 50,
      clockMs = 0,
    ): Promise<NodeJS.Signals | number | null> => {
      const child = resolve(import.meta.dirname, 'children/worker.ts');
      const args = [child, server.address, point, file, String(waitMs), String(clockMs)];
      return new Promise((done, fail) => {
        const started = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
        started.once('error', fail);
        started.once('close', (code, signal) => done(signal ?? code));
      });
    };
    await using fleet = await openFleet(server.address);
    const external = { kind: 'run', tool: 'web.fetch', input: {}, external: true } as const;
    await fleet.queue.submit(runOf('outside', 1, { work: external }));
    // Its effect has happened, and nobody has heard of it.
    expect(await work('worked')).toBe('SIGKILL');
    await fleet.queue.submit(runOf('kills', jobs));
    expect(await Promise.all(points.map((point) => work(point)))).toEqual(
      points.map(() => 'SIGKILL'),
    );
    // An hour behind, and an hour ahead: leases go by the clock of the database.
    const rest = [work('', 300, -3_600_000), work('', 300, 3_600_000)];
    await expect
      .poll(async () => (await results(fleet.database, 'kills')).length, { timeout: 60_000 })
      .toBeGreaterThan(10);
    server.restart();
    expect(await Promise.all(rest)).toEqual([0, 0]);
    const kept = await results(fleet.database, 'kills');
    const done = readFileSync(file, 'utf8').trimEnd().split('\n');
    const twice = kept.filter(({ attempts }) => attempts > 1).length;
    console.log(
      `${points.length + 1} workers killed: ${jobs} jobs, ${kept.length} results, ${done.length - 1} times worked, ${twice} taken again`,
    );
    expect(new Set(kept.map(({ repository }) => repository)).size).toBe(jobs);
    expect(kept.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    // Killed after they were taken and before they ended.
    expect(twice).toBeGreaterThanOrEqual(6);
    expect(await results(fleet.database, 'outside')).toMatchObject([{ outcome: 'unknown' }]);
    expect(done.filter((each) => each === '/outside/0').length).toBe(1);
    expect(await fleet.queue.isEmpty()).toBe(true);
    rmSync(dir, { recursive: true, force: true });
  });
});
