import type { BenchLine } from './bench-line.ts';

const headings = ['bench', 'value', 'beside', 'ratio', 'reach', '', 'runs'];

/** The figures for people, one row each, columns aligned; notes below. */
export function formatTable(lines: readonly BenchLine[]): string {
  const rows = [headings, ...lines.map(cellsOf)];
  const widths = headings.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const notes = lines.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}`]));
  return [...table, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

function cellsOf(line: BenchLine): string[] {
  const { name, value, unit, peer, peerValue, ratio, reach, ok, runs } = line;
  return [
    name,
    value === null ? '-' : `${value} ${unit}`,
    peer === undefined || peerValue === undefined ? '-' : `${peer} ${peerValue} ${unit}`,
    ratio === undefined ? '-' : `${ratio.toFixed(2)}x`,
    reach,
    ok ? 'ok' : 'OUT',
    String(runs),
  ];
}
