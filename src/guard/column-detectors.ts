import type { Detector, Span } from './detector.ts';

/** Names of columns whose cells have no other sign, and the form of such a cell. */
const columns: readonly { kind: string; name: RegExp; isCell(cell: string): boolean }[] = [
  {
    kind: 'us-ssn',
    name: /^(?:ssn|social[ _-]?security(?:[ _-]?(?:no|number))?)$/i,
    isCell: (cell) => /^(?!000|666|9)\d{3}-?\d{2}-?\d{4}$/.test(cell),
  },
  {
    kind: 'phone',
    name: /^(?:phone|mobile|cell|tel|telephone|fax)(?:[ _-]?(?:no|number))?$/i,
    isCell: (cell) => /^\+?[\d ()./-]{7,24}$/.test(cell) && cell.replace(/\D/g, '').length >= 7,
  },
];
const separators = [',', ';', '\t', '|'] as const;
const maxCells = 200;

/** Cells of tables with a first line of names, below a name that says what they are. */
function findCells(text: string, kind: string): Span[] {
  const column = columns.find((one) => one.kind === kind);
  if (column === undefined || !column.name.source) return [];
  const spans: Span[] = [];
  let header: { separator: string; count: number; at: number } | undefined;
  for (let start = 0; start <= text.length; ) {
    const stop = text.indexOf('\n', start);
    const end = stop < 0 ? text.length : stop;
    const line = text.slice(start, end).replace(/\r$/, '');
    const cells = header === undefined ? [] : line.split(header.separator, maxCells);
    if (header !== undefined && cells.length === header.count) {
      const from =
        start + cells.slice(0, header.at).join(header.separator).length + (header.at > 0 ? 1 : 0);
      const raw = cells[header.at] ?? '';
      const cell = raw.replace(/^[\s"']+|[\s"']+$/g, '');
      const inset = raw.indexOf(cell);
      if (cell !== '' && column.isCell(cell)) {
        spans.push({ start: from + inset, end: from + inset + cell.length });
      }
    } else header = headerOf(line, column.name);
    start = end + 1;
  }
  return spans;
}

function headerOf(line: string, name: RegExp) {
  if (line.length > 4_000) return undefined;
  for (const separator of separators) {
    if (!line.includes(separator)) continue;
    const names = line
      .split(separator, maxCells)
      .map((cell) => cell.replace(/^[\s"']+|[\s"']+$/g, ''));
    const at = names.findIndex((cell) => name.test(cell));
    if (at >= 0 && names.length > 1) return { separator, count: names.length, at };
  }
  return undefined;
}

export const columnDetectors: readonly Detector[] = columns.map(({ kind }) => ({
  kind,
  find: (text) => findCells(text, kind),
}));
