import type { MemoryQuery } from '../contracts/memory.ts';

/** Columns that a query may be narrowed by; LanceDB takes a filter as raw SQL. */
const filterColumns = ['project', 'session'] as const;
type Filter = Pick<MemoryQuery, (typeof filterColumns)[number]>;

/**
 * The filter as SQL: columns from a closed list, values as string literals with quotes doubled,
 * which is all that a string literal of DataFusion can be left by.
 *
 * @returns undefined when nothing narrows the search
 */
export function whereClause(filter: Filter): string | undefined {
  const terms = filterColumns.flatMap((column) => {
    const value = filter[column];
    return value === undefined ? [] : [`${column} = ${quote(value)}`];
  });
  return terms.length === 0 ? undefined : terms.join(' AND ');
}

/** The same filter for rows that are not in the index yet. */
export function matchesFilter(row: { project: string; session?: string }, filter: Filter): boolean {
  return filterColumns.every(
    (column) => filter[column] === undefined || filter[column] === row[column],
  );
}

function quote(value: string): string {
  return `'${value.toWellFormed().replaceAll("'", "''")}'`;
}
