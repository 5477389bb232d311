import { genAi } from './span-names.ts';
import type { Span, SpanValue, Trace } from './trace-run.ts';

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

/** Steps that ran at once share a row otherwise, which the viewer cannot nest. */
function depthsOf(spans: readonly Span[]): Map<string, number> {
  const rows: number[] = [];
  const depths = new Map<string, number>();
  for (const { id, startMs, endMs, parent } of spans) {
    const above = parent === undefined ? -1 : (depths.get(parent) ?? 0);
    let row = above + 1;
    while ((rows[row] ?? Number.NEGATIVE_INFINITY) > startMs) row += 1;
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
