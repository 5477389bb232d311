import type { PageChange, RunLine, RunsView, RunView } from '../views.ts';
import { type Content, command, el, link, section, table } from './dom.ts';
import { planGraph, stepTimes } from './drawings.ts';
import { ageText, counted, cut, durationText, moneyText, statusClass, timeText } from './words.ts';

const stepOfRuns = 100;

/** All runs, newest first. */
export function showRuns({ runs, isWhole }: RunsView, nowMs: number, limit: number): Content {
  if (runs.length === 0) {
    return el(
      'p',
      'empty',
      'Nothing ran in this workspace yet. Ask something: ',
      el('code', '', 'cuervo ask "…"'),
    );
  }
  const rows = runs.map((run) =>
    el(
      'li',
      '',
      link(
        `run/${run.id}`,
        'row',
        el('span', 'question', cut(run.question || '(no words)', 300)),
        el('span', 'facts', factsOf(run, nowMs)),
      ),
    ),
  );
  const more = isWhole ? undefined : link(`runs/${limit + stepOfRuns}`, 'more', 'Show older runs');
  return [el('ul', 'rows', rows), more];
}

function factsOf(run: RunLine, nowMs: number): Content[] {
  const { status, command: by, startedMs, finishedMs, changes, undoneMs } = run;
  const took =
    finishedMs === undefined
      ? undefined
      : ` · ${durationText(Math.max(0, finishedMs - startedMs))}`;
  const did = changes === 0 ? undefined : ` · ${counted(changes, 'change')}`;
  return [
    el('b', statusClass(status), status),
    ` · ${by} · ${ageText(startedMs, nowMs)}`,
    took,
    did,
    undoneMs !== undefined && ', undone',
  ];
}

function moreOf(many: number, noun: string, run: string): Content {
  return (
    many > 0 && el('p', 'hint', `and ${counted(many, `more ${noun}`)}: cuervo runs show ${run}`)
  );
}

/** One run: its plan, its time, its evidence, its changes, what it was denied, and its events. */
export function showRun(view: RunView, nowMs: number): Content {
  const { run, answer, steps, evidence, changes, denials } = view;
  const { changesLeftOut, undo, lasting, usage, memory, capabilities } = view;
  return [
    link('runs', 'back', '← all runs'),
    el('h1', '', run.question || run.command),
    el('p', 'facts', factsOf(run, nowMs), ` · ${timeText(run.startedMs)}`),
    el('p', 'facts', `run ${run.id} · model ${run.model}`, usage && ` · ${usageText(usage)}`),
    answer !== undefined && section('Answer', el('div', 'answer', answer)),
    steps.length > 0 && section('Plan', planGraph(steps), capabilityLine(capabilities)),
    steps.length > 0 &&
      section(
        'Time by step',
        stepTimes(steps, nowMs),
        stepTable(view),
        moreOf(view.stepsLeftOut, 'step', run.id),
      ),
    evidence.length > 0 &&
      section(
        'Evidence',
        el('p', 'hint', 'The lines as the files have them now.'),
        evidence.map(({ path, line, endLine, text, note }, at) =>
          fold(
            `${path}:${line}-${endLine}`,
            text === undefined ? (note ?? '') : numbered(text, line),
            at === 0,
          ),
        ),
      ),
    (changes.length > 0 || lasting.length > 0) &&
      section(
        'Changes',
        undo !== undefined && [el('p', 'hint', 'This takes them back:'), command(undo)],
        run.undoneMs !== undefined && el('p', 'hint', `Undone ${timeText(run.undoneMs)}.`),
        changes.map(showChange),
        changesLeftOut > 0 && el('p', 'hint', `and ${counted(changesLeftOut, 'more file')}`),
        lasting.map((text) => el('p', 'bad', `Not taken back by an undo: ${text}`)),
      ),
    denials.length > 0 &&
      section(
        'Denials',
        el(
          'ul',
          '',
          denials.map(({ step, text }) => el('li', '', step && `${step}: `, text)),
        ),
        moreOf(view.denialsLeftOut, 'denial', run.id),
      ),
    memory.length > 0 &&
      section(
        'Memory that was used',
        table(
          ['row', 'layer', 'score'],
          memory.map(({ id, layer, score }) => [id.slice(0, 12), layer, score.toFixed(2)]),
        ),
      ),
    eventsOf(view),
  ];
}

function usageText({ requests, inputTokens, outputTokens, usd }: NonNullable<RunView['usage']>) {
  const tokens = `${inputTokens.toLocaleString('en')} tokens in, ${outputTokens.toLocaleString('en')} out`;
  const money = usd === undefined ? '' : `, ${moneyText(usd)}`;
  return `${counted(requests, 'request')}, ${tokens}${money}`;
}

function capabilityLine(all: RunView['capabilities']): Content {
  if (all.length === 0) return undefined;
  const words = all.map(({ capability, decision }) => `${capability} (${decision})`);
  return el('p', 'hint', `Its plan needs ${words.join(', ')}.`);
}

function stepTable({ steps }: RunView): Content {
  return table(
    ['step', 'tool', 'status', 'what came of it'],
    steps.map(({ id, tool, status, summary = '', input }) => [
      id,
      el('span', '', tool, fold('input', el('pre', '', input))),
      el('b', statusClass(status), status ?? 'waits or runs'),
      summary,
    ]),
  );
}

function showChange({ path, patch, note }: PageChange): HTMLElement {
  if (patch === undefined) return el('p', '', el('code', '', path), ` ${note ?? ''}`);
  const lines = patch.split('\n').map((line) => el('span', diffClass(line), `${line}\n`));
  return fold(path, el('pre', 'diff', lines), true);
}

function diffClass(line: string): string {
  if (/^(?:\+\+\+|---|@@|mode )/.test(line)) return 'where';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '';
}

function numbered(text: string, from: number): HTMLElement {
  const lines = text.split('\n');
  const width = String(from + lines.length).length;
  return el(
    'pre',
    '',
    lines.map((line, at) => [el('i', '', `${String(from + at).padStart(width)}  `), `${line}\n`]),
  );
}

function fold(title: string, content: Content, isOpen = false): HTMLElement {
  const made = el('details', '', el('summary', '', title), content);
  made.dataset.key = title;
  made.open = isOpen;
  return made;
}

function eventsOf({ events, eventsLeftOut, run }: RunView): Content {
  const rows = events.map(({ atMs, step, kind, text }) => [
    `${((atMs - run.startedMs) / 1000).toFixed(2)} s`,
    step ?? '',
    kind,
    text,
  ]);
  return section(
    'Events',
    eventsLeftOut > 0 &&
      el(
        'p',
        'hint',
        `${counted(eventsLeftOut, 'older event')} left out: `,
        el('code', '', `cuervo runs show ${run.id}`),
      ),
    table(['at', 'step', 'kind', 'what'], rows, 'events'),
  );
}
