import { expect, it } from 'vitest';
import type { JournalEvent } from '../contracts/journal.ts';
import type { RunRow } from '../contracts/store.ts';
import { chromeTrace, otlpRequest, traceRun } from './trace-run.ts';

const run: RunRow = {
  ...{ id: 'r1', session: undefined, command: 'run', question: 'q', project: '/p' },
  ...{ model: 'none', status: 'ok', startedMs: 0, finishedMs: 9 },
};
const call = { call: 'fs.read-text', target: 'work:a', outcome: 'ok' as const, durationMs: 2 };

it('traceRun() keeps each of 50,000 calls of one moment, and the viewer gets few rows', () => {
  const events = Array.from(
    { length: 50_000 },
    (_, at): JournalEvent => ({ seq: at + 1, run: 'r1', kind: 'host-call', ts: 9, body: call }),
  );
  const trace = traceRun(run, events);
  expect(new Set(trace.spans.map(({ id }) => id)).size).toBe(50_001);
  const { traceEvents } = chromeTrace(trace) as { traceEvents: { tid: number }[] };
  expect(traceEvents).toHaveLength(50_001);
  expect(new Set(traceEvents.map(({ tid }) => tid)).size).toBeLessThan(300);
  expect(JSON.stringify(otlpRequest([trace])).match(/"spanId"/g)).toHaveLength(50_001);
});
