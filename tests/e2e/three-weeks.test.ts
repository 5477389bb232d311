import { openKernel } from 'cuervo';
import { describe, expect, it } from 'vitest';
import { allJobs } from '../../scheduler/all-jobs.ts';
import { dayMs, hourMs } from '../../scheduler/job.ts';
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

describe('three weeks at a terminal', () => {
  it('what was told on the first days holds, moves, and is taken back in the third week', async () => {
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

    const layersOf = async () => {
      await using kernel = await openKernel({ home: place.home, workspace: place.work });
      const memory = await kernel.memory();
      const kinds = ['fact', 'decision', 'preference'];
      const rows = await memory.list({ kinds }, { signal, limit: 99 });
      return new Map(rows.map(({ record: { text, layer } }) => [text, layer]));
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

    // the second week: something moves, something near is told, something is said again
    await time.pass(4 * dayMs);
    await ask('remember that releases happen on Thursdays');
    await time.pass(2 * hourMs);
    await ask('remember that backups run at midnight');
    await time.pass(3 * dayMs);
    const moved = await ask('remember that we moved releases from Thursday to Friday');
    const ids = /memory replace (\w+) (\w+)/.exec(moved.answer?.text ?? '')?.slice(1) ?? [];
    expect((await place.cuervo(['memory', 'replace', ...ids])).code).toBe(0);
    const near = await ask('remember that hotfix releases happen on Mondays');
    expect(near.answer?.text).toContain('holds beside it: "we moved releases');
    await ask('remember that backups run at midnight');
    await time.pass(7 * hourMs);
    const week = await ask('when do releases happen?');
    expect(week.answer?.text).toMatch(
      /we moved releases from Thursday to Friday\n +replaces: releases happen on Thursdays \(10 May\)/,
    );
    const layers = await layersOf();
    expect(layers.get('backups run at midnight')).toBe('assets');
    expect(layers.get('hotfix releases happen on Mondays')).toBe('insights');

    // the third week: other words, a time that is past, an end, and taking it back
    await time.pass(7 * dayMs);
    const past = await ask('when did releases happen on 11 May?');
    expect(past.answer?.text).toContain('releases happen on Thursdays');
    const ended = await ask('forget what I said about backups');
    expect(ended.answer?.text).toContain('No longer holds: "backups run at midnight');
    const none = await ask('when do backups run?');
    expect(none.answer?.text ?? '').not.toContain('midnight');
    const [run = ''] = /undo (\S+)/.exec(ended.answer?.text ?? '')?.slice(1) ?? [];
    expect((await place.cuervo(['undo', run, '--yes'])).code).toBe(0);
    const again = await ask('when do backups run?');
    expect(again.answer?.text).toContain('backups run at midnight');
    expect((await ask('where do we keep the outbox?')).answer?.text).toContain('in Postgres');

    const log = await place.cuervo(['jobs', 'log', 'promote_decisions']);
    expect(log.stdout).toMatch(
      /2026-05-04 16:00Z {2}promote_decisions {2}done {2}\(every 6 h, and 7 h have passed\)\n {2}promoted 1 row\n.*: a decision that you told\n/,
    );
  }, 300_000);
});
