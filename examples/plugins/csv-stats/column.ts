export type Column = {
  name: string;
  count: number;
  empty: number;
  /** of columns whose cells are numbers */
  mean?: number;
  median?: number;
  min?: number;
  max?: number;
  sum?: number;
  /** of the others: the most frequent values */
  top?: { value: string; count: number }[];
};

const maxTop = 5;

export function columnOf(name: string, cells: readonly string[]): Column {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const base = { name, count: filled.length, empty: cells.length - filled.length };
  const numbers = filled.map(Number);
  if (numbers.length === 0 || numbers.some(Number.isNaN)) return { ...base, top: topOf(filled) };
  const sorted = numbers.toSorted((one, other) => one - other);
  const sum = sorted.reduce((all, each) => all + each, 0);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  const [min = 0] = sorted;
  return {
    ...base,
    mean: round(sum / sorted.length),
    median: round(median),
    min,
    max: sorted.at(-1) ?? 0,
    sum: round(sum),
  };
}

function topOf(cells: readonly string[]): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, maxTop);
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}
