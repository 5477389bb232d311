import type { JournalEvent } from '../contracts/journal.ts';
import type { RunRow } from '../contracts/store.ts';
import { sha256 } from '../lib/sha256.ts';
import { genAi, operations, ownNames, providerOf } from './span-names.ts';

export type SpanValue = string | number | readonly string[];

/** A piece of a run's time. */
export type Span = {
  /** 16 hex digits */
  id: string;
  parent?: string;
  name: string;
  /** `client` for a request to a model */
  kind: 'internal' | 'client';
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, SpanValue>>;
  /** an error code, or the status of a step */
  failed?: string;
};

export type Trace = { /** 32 hex digits */ id: string; spans: Span[] };

/**
 * A run as spans: the run, its rounds, requests to models and steps in them, host calls in steps.
 *
 * @param withWords also the question, and what calls were about
 */
export function traceRun(
  run: RunRow,
  events: readonly JournalEvent[],
  { withWords = false }: { withWords?: boolean } = {},
): Trace {
  const idOf = (part: string | number): string => sha256(`${run.id} ${part}`).slice(0, 16);
  const root = idOf('run');
  const ended = events.find(({ kind }) => kind === 'run-finished');
  const last = events.at(-1)?.ts ?? run.startedMs;
  const spans: Span[] = [];
  let round: Span | undefined;
  for (const event of events) {
    const parent = round?.id ?? root;
    if (event.kind === 'model-call' && event.body !== undefined) {
      const { durationMs = 0, round: number } = event.body;
      round = {
        ...{
          id: idOf(`round ${event.seq}`),
          parent: root,
          name: `round ${number}`,
          kind: 'internal',
        },
        ...timesOf(event.ts, durationMs),
        attributes: { [ownNames.round]: number },
      };
      spans.push(
        round,
        requestSpan(event.body, { id: idOf(event.seq), parent: round.id, ...event }),
      );
    } else if (event.kind === 'step' && event.body !== undefined) {
      const { tool, plugin, digest, status, durationMs } = event.body;
      const step = event.step ?? '';
      spans.push({
        ...{ id: idOf(`step ${step}`), parent, name: `${operations.step} ${tool}` },
        ...{ kind: 'internal', ...timesOf(event.ts, durationMs) },
        attributes: {
          ...{ [genAi.operation]: operations.step, [genAi.toolName]: tool },
          ...{ [genAi.toolType]: 'extension', [genAi.toolCall]: step },
          ...{ [ownNames.plugin]: plugin, [ownNames.digest]: digest },
        },
        ...(status === 'ok' ? {} : { failed: status }),
      });
      if (round !== undefined) round.endMs = Math.max(round.endMs, event.ts);
    } else if (event.kind === 'host-call' && event.body !== undefined) {
      const { call, target, outcome, durationMs, bytes } = event.body;
      const step = event.step === undefined ? parent : idOf(`step ${event.step}`);
      spans.push({
        ...{ id: idOf(event.seq), parent: step, name: call, kind: 'internal' },
        ...timesOf(event.ts, durationMs),
        attributes: {
          ...{ [ownNames.call]: call, [ownNames.outcome]: outcome },
          ...(bytes === undefined ? {} : { [ownNames.bytes]: bytes }),
          ...(withWords ? { [ownNames.target]: target } : {}),
        },
        ...(outcome === 'ok' ? {} : { failed: outcome }),
      });
    }
  }
  const { id, command, question, session, model, status } = run;
  const whole: Span = {
    ...{ id: root, name: `${operations.run} cuervo`, kind: 'internal' },
    ...{ startMs: run.startedMs, endMs: Math.max(run.startedMs, ended?.ts ?? last) },
    attributes: {
      ...{ [genAi.operation]: operations.run, [genAi.agent]: 'cuervo' },
      ...(session === undefined ? {} : { [genAi.conversation]: session }),
      ...(model === 'none' ? {} : { [genAi.requestModel]: model }),
      ...{ [ownNames.run]: id, [ownNames.command]: command },
      ...(withWords ? { [ownNames.question]: question } : {}),
    },
    ...(status === 'ok' || status === 'running' ? {} : { failed: status }),
  };
  return { id: sha256(`${run.id} trace`).slice(0, 32), spans: [whole, ...spans] };
}

/** An event is written when what it tells of has ended. */
function timesOf(endMs: number, durationMs: number): Pick<Span, 'startMs' | 'endMs'> {
  return { startMs: endMs - durationMs, endMs };
}

type Request = Extract<JournalEvent, { kind: 'model-call' }>;

function requestSpan(
  body: NonNullable<Request['body']>,
  { id, parent, ts }: { id: string; parent: string; ts: number },
): Span {
  const { model = 'unknown', inputTokens, outputTokens, cachedTokens, usd, stop } = body;
  return {
    ...{ id, parent, name: `${operations.request} ${model}`, kind: 'client' },
    ...timesOf(ts, body.durationMs ?? 0),
    attributes: {
      ...{ [genAi.operation]: operations.request, [genAi.provider]: providerOf(model) },
      ...{ [genAi.requestModel]: model, [genAi.responseModel]: model },
      ...{ [genAi.inputTokens]: inputTokens, [genAi.outputTokens]: outputTokens },
      ...(cachedTokens === undefined ? {} : { [genAi.cachedTokens]: cachedTokens }),
      ...(stop === undefined ? {} : { [genAi.finishReasons]: [stop] }),
      ...(usd === undefined ? {} : { [ownNames.usd]: usd }),
      ...(body.attempts === undefined ? {} : { [ownNames.attempts]: body.attempts }),
    },
    ...(stop === 'broken' ? { failed: 'broken' } : {}),
  };
}

/** A trace as `chrome://tracing` and Perfetto read it. */
export function chromeTrace({ spans }: Trace): object {
  const depths = depthsOf(spans);
  return {
    displayTimeUnit: 'ms',
    traceEvents: spans.map(({ id, name, kind, startMs, endMs, attributes, failed }) => ({
      ...{ name, cat: kind, ph: 'X', pid: 1, tid: depths.get(id) ?? 0 },
      ...{ ts: Math.round(startMs * 1_000), dur: Math.round((endMs - startMs) * 1_000) },
      args: failed === undefined ? attributes : { ...attributes, [genAi.errorType]: failed },
    })),
  };
}

/** Spans at once that stand below each other; more share the last row. */
const maxRows = 256;

/** Steps that ran at once share a row otherwise, which the viewer cannot nest. */
function depthsOf(spans: readonly Span[]): Map<string, number> {
  const rows: number[] = [];
  const depths = new Map<string, number>();
  for (const { id, startMs, endMs, parent } of spans) {
    const above = parent === undefined ? -1 : (depths.get(parent) ?? 0);
    let row = above + 1;
    while (row <= above + maxRows && (rows[row] ?? Number.NEGATIVE_INFINITY) > startMs) row += 1;
    rows[row] = endMs;
    depths.set(id, row);
  }
  return depths;
}

/** Traces as the JSON of an OTLP request: `POST /v1/traces`. */
export function otlpRequest(traces: readonly Trace[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues({ 'service.name': 'cuervo' }) },
        scopeSpans: [
          {
            scope: { name: 'cuervo' },
            spans: traces.flatMap(({ id, spans }) => spans.map((span) => otlpSpan(id, span))),
          },
        ],
      },
    ],
  };
}

function otlpSpan(traceId: string, span: Span): object {
  const { id, parent, name, kind, startMs, endMs, attributes, failed } = span;
  const error = failed === undefined ? {} : { [genAi.errorType]: failed };
  return {
    ...{ traceId, spanId: id, ...(parent === undefined ? {} : { parentSpanId: parent }), name },
    // SPAN_KIND_INTERNAL and SPAN_KIND_CLIENT
    kind: kind === 'client' ? 3 : 1,
    ...{ startTimeUnixNano: nanos(startMs), endTimeUnixNano: nanos(endMs) },
    attributes: keyValues({ ...attributes, ...error }),
    // STATUS_CODE_UNSET and STATUS_CODE_ERROR
    status: failed === undefined ? { code: 0 } : { code: 2, message: failed },
  };
}

/** A number of JavaScript holds them not exactly. */
const nanos = (ms: number): string => `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;

function keyValues(attributes: Readonly<Record<string, SpanValue>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: SpanValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: `${value}` } : { doubleValue: value };
  return { arrayValue: { values: value.map(anyValue) } };
}
