import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * A demand on the project: the test that shows it, the decision that refuses it, or that it is not
 * built, and what there is in its place.
 */
export type Row = { row: string; what: string } & (
  | { file: string; test: string }
  | { decision: number; why: string }
  | { open: string }
);

const root = resolve(import.meta.dirname, '..');

export function readRows(): Row[] {
  return JSON.parse(readFileSync(join(root, 'tests/rows.json'), 'utf8'));
}

/** Why a row says what is not so. */
export function faultOf(row: Row): string | undefined {
  if ('open' in row) return row.open === '' ? `${row.row} does not say what is missing` : undefined;
  if ('decision' in row) {
    const number = String(row.decision).padStart(4, '0');
    const records = readdirSync(join(root, 'docs/decisions'));
    if (records.some((name) => name.startsWith(`${number}-`))) return undefined;
    return `${row.row} names decision ${row.decision}, which is not there`;
  }
  const path = join(root, row.file);
  if (!existsSync(path)) return `${row.row} names ${row.file}, which is not there`;
  const text = readFileSync(path, 'utf8');
  // A long title stands on a line of its own.
  const isThere = ["('", '("', '(`', "\n  '", "\n    '"].some((begin) =>
    text.includes(`${begin}${row.test}${begin.at(-1)}`),
  );
  return isThere ? undefined : `${row.row}: ${row.file} has no test "${row.test}"`;
}

export function rowLine(row: Row): string {
  const shown =
    'open' in row
      ? `not built: ${row.open}`
      : 'decision' in row
        ? `refused by decision ${row.decision}: ${row.why}`
        : `${row.file} "${row.test}"`;
  return `${row.row.padEnd(6)} ${row.what} — ${shown}`;
}

if (import.meta.main) {
  const rows = readRows();
  for (const row of rows) console.log(rowLine(row));
  const open = rows.filter((row) => 'open' in row).length;
  const refused = rows.filter((row) => 'decision' in row).length;
  console.log(
    `${rows.length} rows: ${rows.length - open - refused} shown by a test, ${refused} refused, ${open} not built`,
  );
  const faults = rows.flatMap((row) => faultOf(row) ?? []);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
