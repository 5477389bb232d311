import type { CostView, JobsView, MemoryView, PageRow, PluginsView } from '../views.ts';
import { button, type Content, el, link, section, table } from './dom.ts';
import { barChart } from './drawings.ts';
import { ageText, counted, durationText, moneyText, statusClass, timeText } from './words.ts';

export type MemoryQuery = { text: string; layer: string };

const layers = ['interact', 'insights', 'assets'] as const;

/** Memory by layer and age, and a search that says why each row is a hit. */
export function showMemory(
  { ages, rows }: MemoryView,
  nowMs: number,
  query: MemoryQuery,
  search: (query: MemoryQuery) => void,
): Content {
  const field = el('input', '');
  field.type = 'search';
  field.id = 'search';
  field.value = query.text;
  field.placeholder = 'Search memory';
  field.setAttribute('aria-label', 'Search memory');
  const choice = el('select', '');
  choice.setAttribute('aria-label', 'Layer');
  for (const layer of ['', ...layers]) {
    const option = el('option', '', layer === '' ? 'all layers' : layer);
    option.value = layer;
    option.selected = layer === query.layer;
    choice.append(option);
  }
  const go = (): void => search({ text: field.value, layer: choice.value });
  choice.addEventListener('change', go);
  const form = el('form', 'search', field, choice, button('Search', '', go));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    go();
  });
  const counts = ages.map(({ name, rows: of }) => [
    name === 'older' ? 'older' : `up to ${name}`,
    ...layers.map((layer) => of[layer].toLocaleString('en')),
  ]);
  return [
    section('Rows by age', table(['age', ...layers], counts, 'counts')),
    section(
      query.text === '' ? 'Newest' : 'Hits',
      form,
      rows.length === 0 &&
        el('p', 'empty', query.text === '' ? 'Memory has no rows here.' : 'Nothing matches.'),
      el(
        'ul',
        'rows',
        rows.map((row) => el('li', 'row', showRow(row, nowMs))),
      ),
    ),
  ];
}

function showRow(
  { id, layer, kind, text, source, ts, run, score, factors }: PageRow,
  nowMs: number,
): Content {
  const number = (value: number | undefined): string => (value ?? 0).toFixed(3);
  return [
    el('span', 'text', text),
    el(
      'span',
      'facts',
      `${layer} · ${kind} · ${ageText(ts, nowMs)} · ${id.slice(0, 12)}`,
      source !== undefined && ` · ${source}`,
      run !== undefined && [' · ', link(`run/${run}`, '', 'its run')],
    ),
    factors !== undefined &&
      el(
        'span',
        'why',
        `${number(score)}: words ${number(factors.bm25)}, meaning ${number(factors.meaning ?? factors.cosine)}, together ${number(factors.fused)}`,
        ` × layer ${factors.layerWeight} × age ${number(factors.decay)}`,
        factors.fit !== undefined && factors.fit !== 1 && ` × fit ${factors.fit}`,
        factors.rerank !== undefined && `, read again ${number(factors.rerank)}`,
      ),
  ];
}

/** Plugins with what they can do, what they were granted, and what they did. */
export function showPlugins({ plugins }: PluginsView, nowMs: number): Content {
  return plugins.map(({ name, version, description, by, source, tools, wants, grants, use }) =>
    section(
      `${name} ${version}`,
      description !== '' && el('p', '', description),
      el('p', 'facts', `by ${by} · ${source} · ${useText(use, nowMs)}`),
      table(
        ['it asks for', 'which lets it'],
        wants.map(({ capability, can }) => [el('code', '', capability), can]),
      ),
      el('p', '', 'Granted: ', grants.length === 0 ? 'nothing' : el('code', '', grants.join(' '))),
      el('p', '', 'Tools: ', el('code', '', tools.join(' '))),
    ),
  );
}

function useText({ calls, isMore, lastMs }: PluginsView['plugins'][number]['use'], nowMs: number) {
  if (calls === 0) return 'never called';
  const last = lastMs === undefined ? '' : `, last ${ageText(lastMs, nowMs)}`;
  return `${isMore ? 'more than ' : ''}${counted(calls, 'call')}${last}`;
}

export function showJobs({ jobs, log }: JobsView, nowMs: number): Content {
  return [
    section(
      'Jobs',
      table(
        ['job', 'state', 'what it does'],
        jobs.map((job) => [job.name, stateOf(job, nowMs), job.about]),
      ),
    ),
    section(
      'What ran',
      log.length === 0 && el('p', 'empty', 'No job has run yet.'),
      log.length > 0 &&
        table(
          ['when', 'job', 'outcome', 'what it did'],
          log.map(({ startedMs, job, outcome, summary, why }) => [
            timeText(startedMs),
            job,
            el('b', statusClass(outcome), outcome),
            `${summary} (${why})`,
          ]),
        ),
    ),
  ];
}

function stateOf(job: JobsView['jobs'][number], nowMs: number): string {
  const { lastRunMs, lastOutcome = '', nextMs, running, paused, failures } = job;
  const last =
    lastRunMs === undefined ? 'never ran' : `${lastOutcome} ${ageText(lastRunMs, nowMs)}`;
  const failed = failures > 0 ? `, failed ${counted(failures, 'time')}` : '';
  if (running) return `running; ${last}${failed}`;
  if (paused || nextMs === undefined) return `paused; ${last}${failed}`;
  return `${last}${failed}; ${nextMs <= nowMs ? 'due' : `due in ${durationText(nextMs - nowMs)}`}`;
}

/** What models cost by day. */
export function showCost({ days, sinceMs }: CostView): Content {
  const since = timeText(sinceMs).slice(0, 10);
  if (days.every(({ requests }) => requests === 0))
    return el('p', 'empty', `No model was asked since ${since}.`);
  const tokens = days.map(({ day, inputTokens, outputTokens }) => ({
    name: day.slice(5),
    value: inputTokens + outputTokens,
  }));
  const money = days.map(({ day, usd = 0 }) => ({ name: day.slice(5), value: usd }));
  const isPriced = days.some(({ usd = 0 }) => usd > 0);
  return [
    isPriced && section('Money by day', barChart('money by day', money, moneyText)),
    section(
      'Tokens by day',
      barChart('tokens by day', tokens, (value) => value.toLocaleString('en')),
    ),
    section(
      `Since ${since}`,
      table(
        ['day', 'runs', 'requests', 'tokens in', 'tokens out', 'cost'],
        days
          .toReversed()
          .map(({ day, runs, requests, inputTokens, outputTokens, usd, unpriced }) => [
            day,
            runs,
            requests,
            inputTokens.toLocaleString('en'),
            outputTokens.toLocaleString('en'),
            costText(usd, unpriced),
          ]),
      ),
    ),
  ];
}

function costText(usd: number | undefined, unpriced: number): string {
  if (unpriced === 0) return moneyText(usd);
  const rest = `${counted(unpriced, 'request')} without a known price`;
  return usd === undefined ? rest : `${moneyText(usd)} and ${rest}`;
}
