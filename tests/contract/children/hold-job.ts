// Runs the job "held" of the store at DATABASE with a lease of LEASE-MS, over and over, until its
// standard input ends; each run writes its process id to LOG before and after it works WORK-MS.
// hold-job.ts DATABASE LOG LEASE-MS WORK-MS
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../../src/store/open-store.ts';

const [path = '', log = '', leaseMs, workMs] = process.argv.slice(2);
using store = openStore({ path });
let isOver = false;
process.stdin.on('end', () => {
  isOver = true;
});
process.stdin.resume();
const holder = String(process.pid);
while (!isOver) {
  const claim = { job: 'held', holder, leaseMs: Number(leaseMs), nowMs: Date.now() };
  const seq = store.jobs.claim({ ...claim, why: () => 'a test' });
  if (seq !== undefined) {
    appendFileSync(log, `+${process.pid}\n`);
    process.stdout.write('held\n');
    await sleep(Number(workMs));
    appendFileSync(log, `-${process.pid}\n`);
    const end = { outcome: 'done', nowMs: Date.now(), summary: '', details: [] } as const;
    store.jobs.finish(seq, holder, end);
  }
  await sleep(1);
}
