import { expect, it } from 'vitest';
import type { JournalEvent } from '../../contracts/journal.ts';
import { viewOfEvents } from './run-view.ts';

it('viewOfEvents() shows a part of a run of 50,000 steps, and counts the rest', () => {
  const step = {
    ...{ tool: 'file.read', plugin: 'file', digest: 'd', input: {}, status: 'denied' },
    ...{ summary: '', durationMs: 1, bytes: 0, attempts: 1 },
  };
  const events = Array.from(
    { length: 50_000 },
    (_, at): JournalEvent => ({
      ...{ seq: at + 1, run: 'r1', step: `s${at}`, kind: 'step', ts: at, body: step },
    }),
  );
  const view = viewOfEvents(events, () => 'words');
  expect(view).toMatchObject({
    steps: { length: 500 },
    ...{ stepsLeftOut: 49_500, denials: { length: 200 }, denialsLeftOut: 49_800 },
    ...{ events: { length: 2_000 }, eventsLeftOut: 48_000 },
  });
  expect(viewOfEvents(events.slice(0, 2), () => 'words')).toMatchObject({
    ...{ steps: { length: 2 }, stepsLeftOut: 0, denialsLeftOut: 0, eventsLeftOut: 0 },
  });
});
