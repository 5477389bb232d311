import type { JournalBody, JournalEvent } from '../../contracts/journal.ts';
import type { PageEvent, PageStep, RunView } from '../../page/views.ts';

/** The newest of a run; the rest is counted. */
const maxEvents = 2_000;
const maxInput = 2_000;

/** An event in words, on one line. */
export type DescribeEvent = (event: JournalEvent) => string;

type ViewOfEvents = Pick<
  RunView,
  'steps' | 'capabilities' | 'memory' | 'denials' | 'events' | 'eventsLeftOut'
> &
  Partial<Pick<RunView, 'usage'>> & {
    places: JournalBody<'answer'>['evidence'];
    /** names of files that its tools asked for, relative to the workspace */
    files: string[];
  };

/** What the events of a run tell, without a look at anything else. */
export function viewOfEvents(
  events: readonly JournalEvent[],
  describe: DescribeEvent,
): ViewOfEvents {
  const steps = new Map<string, PageStep>();
  const capabilities = new Map<string, { capability: string; decision: string }>();
  const files = new Set<string>();
  const view: ViewOfEvents = {
    ...{ steps: [], capabilities: [], memory: [], denials: [], places: [], files: [] },
    events: events.slice(-maxEvents).map((event) => pageEvent(event, describe)),
    eventsLeftOut: Math.max(0, events.length - maxEvents),
  };
  for (const event of events) {
    if (event.body === undefined) continue;
    if (event.kind === 'plan') {
      for (const { id, tool, needs, effect, input } of event.body.steps)
        steps.set(id, { id, tool, needs, effect, input: inputText(input) });
      for (const { capability, detail, decision } of event.body.capabilities) {
        const name = detail === undefined ? capability : `${capability}:${detail}`;
        capabilities.set(name, { capability: name, decision });
      }
    } else if (event.kind === 'step') addStep(steps, event.step ?? '', event.body, event.ts);
    else if (event.kind === 'model-call') addUsage(view, event.body);
    else if (event.kind === 'answer') {
      view.places = event.body.evidence;
      view.memory = event.body.memory.map((row) => ({ ...row }));
    } else if (event.kind === 'host-call') {
      const { call, target } = event.body;
      const path = target.replace(/^work:/, '');
      if (call.startsWith('fs') && path !== '') files.add(path);
    }
    if (isDenial(event))
      view.denials.push({
        ...(event.step === undefined ? {} : { step: event.step }),
        text: describe(event),
      });
  }
  return {
    ...view,
    steps: [...steps.values()],
    capabilities: [...capabilities.values()],
    files: [...files],
  };
}

function pageEvent(event: JournalEvent, describe: DescribeEvent): PageEvent {
  const { seq, ts, step, kind } = event;
  return { seq, atMs: ts, ...(step === undefined ? {} : { step }), kind, text: describe(event) };
}

/** A step that a tool made is in no plan; it stands below the one that made it. */
function addStep(
  steps: Map<string, PageStep>,
  id: string,
  { tool, input, status, summary, durationMs }: JournalBody<'step'>,
  endMs: number,
): void {
  const above = id.replace(/\.[^.]*$/, '');
  const planned = steps.get(id) ?? { id, tool, needs: above === id ? [] : [above] };
  steps.set(id, {
    ...planned,
    input: inputText(input),
    ...{ status, summary, durationMs, startMs: endMs - durationMs },
  });
}

function inputText(input: unknown): string {
  const text = JSON.stringify(input) ?? '';
  return text.length > maxInput ? `${text.slice(0, maxInput)}…` : text;
}

function addUsage(
  view: Partial<Pick<RunView, 'usage'>>,
  { inputTokens, outputTokens, usd }: JournalBody<'model-call'>,
): void {
  const { usage = { requests: 0, inputTokens: 0, outputTokens: 0 } } = view;
  view.usage = {
    requests: usage.requests + 1,
    inputTokens: usage.inputTokens + inputTokens,
    outputTokens: usage.outputTokens + outputTokens,
    ...(usd === undefined && usage.usd === undefined ? {} : { usd: (usage.usd ?? 0) + (usd ?? 0) }),
  };
}

function isDenial({ kind, body }: JournalEvent): boolean {
  if (body === undefined) return false;
  if (kind === 'host-call') return body.outcome === 'denied';
  if (kind === 'step') return body.status === 'denied';
  return kind === 'guard' && body.action === 'refused';
}
