import { definePlugin, fs, kv, log, paths, ToolError, v } from '@cuervo/sdk';
import { type Column, columnOf } from './column.ts';
import { parseCsv } from './parse-csv.ts';

export default definePlugin({
  name: 'csv-stats',
  version: '0.1.0',
  description:
    'Statistics of the columns of CSV files: count, mean, median, range, most frequent values.',
  licence: 'Apache-2.0',
  wants: [
    { capability: 'fs', why: 'reads the CSV files whose columns it counts' },
    { capability: 'kv', why: 'keeps the last result, to show what changed since' },
    { capability: 'log', why: 'says which rows it leaves out' },
  ],
  tools: [
    {
      name: 'columns',
      description:
        'Count, empty cells, mean, median, minimum, maximum and most frequent values of each column of a CSV file.',
      effect: 'read',
      input: v.object({
        path: v.pipe(v.string(), v.minLength(1), v.description('a CSV file of the workspace')),
        separator: v.optional(v.picklist([',', ';', '\t', '|'])),
      }),
      examples: [{ path: 'sales.csv' }],
      run: ({ path, separator }) => {
        const { rows, columns } = read(path, separator);
        return {
          content: { rows, columns },
          summary: `${rows} rows, ${columns.length} columns in ${paths.shown(path)}`,
        };
      },
    },
    {
      name: 'changes',
      description:
        'What changed in the statistics of a CSV file since this tool last looked at it.',
      effect: 'write',
      input: v.object({
        path: v.pipe(v.string(), v.minLength(1), v.description('a CSV file of the workspace')),
      }),
      examples: [{ path: 'sales.csv' }],
      run: ({ path }) => {
        const now = read(path, undefined);
        const key = `last:${paths.host(path)}`;
        const kept = kv.getText(key);
        kv.setText(key, JSON.stringify(now));
        if (kept === undefined)
          return {
            content: { rows: now.rows, changes: [] },
            summary: `first look at ${path}: ${now.rows} rows`,
          };
        const before = JSON.parse(kept) as { rows: number; columns: Column[] };
        const changes = now.columns.flatMap((column) => {
          const old = before.columns.find(({ name }) => name === column.name);
          return old?.mean === column.mean && old?.count === column.count
            ? []
            : [
                {
                  column: column.name,
                  mean: column.mean,
                  meanBefore: old?.mean,
                  count: column.count,
                  countBefore: old?.count,
                },
              ];
        });
        return {
          content: { rows: now.rows, rowsBefore: before.rows, changes },
          summary: `${now.rows - before.rows} rows more, ${changes.length} columns differ`,
        };
      },
    },
  ],
});

function read(path: string, separator: string | undefined): { rows: number; columns: Column[] } {
  const { text, truncated } = fs.readText(paths.host(path), 4 * 1024 * 1024);
  if (truncated) throw new ToolError('limit', `${path} has more than 4 MiB`);
  const [head = [], ...rows] = parseCsv(text, separator);
  if (head.length === 0) throw new ToolError('invalid-input', `${path} has no header`);
  const odd = rows.filter((row) => row.length !== head.length).length;
  if (odd > 0) log.write('warn', `${odd} rows do not have ${head.length} cells`);
  const columns = head.map((name, index) =>
    columnOf(
      name,
      rows.map((row) => row[index] ?? ''),
    ),
  );
  return { rows: rows.length, columns };
}
