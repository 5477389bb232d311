import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KernelError } from '../../src/contracts/error.ts';
import type { FinishedJob, TakenJob } from '../../src/contracts/fleet.ts';
import type { FleetResult } from '../../src/contracts/output/parse-jobs.ts';
import { readBlob, readResults, readStatus } from '../../src/fleet/read-reports.ts';
import { failedWith, runWorker } from '../../src/fleet/run-worker.ts';
import { leaseSeconds, openFleet, runOf } from './support/open-fleet.ts';
import { openPostgres, type Postgres, withPostgres } from './support/postgres.ts';

const done: FinishedJob = {
  ...failedWith(new KernelError('internal', '')),
  outcome: 'ok',
  code: undefined,
  summary: 'fine',
  content: 'a\0b',
  patch: Buffer.from('a patch'),
};

describe.skipIf(withPostgres !== undefined)('the queue of a fleet', () => {
  let server: Postgres;
  let fleet: Awaited<ReturnType<typeof openFleet>>;
  beforeAll(async () => {
    server = await openPostgres();
    fleet = await openFleet(server.address);
  });
  afterAll(async () => {
    await fleet?.[Symbol.asyncDispose]();
    server?.[Symbol.dispose]();
  });

  const take = async (): Promise<TakenJob> => {
    const job = await fleet.queue.take();
    if (job === undefined) throw new Error('the queue is empty');
    return job;
  };
  const results = async (run: string): Promise<FleetResult[]> => {
    const all: FleetResult[] = [];
    for await (const each of readResults(fleet.database, run)) all.push(each);
    return all;
  };
  /** Ends what is left, so that cases do not meet. */
  const drain = async (): Promise<void> => {
    for (let job = await fleet.queue.take(); job !== undefined; job = await fleet.queue.take())
      await fleet.queue.end(job, 'drain', done);
  };

  it('queues a run once, and takes the first jobs of each run before the second ones', async () => {
    await fleet.queue.submit(runOf('one', 3));
    await fleet.queue.submit(runOf('one', 3));
    await fleet.queue.submit(runOf('two', 3));
    const taken = [await take(), await take(), await take(), await take()];
    expect(taken.map(({ run }) => run).sort()).toEqual(['one', 'one', 'two', 'two']);
    for (const job of taken) expect(await fleet.queue.end(job, 'w', done)).toBe(true);
    await drain();
    expect((await results('one')).length).toBe(3);
    expect(await fleet.queue.isEmpty()).toBe(true);
  });

  it('keeps one result of a job, with what belongs to it by digest', async () => {
    await fleet.queue.submit(runOf('once', 1));
    const job = await take();
    expect(await fleet.queue.begin(job, 'w')).toMatchObject({ state: 'begun' });
    expect(await fleet.queue.end(job, 'w', done)).toBe(true);
    // As after a commit whose answer was lost.
    expect(await fleet.queue.end(job, 'w', done)).toBe(true);
    expect(await fleet.queue.end(job, 'another', done)).toBe(false);
    const [result] = await results('once');
    expect(result).toMatchObject({ outcome: 'ok', content: 'a\ufffdb', worker: 'w', attempts: 1 });
    expect(Buffer.from(await readBlob(fleet.database, result?.patch ?? '')).toString()).toBe(
      'a patch',
    );
    await fleet.database.sql('update cuervo_fleet.blob set bytes = $1', [Buffer.from('another')]);
    await expect(readBlob(fleet.database, result?.patch ?? '')).rejects.toThrow(/were changed/);
    expect(await readStatus(fleet.database, 'once')).toMatchObject([
      { jobs: 1, ok: 1, changed: 1, waiting: 0, running: 0 },
    ]);
  });

  it('drops what a worker brings whose job another one has', async () => {
    await fleet.queue.submit(runOf('late', 1));
    const job = await take();
    await fleet.queue.giveBack(job, 'lost', { tokens: 0, usd: 0 });
    expect(await fleet.queue.renew(job)).toBe(false);
    expect(await fleet.queue.end(job, 'w', done)).toBe(false);
    expect(await results('late')).toEqual([]);
    await expect.poll(async () => (await fleet.queue.take())?.retries).toBe(1);
    await fleet.queue.cancel('late');
  });

  it('takes back what has not ended, and only once', async () => {
    await fleet.queue.submit(runOf('gone', 3));
    const job = await take();
    expect(await fleet.queue.cancel('gone')).toBe(3);
    expect(await fleet.queue.cancel('gone')).toBe(0);
    expect(await fleet.queue.renew(job)).toBe(false);
    expect(await fleet.queue.take()).toBeUndefined();
    expect(await readStatus(fleet.database, 'gone')).toMatchObject([{ canceled: 3, waiting: 0 }]);
    await expect(fleet.queue.cancel('nothing')).rejects.toThrow(/no run "nothing"/);
  });

  it('shares a budget among workers, and never gives more than there is', async () => {
    await fleet.queue.submit(runOf('cost', 4, { budget: { tokens: 100 } }));
    const [first, second] = [await take(), await take()];
    // Four times an even share is all of it.
    const share = await fleet.queue.begin(first, 'a');
    expect(share).toMatchObject({ state: 'begun', share: { tokens: 100 } });
    expect(await fleet.queue.begin(second, 'b')).toEqual({ state: 'waiting' });
    await fleet.queue.end(first, 'a', { ...done, used: { tokens: 30, usd: 0 } });
    expect(await fleet.queue.begin(second, 'b')).toMatchObject({ share: { tokens: 70 } });
    await fleet.queue.end(second, 'b', { ...done, used: { tokens: 70, usd: 0 } });
    expect(await fleet.queue.begin(await take(), 'a')).toMatchObject({ state: 'spent' });
    await fleet.queue.cancel('cost');
  });

  it('counts as spent what a lost worker had reserved', async () => {
    await fleet.queue.submit(runOf('lost', 2, { budget: { tokens: 100 } }));
    const job = await take();
    expect(await fleet.queue.begin(job, 'a')).toMatchObject({ share: { tokens: 100 } });
    const again = { ...job, retries: 1 };
    expect(await fleet.queue.begin(again, 'b')).toMatchObject({ state: 'spent' });
    await fleet.queue.cancel('lost');
  });

  it('gives no time that is over', async () => {
    await fleet.queue.submit(runOf('time', 1, { budget: { durationMs: 1 } }));
    const job = await take();
    await expect.poll(() => fleet.queue.begin(job, 'a')).toMatchObject({ state: 'spent' });
    await fleet.queue.cancel('time');
  });

  it('sets a job aside that failed three times, with its reason', async () => {
    await fleet.queue.submit(runOf('bad', 1));
    const empty = new AbortController();
    await runWorker({
      ...{ queue: fleet.queue, name: 'w', slots: 1, leaseSeconds, idleMs: 100 },
      signal: empty.signal,
      work: async () => {
        throw new KernelError('unavailable', 'no space left');
      },
      onIdle: async () => {
        if (await fleet.queue.isEmpty()) empty.abort();
      },
    });
    expect(await results('bad')).toMatchObject([
      { outcome: 'failed', code: 'unavailable', summary: 'no space left', attempts: 3 },
    ]);
  });

  it('does not begin again what may have had an effect outside', async () => {
    const work = { kind: 'run', tool: 'web.fetch', input: {}, external: true } as const;
    await fleet.queue.submit(runOf('out', 1, { work }));
    await fleet.queue.submit(runOf('in', 1, { work: { ...work, external: false } }));
    for (const state of ['unknown', 'begun']) {
      const run = state === 'unknown' ? 'out' : 'in';
      let job = await take();
      if (job.run !== run) job = await take();
      // The same attempt asks again while it waits for a budget.
      for (let time = 0; time < 2; time += 1)
        expect(await fleet.queue.begin(job, 'a')).toMatchObject({ state: 'begun' });
      expect(await fleet.queue.begin({ ...job, retries: 1 }, 'b')).toMatchObject({ state });
      await fleet.queue.giveBack(job, 'for the other case', { tokens: 0, usd: 0 });
    }
    for (const run of ['out', 'in']) await fleet.queue.cancel(run);
  });

  it('stops an old worker beside tables of a newer version', async () => {
    await fleet.queue.check();
    await fleet.database.sql('update cuervo_fleet.version set version = 2');
    try {
      await expect(fleet.queue.check()).rejects.toMatchObject({ code: 'unavailable' });
      await expect(openFleet(server.address)).rejects.toThrow(/have version 2.*knows 1/);
    } finally {
      await fleet.database.sql('update cuervo_fleet.version set version = 1');
    }
    await fleet.queue.check();
  });
});
