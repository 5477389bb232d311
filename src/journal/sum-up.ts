import type { Stats } from '../contracts/output/parse-journal.ts';
import type { Store } from '../contracts/store.ts';

/**
 * What was done since a time, counted.
 *
 * @param sinceMs ms since the epoch
 */
export function sumUp(
  store: Pick<Store, 'valuesOf' | 'callCounts' | 'sessionsSince'>,
  sinceMs = 0,
): Stats {
  const values = store.valuesOf(
    {
      run: ['command'],
      'run-finished': ['status', 'durationMs'],
      step: ['tool', 'plugin', 'status', 'durationMs'],
      'memory-read': ['rows'],
      answer: ['mode', 'memory'],
      'memory-write': ['rows'],
      job: ['outcome'],
      'model-call': [
        ...['model', 'attempts', 'inputTokens', 'cachedTokens', 'outputTokens', 'usd'],
        ...['durationMs', 'purpose'],
      ],
      guard: ['action', 'check', 'counts'],
      compaction: [],
      gap: ['lost'],
    },
    sinceMs,
  );
  const rows = <Row extends readonly unknown[]>(kind: keyof typeof values): readonly Row[] =>
    values[kind] as unknown as readonly Row[];
  const commands = rows<[string]>('run');
  const ended = rows<[string, number]>('run-finished');
  const steps = rows<StepRow>('step');
  const recalled = rows<[readonly unknown[]]>('memory-read');
  const answers = rows<[string, readonly unknown[]]>('answer');
  const written = rows<[readonly unknown[]]>('memory-write');
  const jobs = rows<[string]>('job');
  const calls = rows<ModelRow>('model-call');
  const models = modelsOf(calls);
  const total = (of: (model: Stats['models'][number]) => number): number =>
    models.reduce((sum, model) => sum + of(model), 0);
  const lengths = (lists: readonly (readonly unknown[])[]): number =>
    lists.reduce((sum, list) => sum + list.length, 0);
  return {
    ...(sinceMs === 0 ? {} : { sinceMs }),
    runs: {
      total: commands.length,
      ...percentiles(ended.map(([, ms]) => ms)),
      byCommand: tally(commands.map(([command]) => command)),
    },
    sessions: store.sessionsSince(sinceMs),
    failures: Object.entries(tally(ended.map(([status]) => status)))
      .filter(([status]) => status !== 'ok')
      .map(([code, times]) => ({ code, times }))
      .sort((a, b) => b.times - a.times),
    tools: toolsOf(steps),
    plugins: pluginsOf(steps),
    hostCalls: callsOf(store.callCounts(sinceMs)),
    models: models.map(({ kept: _, ...model }) => model),
    cache: {
      replies: models.reduce((sum, { kept }) => sum + kept, 0),
      cachedShare:
        total(({ cachedTokens }) => cachedTokens) /
        Math.max(
          1,
          total(({ inputTokens }) => inputTokens),
        ),
    },
    memory: {
      read: lengths(recalled.map(([list]) => list)),
      used: lengths(answers.map(([, list]) => list)),
      written: lengths(written.map(([list]) => list)),
    },
    answers: tally(answers.map(([mode]) => mode)),
    jobs: {
      done: jobs.filter(([outcome]) => outcome === 'done').length,
      failed: jobs.filter(([outcome]) => outcome !== 'done').length,
    },
    guard: guardOf(rows<GuardRow>('guard')),
    shortened: {
      times: values.compaction.length,
      ...modelsTotal(calls.filter(([, , , , , , , purpose]) => purpose === 'summary')),
    },
    gaps: rows<[number]>('gap').reduce((sum, [lost]) => sum + lost, 0),
  };
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** The nearest rank of each; 0 of nothing. */
function percentiles(values: readonly number[]): { p50Ms: number; p95Ms: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}

function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

type StepRow = readonly [tool: string, plugin: string, status: string, ms: number];

const failedIn = (rows: readonly StepRow[]): number =>
  rows.filter(([, , status]) => status !== 'ok').length;

function toolsOf(steps: readonly StepRow[]): Stats['tools'] {
  return grouped(steps, ([tool]) => tool).map(([tool, rows]) => ({
    tool,
    plugin: rows[0]?.[1] ?? '',
    calls: rows.length,
    failed: failedIn(rows),
    ...percentiles(rows.map(([, , , ms]) => ms)),
  }));
}

function pluginsOf(steps: readonly StepRow[]): Stats['plugins'] {
  return grouped(steps, ([, plugin]) => plugin).map(([plugin, rows]) => ({
    plugin,
    calls: rows.length,
    failed: failedIn(rows),
    tools: new Set(rows.map(([tool]) => tool)).size,
    ms: Math.round(rows.reduce((sum, [, , , ms]) => sum + ms, 0)),
  }));
}

function callsOf(calls: ReturnType<Store['callCounts']>): Stats['hostCalls'] {
  const sum = (rows: typeof calls, isCounted: (outcome: string) => boolean): number =>
    rows.reduce((all, { outcome, times }) => all + (isCounted(outcome) ? times : 0), 0);
  return grouped(calls, ({ call }) => call)
    .map(([call, rows]) => ({
      call,
      times: sum(rows, () => true),
      denied: sum(rows, (outcome) => outcome === 'denied'),
      failed: sum(rows, (outcome) => outcome !== 'ok' && outcome !== 'denied'),
    }))
    .sort((a, b) => b.times - a.times);
}

type GuardRow = readonly [action: string, check: string, counts: Readonly<Record<string, number>>];

function guardOf(rows: readonly GuardRow[]): Stats['guard'] {
  return grouped(rows, ([action, check]) => `${action} ${check}`)
    .map(([name, of]) => {
      const [action = '', check = ''] = name.split(' ');
      const things = of.flatMap(([, , counts]) => Object.values(counts));
      return { action, check, times: things.reduce((sum, many) => sum + many, 0) };
    })
    .sort((a, b) => b.times - a.times);
}

function modelsTotal(
  calls: readonly ModelRow[],
): Pick<Stats['shortened'], 'requests' | 'tokens' | 'usd' | 'ms'> {
  const sum = (of: (row: ModelRow) => number): number =>
    calls.reduce((all, row) => all + of(row), 0);
  const isPriced = calls.some(([, , , , , usd]) => usd !== null);
  return {
    requests: calls.length,
    tokens: sum(([, , input, , output]) => input + output),
    ...(isPriced ? { usd: sum(([, , , , , usd]) => usd ?? 0) } : {}),
    ms: Math.round(sum(([, , , , , , ms]) => ms ?? 0)),
  };
}

type ModelRow = readonly [
  model: string | null,
  attempts: number | null,
  inputTokens: number,
  cachedTokens: number | null,
  outputTokens: number,
  usd: number | null,
  durationMs: number | null,
  purpose: string | null,
];

function modelsOf(calls: readonly ModelRow[]): (Stats['models'][number] & { kept: number })[] {
  return grouped(calls, ([model]) => model ?? 'unknown').map(([model, rows]) => {
    const sum = (at: 1 | 2 | 3 | 4 | 5): number =>
      rows.reduce((all, row) => all + (row[at] ?? 0), 0);
    const isPriced = rows.some(([, , , , , usd]) => usd !== null);
    return {
      ...{ model, requests: rows.length, attempts: sum(1) },
      ...{ inputTokens: sum(2), cachedTokens: sum(3), outputTokens: sum(4) },
      ...(isPriced ? { usd: sum(5) } : {}),
      ...percentiles(rows.flatMap(([, , , , , , ms]) => (ms === null ? [] : [ms]))),
      kept: rows.filter(([, attempts]) => attempts === 0).length,
    };
  });
}
