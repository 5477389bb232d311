import type { JournalBody, JournalEvent } from '../contracts/journal.ts';
import { counted } from '../lib/text/amounts.ts';
import { shortenText } from '../lib/text/columns.ts';
import { guardLine } from './call-lines.ts';
import { oneLine } from './output.ts';

/** Characters of one event; all of it is in `--json`. */
const maxText = 200;

/** An event for a person, on one line. @param startedMs of its run */
export function eventText(event: JournalEvent, startedMs: number): string {
  const at = `${((event.ts - startedMs) / 1000).toFixed(2)} s`.padStart(9);
  const step = (event.step ?? '').padEnd(4);
  const text = shortenText(oneLine(eventWords(event)), maxText);
  return `${at}  ${step}  ${event.kind.padEnd(12)}  ${text}`;
}

/** The right by which a call was made. */
export const byText: Readonly<Record<JournalBody<'grant'>['by'], string>> = {
  grant: 'a grant',
  rule: 'a rule on programs',
  sandbox: 'the sandbox alone',
  person: 'an answer',
};

function modelCallText(body: JournalBody<'model-call'>): string {
  const { round, model = '', inputTokens, outputTokens, usd, stop, attempts = 1 } = body;
  return [
    `round ${round}${model === '' ? '' : ` of ${model}`}: ${inputTokens} tokens in, ${outputTokens} out`,
    ...(usd === undefined ? [] : [`$${usd.toFixed(4)}`]),
    ...(stop === undefined ? [] : [stop]),
    ...(attempts === 1 ? [] : [attempts === 0 ? 'from the cache' : `${attempts} attempts`]),
  ].join(', ');
}

/** What an event says of itself. */
export function eventWords(event: JournalEvent): string {
  if (event.body === undefined) return '(removed)';
  if (event.kind === 'run') return `${event.body.command}, model ${event.body.model}`;
  if (event.kind === 'plan')
    return event.body.steps.map(({ id, tool }) => `${id} ${tool}`).join(', ');
  if (event.kind === 'step') {
    const { tool, status, summary, durationMs } = event.body;
    return `${tool} ${status} in ${durationMs} ms: ${summary}`;
  }
  if (event.kind === 'host-call') {
    const { call, target, outcome, bytes } = event.body;
    return `${call} ${target} ${outcome}${bytes === undefined ? '' : `, ${bytes} bytes`}`;
  }
  if (event.kind === 'decision') return event.body.what;
  if (event.kind === 'guard') return guardLine(event.body);
  if (event.kind === 'model-call') return modelCallText(event.body);
  if (event.kind === 'reading') {
    const { kind, others, images = [] } = event.body;
    const sent = images.map(({ source, bytes }) => `, with the image ${source} of ${bytes} bytes`);
    return `read as ${[kind, ...others].join(', or ')}${sent.join('')}`;
  }
  if (event.kind === 'grant')
    return `${event.body.plugin} uses ${event.body.grant}, by ${byText[event.body.by]}`;
  if (event.kind === 'memory-read') return counted(event.body.rows.length, 'row');
  if (event.kind === 'memory-write')
    return event.body.rows.map(({ id, layer, kind }) => `${kind} ${id} in ${layer}`).join(', ');
  if (event.kind === 'network') {
    const { method, origin, what, outcome, bytes } = event.body;
    return `${method} ${origin} for ${what}: ${outcome}, ${bytes} bytes`;
  }
  if (event.kind === 'compaction')
    return event.body.summary === undefined ? 'results made shorter' : 'summed up';
  if (event.kind === 'job') {
    const { job, outcome, durationMs, summary } = event.body;
    return `${job} ${outcome} in ${durationMs} ms: ${summary}`;
  }
  if (event.kind === 'answer') {
    const { mode, evidence, memory } = event.body;
    return `${mode}: ${counted(evidence.length, 'place')}, ${counted(memory.length, 'row')} of memory`;
  }
  if (event.kind === 'error') return `${event.body.code}: ${event.body.message}`;
  if (event.kind === 'run-finished') return `${event.body.status} in ${event.body.durationMs} ms`;
  if (event.kind === 'removed') return `contents removed by ${event.body.why}`;
  return `${event.body.lost} events could not be written: ${event.body.reason}`;
}
