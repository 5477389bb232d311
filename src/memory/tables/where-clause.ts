import { KernelError } from '../../contracts/error.ts';
import type { MemoryFilter, MemoryRow } from '../../contracts/memory.ts';
import { storedKinds } from '../layers.ts';

/** Columns whose value is compared as a whole; LanceDB takes a filter as raw SQL. */
const textColumns = ['project', 'session', 'source', 'run'] as const;

/**
 * The filter as SQL: columns from a closed list, times as whole numbers, texts as string literals
 * with doubled quotes. In DataFusion only a quote ends a string literal. The layer is not a column:
 * each has a table of its own.
 *
 * @returns undefined when nothing narrows the search
 * @throws {KernelError} `invalid-argument` for an invalid time
 */
export function whereClause(filter: MemoryFilter): string | undefined {
  const terms: string[] = textColumns.flatMap((column) => {
    const value = filter[column];
    return value === undefined ? [] : [`${column} = ${quote(value)}`];
  });
  if (filter.projects !== undefined) terms.push(oneOf('project', filter.projects));
  if (filter.sources !== undefined) terms.push(oneOf('source', filter.sources));
  if (filter.notSources?.length) terms.push(`NOT ${oneOf('source', filter.notSources)}`);
  if (filter.kinds !== undefined) terms.push(oneOf('kind', storedKinds(filter.kinds)));
  if (filter.notKinds?.length) terms.push(`NOT ${oneOf('kind', filter.notKinds)}`);
  for (const tag of filter.tags ?? []) terms.push(`array_has(tags, ${quote(tag)})`);
  if (filter.sinceMs !== undefined) terms.push(`ts >= ${wholeMs(filter.sinceMs)}`);
  if (filter.beforeMs !== undefined) terms.push(`ts < ${wholeMs(filter.beforeMs)}`);
  if (filter.ids !== undefined) terms.push(oneOf('id', filter.ids));
  // `starts_with` compares text; a pattern would give signs such as `%` a meaning.
  if (filter.idStart !== undefined) terms.push(`starts_with(id, ${quote(filter.idStart)})`);
  return terms.length === 0 ? undefined : terms.join(' AND ');
}

/** The same filter, with the layer, for rows that are in no table yet. */
export function matchesFilter({ id, record }: MemoryRow, filter: MemoryFilter): boolean {
  const {
    layer,
    projects,
    sources,
    notSources = [],
    kinds,
    notKinds = [],
    tags = [],
    sinceMs = -Infinity,
    beforeMs = Infinity,
    ids,
  } = filter;
  const ts = Math.round(record.ts);
  return (
    (layer === undefined || layer === record.layer) &&
    textColumns.every(
      (column) => filter[column] === undefined || filter[column].toWellFormed() === record[column],
    ) &&
    (sources === undefined || sources.includes(record.source ?? '')) &&
    !notSources.includes(record.source ?? '') &&
    (projects === undefined || projects.includes(record.project)) &&
    (kinds === undefined || storedKinds(kinds).includes(record.kind)) &&
    !notKinds.includes(record.kind) &&
    tags.every((tag) => record.tags.includes(tag.toWellFormed())) &&
    ts >= Math.ceil(sinceMs) &&
    ts < Math.ceil(beforeMs) &&
    (ids === undefined || ids.includes(id)) &&
    id.startsWith(filter.idStart ?? '')
  );
}

function oneOf(column: string, values: readonly string[]): string {
  // `IN ()` is not valid SQL, and nothing is in an empty list
  return values.length === 0 ? 'false' : `${column} IN (${values.map(quote).join(', ')})`;
}

function quote(value: string): string {
  return `'${value.toWellFormed().replaceAll("'", "''")}'`;
}

function wholeMs(value: number): string {
  const whole = Math.ceil(value);
  if (Number.isSafeInteger(whole)) return String(whole);
  throw new KernelError('invalid-argument', `${value} is not a time in milliseconds`);
}
