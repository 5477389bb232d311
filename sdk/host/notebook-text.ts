/** Characters of a line that people write; longer ones hold pictures. */
const maxLineLength = 4_000;

/** Brackets, and values that are no lines of a cell or of what it printed. */
const layout = /^\s*(?:"(?:[^"\\]|\\.)*": |[[\]{}]+,?\s*$)/;

type Cell = { source?: unknown };

/**
 * A Jupyter notebook as text: a line of source as the cell shows it, in the place that it has in the
 * file as Jupyter writes it; pictures, brackets and settings are empty lines. The host reads notebooks so, too.
 *
 * @returns undefined for what is no notebook
 */
export function notebookText(json: string): string | undefined {
  let value: { cells?: unknown };
  try {
    value = JSON.parse(json) as typeof value;
  } catch {
    return undefined;
  }
  if (!Array.isArray(value?.cells)) return undefined;
  const cells = value.cells as Cell[];
  const lines = json.split('\n');
  const least = cells.reduce(
    (sum, { source }) => sum + (Array.isArray(source) ? source.length : 0),
    0,
  );
  const isUsual = lines.length > least && !cells.some(({ source }) => typeof source === 'string');
  const laid = isUsual ? lines : JSON.stringify(value, asJupyter, 1).split('\n');
  return laid.map(plainLine).join('\n');
}

/** A source may be one text; Jupyter writes a list of lines. */
function asJupyter(key: string, value: unknown): unknown {
  if (key !== 'source' || typeof value !== 'string') return value;
  return value.split(/(?<=\n)/);
}

function plainLine(line: string): string {
  if (line.length > maxLineLength) return '';
  const [, text] = /^\s*("(?:[^"\\]|\\.)*"),?\s*$/.exec(line) ?? [];
  if (text === undefined) return layout.test(line) ? '' : line;
  try {
    return (JSON.parse(text) as string).replace(/\r?\n$/, '').replaceAll('\n', ' ');
  } catch {
    return line;
  }
}
