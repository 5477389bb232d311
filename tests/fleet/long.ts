import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readResults } from '../../src/fleet/read-reports.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { openFleet, runOf } from './support/open-fleet.ts';
import { openWire } from './support/open-wire.ts';
import { openPostgres } from './support/postgres.ts';

/**
 * Many jobs for workers that are killed again and again, half of them with a clock an hour wrong,
 * over a wire that is cut for 30 seconds; exit code 1 when a job was lost or counted twice.
 *
 * `npm run test:fleet:long [-- SEED]`
 */
const [jobs, kills, side] = [5_000, 200, 4];
const seed = Number(process.argv[2] ?? 20_261_129);
const random = seededRandom(seed);
const dir = mkdtempSync(join(tmpdir(), 'cuervo-fleet-long-'));
const file = join(dir, 'done');
writeFileSync(file, '');
using server = await openPostgres();
await using wire = await openWire(server.port);
const overWire = server.address.replace(`:${server.port}/`, `:${wire.port}/`);
await using fleet = await openFleet(server.address);
await fleet.queue.submit(runOf('long', jobs));

const start = (clockMs: number) => {
  const child = resolve(import.meta.dirname, 'children/worker.ts');
  const args = [child, overWire, '', file, '1', String(clockMs)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
};
let killed = 0;
let cutMs = 0;
const work = async (place: number): Promise<void> => {
  for (;;) {
    const worker = start(place % 2 === 0 ? 0 : 3_600_000 * (place === 1 ? 1 : -1));
    const ended = new Promise<number | null>((done) => worker.once('close', (code) => done(code)));
    const stop = new AbortController();
    const kill = async (): Promise<void> => {
      // Long enough to have begun a job, and short of what a job's lease is.
      await sleep(700 + random() * 2_000, undefined, { signal: stop.signal });
      if (killed >= kills) return;
      killed += 1;
      worker.kill('SIGKILL');
    };
    const killing = kill().catch(() => {}); // it ended by itself
    const code = await ended;
    stop.abort();
    await killing;
    if (code === 0) return;
    if (code !== null) throw new Error(`a worker ended with ${code}`);
  }
};
const cutting = (async () => {
  await sleep(5_000);
  const startMs = performance.now();
  wire.cut();
  await sleep(30_000);
  wire.mend();
  cutMs = performance.now() - startMs;
})();
await Promise.all([...Array.from({ length: side }, (_, place) => work(place)), cutting]);

let results = 0;
let again = 0;
const failed: string[] = [];
const seen = new Set<string>();
for await (const each of readResults(fleet.database, 'long')) {
  results += 1;
  seen.add(each.repository);
  if (each.attempts > 1) again += 1;
  if (each.outcome !== 'ok') failed.push(`${each.repository}: ${each.outcome} ${each.summary}`);
}
const worked = readFileSync(file, 'utf8').trimEnd().split('\n').length;
const isEmpty = await fleet.queue.isEmpty();
const isWhole = results === jobs && seen.size === jobs && failed.length === 0 && isEmpty;
console.log(
  `${isWhole ? 'ok  ' : 'FAIL'} ${jobs} jobs, ${killed} kills (seed ${seed}), ${Math.round(cutMs / 1000)} s cut: ${results} results of ${seen.size} jobs, ${worked} times worked, ${again} taken again`,
);
for (const line of failed.slice(0, 20)) console.log(`     ${line}`);
if (!isWhole) process.exitCode = 1;
rmSync(dir, { recursive: true, force: true });
