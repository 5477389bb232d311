import { openKernel } from 'cuervo';
import { describe, expect, it } from 'vitest';
import { allJobs } from '../../scheduler/all-jobs.ts';
import { hourMs } from '../../scheduler/job.ts';
import { runDueJobs } from '../../scheduler/run-due-jobs.ts';
import { defaultLeaseMs } from '../../scheduler/run-job.ts';
import type { RunEvent } from '../../src/contracts/events.ts';
import { createVirtualTime } from '../fixtures/virtual-time.ts';
import { openPlace } from '../support/place.ts';
import { linesOf } from '../support/run-cuervo.ts';

const files = {
  'README.md': '# Ferry\n\nCarries messages over a river, from one queue to another.\n',
  'src/worker.ts': '// takes messages from the queue\nexport function takeMessage() {}\n',
};

describe('three days at a terminal', () => {
  it('a decision of the first day answers a question of the third, and jobs log says why', async () => {
    using place = openPlace(files);
    const time = createVirtualTime(Date.UTC(2026, 4, 4, 9));
    const { signal } = new AbortController();

    /** One command, with the jobs that are due behind it, at the time that it is. */
    const ask = async (question: string) => {
      await using kernel = await openKernel({
        home: place.home,
        workspace: place.work,
        model: 'none',
        clock: time.clock,
      });
      const lines: RunEvent[] = [];
      for await (const event of kernel.ask(question)) lines.push(event);
      const ports = { kernel, timing: time.timing, signal, stuck: new Set<string>() };
      await runDueJobs(allJobs, { ...ports, leaseMs: defaultLeaseMs });
      const memory = await kernel.memory();
      const { interact, insights } = await memory.count({}, { signal });
      return { answer: linesOf({ lines }, 'answer')[0], interact, insights };
    };

    await ask('remember that we decided to keep the outbox in Postgres, as Redis lost messages');
    await time.pass(7 * hourMs);
    const evening = await ask('where are messages taken from the queue?');
    expect([evening.interact, evening.insights]).toEqual([1, 1]);
    await time.pass(19 * hourMs);
    await ask('what does the ferry carry?');
    await time.pass(25 * hourMs);
    const third = await ask('where do we keep the outbox?');
    expect(third.answer?.memory).toMatchObject([{ layer: 'insights' }]);
    expect(third.answer?.text).toContain('we decided to keep the outbox in Postgres');
    // What was said on the first two days is there, turn by turn.
    expect([third.interact, third.insights]).toEqual([3, 1]);

    const log = await place.cuervo(['jobs', 'log', 'promote_decisions']);
    expect(log.stdout).toMatch(
      /2026-05-04 16:00Z {2}promote_decisions {2}done {2}\(every 6 h, and 7 h have passed\)\n {2}promoted 1 row\n.*a decision that you told: we decided to keep the outbox/,
    );
  }, 120_000);
});
