import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readResults } from '../../src/fleet/read-reports.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { openFleet, runOf } from './support/open-fleet.ts';
import { openWire } from './support/open-wire.ts';
import { openPostgres } from './support/postgres.ts';

/**
 * Many jobs for workers that are killed again and again, half of them with a clock an hour wrong,
 * over a wire that is cut for 30 seconds; exit code 1 when a job was lost or counted twice.
 *
 * `npm run test:fleet:long [-- --jobs N --kills N --seed N]`
 */
const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '20261129' },
  },
});
const [jobs, kills, seed] = [Number(values.jobs), Number(values.kills), Number(values.seed)];
const side = 4;
const startedMs = performance.now();
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
  const args = [child, overWire, '', file, '30', String(clockMs)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
};
let killed = 0;
let cutMs = 0;
const firstJob = Promise.withResolvers<void>();
const work = async (place: number): Promise<void> => {
  for (;;) {
    const worker = start(place % 2 === 0 ? 0 : 3_600_000 * (place === 1 ? 1 : -1));
    const ended = new Promise<number | null>((done) => worker.once('close', (code) => done(code)));
    // A worker that was killed before it took a job would show nothing.
    worker.once('message', async () => {
      firstJob.resolve();
      await sleep(random() * 2_000);
      if (killed < kills && worker.kill('SIGKILL')) killed += 1;
    });
    const code = await ended;
    if (code === 0) return;
    if (code !== null) throw new Error(`a worker ended with ${code}`);
  }
};
const cutting = (async () => {
  await firstJob.promise;
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
const isWhole =
  results === jobs && seen.size === jobs && failed.length === 0 && isEmpty && killed === kills;
console.log(
  `${isWhole ? 'ok  ' : 'FAIL'} ${jobs} jobs, ${killed} kills (seed ${seed}), ${Math.round(cutMs / 1000)} s cut: ${results} results of ${seen.size} jobs, ${worked} times worked, ${again} taken again, ${Math.round((performance.now() - startedMs) / 1000)} s`,
);
for (const line of failed.slice(0, 20)) console.log(`     ${line}`);
if (!isWhole) process.exitCode = 1;
rmSync(dir, { recursive: true, force: true });
