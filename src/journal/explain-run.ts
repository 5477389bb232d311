import type { JournalBody, JournalEvent, JournalKind } from '../contracts/journal.ts';
import type { Explanation } from '../contracts/output/parse-journal.ts';
import type { RunRow } from '../contracts/store.ts';

/** Why a run did what it did, and what it cost, out of its events alone. */
export function explainRun(run: RunRow, events: readonly JournalEvent[]): Explanation {
  const ofKind = <Kind extends JournalKind>(kind: Kind) => bodiesOf(events, kind);
  const [began] = ofKind('run');
  const [reading] = ofKind('reading');
  const requests = ofKind('model-call').map(({ spent: _, ...request }) => request);
  const answer = ofKind('answer').at(-1);
  const error = ofKind('error').at(-1);
  const used = new Set(answer?.memory.map(({ id }) => id));
  const ended = ofKind('run-finished').at(-1);
  const models = requests.flatMap(({ model }) => (model === undefined ? [] : [model]));
  return {
    run: run.id,
    command: run.command,
    question: run.question,
    workspace: run.project,
    status: run.status,
    startedMs: run.startedMs,
    ...(ended === undefined ? {} : { durationMs: ended.durationMs }),
    ...(reading === undefined ? {} : { reading }),
    model: {
      name: run.model,
      ...(began?.modelFrom === undefined ? {} : { from: began.modelFrom }),
      answered: [...new Set(models)],
    },
    steps: stepsOf(events),
    requests,
    shortened: ofKind('compaction').length,
    memory: {
      read: ofKind('memory-read')
        .flatMap(({ rows }) => rows)
        .map((row) => ({ ...row, used: used.has(row.id) })),
      written: ofKind('memory-write').flatMap(({ rows }) => rows),
    },
    allowed: allowedIn(ofKind('grant')),
    denied: deniedIn(events),
    guard: ofKind('guard'),
    ...(answer === undefined ? {} : { answer: answerOf(answer) }),
    ...(error === undefined ? {} : { error }),
    cost: costOf(requests, ofKind('step')),
    missing: missingIn(events),
  };
}

/** Contents of the events of a kind, but of those that were removed. */
function bodiesOf<Kind extends JournalKind>(
  events: readonly JournalEvent[],
  kind: Kind,
): JournalBody<Kind>[] {
  return events.flatMap((event) =>
    event.kind === kind && event.body !== undefined ? [event.body as JournalBody<Kind>] : [],
  );
}

function stepsOf(events: readonly JournalEvent[]): Explanation['steps'] {
  const calls = new Map<string, number>();
  for (const { kind, step = '', body } of events)
    if (kind === 'host-call')
      calls.set(step, (calls.get(step) ?? 0) + ((body as JournalBody<'host-call'>)?.times ?? 1));
  const planned = bodiesOf(events, 'plan').flatMap(({ steps }) => steps);
  return events.flatMap((event) => {
    if (event.kind !== 'step' || event.body === undefined) return [];
    const { step = '', body } = event;
    const { tool, plugin, status, durationMs, attempts, summary } = body;
    const { insteadOf } = planned.find(({ id }) => id === step) ?? {};
    return {
      ...{ step, tool, plugin, status, durationMs, attempts, summary },
      ...(insteadOf === undefined ? {} : { insteadOf }),
      calls: calls.get(step) ?? 0,
    };
  });
}

function allowedIn(grants: readonly JournalBody<'grant'>[]): Explanation['allowed'] {
  const allowed = new Map<string, Explanation['allowed'][number]>();
  for (const grant of grants) {
    const key = JSON.stringify([grant.plugin, grant.grant, grant.by]);
    const { times } = allowed.get(key) ?? { times: 0 };
    allowed.set(key, { ...grant, times: times + 1 });
  }
  return [...allowed.values()];
}

function deniedIn(events: readonly JournalEvent[]): Explanation['denied'] {
  return events.flatMap((event) => {
    if (event.kind !== 'host-call' || event.body?.outcome !== 'denied') return [];
    const { call, target, times = 1 } = event.body;
    return { step: event.step ?? '', call, target, times };
  });
}

function answerOf({ mode, evidence, stop }: JournalBody<'answer'>): Explanation['answer'] & {} {
  return { mode, places: evidence.length, ...(stop === undefined ? {} : { stop }) };
}

function costOf(
  requests: Explanation['requests'],
  steps: readonly JournalBody<'step'>[],
): Explanation['cost'] {
  const sum = <Row>(rows: readonly Row[], of: (row: Row) => number | undefined): number =>
    rows.reduce((total, row) => total + (of(row) ?? 0), 0);
  const unpriced = requests.filter(({ usd }) => usd === undefined).length;
  return {
    requests: requests.length,
    inputTokens: sum(requests, ({ inputTokens }) => inputTokens),
    cachedTokens: sum(requests, ({ cachedTokens }) => cachedTokens),
    outputTokens: sum(requests, ({ outputTokens }) => outputTokens),
    ...(unpriced === requests.length ? {} : { usd: sum(requests, ({ usd }) => usd) }),
    unpriced,
    modelMs: sum(requests, ({ durationMs }) => durationMs),
    toolMs: Math.round(sum(steps, ({ durationMs }) => durationMs)),
  };
}

function missingIn(events: readonly JournalEvent[]): string[] {
  const removed = events.filter(({ body }) => body === undefined).length;
  const lost = bodiesOf(events, 'gap').map(
    ({ lost: many, reason }) => `${many} events could not be written: ${reason}`,
  );
  return [...(removed === 0 ? [] : [`${removed} events were forgotten or pruned`]), ...lost];
}
