import type { Config } from '../../contracts/config.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import type { BatchKeeper } from '../../contracts/file-changes.ts';
import type { JournalBody, JournalEvent } from '../../contracts/journal.ts';
import { openRootFiles } from '../../host/root-files.ts';
import { protectedBelow, rootFolders, workRoot } from '../../lib/files/paths.ts';
import { looksBinary } from '../../lib/text/decode-text.ts';
import type { PageChange, PageEvent, PageEvidence, PageStep, RunView } from '../../page/views.ts';
import type { FileDiff } from '../changes/undo-commands.ts';

/** The newest of a run; the rest is counted. */
const maxEvents = 2_000;
/** The first of a run: a drawing of more is read by nobody. */
const maxSteps = 500;
const maxDenials = 200;
const maxInput = 2_000;

/** An event in words, on one line. */
export type DescribeEvent = (event: JournalEvent) => string;

type ViewOfEvents = Pick<
  RunView,
  | 'steps'
  | 'stepsLeftOut'
  | 'capabilities'
  | 'memory'
  | 'denials'
  | 'denialsLeftOut'
  | 'events'
  | 'eventsLeftOut'
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
    ...{
      stepsLeftOut: 0,
      denialsLeftOut: 0,
      steps: [],
      capabilities: [],
      memory: [],
      denials: [],
      places: [],
      files: [],
    },
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
    steps: [...steps.values()].slice(0, maxSteps),
    stepsLeftOut: Math.max(0, steps.size - maxSteps),
    denials: view.denials.slice(0, maxDenials),
    denialsLeftOut: Math.max(0, view.denials.length - maxDenials),
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

/** Of one run, and lines of one file: more is for `cuervo runs diff`. */
const maxFiles = 50;
const maxLines = 400;
/** Larger texts take seconds to compare. */
const maxBytes = 512 * 1024;

/** What a run changed, as unified diffs. @param isProtected what is named and not shown */
export async function changedFiles(
  diffs: readonly FileDiff[],
  isProtected: (path: string) => boolean,
): Promise<{ changes: PageChange[]; changesLeftOut: number }> {
  const { createTwoFilesPatch } = await import('diff');
  const changes = diffs.slice(0, maxFiles).map((change): PageChange => {
    const { path, before, after, modes } = change;
    const note = isProtected(path) ? 'a protected name: its content is not shown' : noteOf(change);
    if (note !== undefined) return { path, note };
    const mode = modes === undefined ? [] : [`mode ${modes.join(' -> ')}`];
    const patch = createTwoFilesPatch(
      before === undefined ? '/dev/null' : `a/${path}`,
      after === undefined ? '/dev/null' : `b/${path}`,
      textOf(before),
      textOf(after),
      '',
      '',
    );
    const lines = patch.replace(/^=+\n/, '').replace(/\n$/, '').split('\n');
    const rest = lines.length - maxLines;
    const cut = rest > 0 ? [`… ${rest} more lines`] : [];
    return { path, patch: [...mode, ...lines.slice(0, maxLines), ...cut].join('\n') };
  });
  return { changes, changesLeftOut: Math.max(0, diffs.length - maxFiles) };
}

function noteOf({ before, after, isBeforeLost, isAfterLost }: FileDiff): string | undefined {
  if (isBeforeLost) return 'its old content is no longer kept';
  if (isAfterLost) return 'something else changed it since; what the run left is not kept';
  const bytes = [before, after].filter((each) => each !== undefined);
  if (bytes.some((each) => looksBinary(each))) return 'binary';
  return bytes.some(({ length }) => length > maxBytes)
    ? 'too large to be compared here'
    : undefined;
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
}

type Place = { path: string; line: number; endLine: number };

const maxPlaces = 50;
const maxShownLines = 40;

/** The page changes nothing. */
const keeper: BatchKeeper = {
  keep: () => {
    throw new Error('the page keeps nothing');
  },
  recordAll: () => Promise.reject(new Error('the page changes nothing')),
};

/** The lines that an answer names, as the files have them now; none of a protected file. */
export function evidenceLines(config: Config, places: readonly Place[]): PageEvidence[] {
  const gate = createContentGate(protectedBelow(config));
  using files = openRootFiles(rootFolders([workRoot], config), { keeper, run: undefined });
  const textOf = ({ path, line, endLine }: Place): Pick<PageEvidence, 'text' | 'note'> => {
    if (!gate.shows({ root: workRoot, path }, 'person')) return { note: 'not shown: protected' };
    try {
      // What a link names is not what was read.
      if (files.stateOf({ root: workRoot, path }).kind !== 'file')
        return { note: 'the file is gone' };
      const bytes = files.read({ root: workRoot, path });
      if (bytes === undefined || looksBinary(bytes)) return { note: 'it holds no text now' };
      const lines = Buffer.from(bytes).toString('utf8').split('\n');
      const end = Math.min(endLine, line + maxShownLines - 1);
      return { text: lines.slice(line - 1, end).join('\n') };
    } catch (thrown) {
      return { note: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  };
  return places.slice(0, maxPlaces).map(({ path, line, endLine }) => ({
    path,
    line,
    endLine,
    ...textOf({ path, line, endLine }),
  }));
}
