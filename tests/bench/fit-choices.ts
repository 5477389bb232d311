/** Files that one question could be answered by, as rows of signs, and which of them are right. */
export type Choice = { signs: readonly (readonly number[])[]; right: readonly boolean[] };

const steps = 300;
const rate = 0.08;
/** How much weights are held near 0, in units of each sign's spread; the first sign's is free. */
const held = 0.01;

/**
 * Weights under which the right ones of each choice are most likely, when chances go by
 * e^(weights · signs); by gradient descent (Adam).
 *
 * @returns `rank`: the place of the first right one under them, from 0; -1 where none is right
 */
export function fitChoices(choices: readonly Choice[]): {
  weights: number[];
  rank(choice: Choice): number;
} {
  const usable = choices.filter(({ right }) => right.includes(true));
  const spread = spreadOf(usable.flatMap(({ signs }) => signs));
  const scaled = usable.map(({ signs, right }) => ({
    right,
    signs: signs.map((row) => row.map((value, at) => value / (spread[at] as number))),
  }));
  const weights = spread.map(() => 0);
  const mean = spread.map(() => 0);
  const square = spread.map(() => 0);
  for (let step = 1; step <= steps; step += 1) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : 2 * held * weight));
    for (const choice of scaled) addSlope(slope, choice, weights, 1 / scaled.length);
    for (const [at, value] of slope.entries()) {
      mean[at] = 0.9 * (mean[at] as number) + 0.1 * value;
      square[at] = 0.99 * (square[at] as number) + 0.01 * value * value;
      const speed = (mean[at] as number) / (1 - 0.9 ** step);
      const size = Math.sqrt((square[at] as number) / (1 - 0.99 ** step));
      weights[at] = (weights[at] as number) - (rate * speed) / (size + 1e-8);
    }
  }
  const plain = weights.map((weight, at) => weight / (spread[at] as number));
  return { weights: plain, rank: (choice) => rankUnder(plain, choice) };
}

function rankUnder(weights: readonly number[], { signs, right }: Choice): number {
  const order = signs
    .map((row, at) => ({ at, sum: dot(weights, row) }))
    .sort((left, other) => other.sum - left.sum);
  return order.findIndex(({ at }) => right[at]);
}

/** Of the negative logarithm of the chance that a right one is chosen. */
function addSlope(
  slope: number[],
  { signs, right }: Choice,
  weights: readonly number[],
  share: number,
): void {
  const sums = signs.map((row) => dot(weights, row));
  const top = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - top));
  const all = powers.reduce((sum, power) => sum + power, 0);
  const good = powers.reduce((sum, power, at) => (right[at] ? sum + power : sum), 0);
  for (const [at, row] of signs.entries()) {
    const chance = (powers[at] as number) / all - (right[at] ? (powers[at] as number) / good : 0);
    for (const [sign, value] of row.entries()) {
      slope[sign] = (slope[sign] as number) + share * chance * value;
    }
  }
}

function spreadOf(rows: readonly (readonly number[])[]): number[] {
  const [first = []] = rows;
  return first.map((_, at) => {
    const column = rows.map((row) => row[at] as number);
    const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
    const variance = column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length;
    return Math.sqrt(variance) + 1e-9;
  });
}

function dot(weights: readonly number[], row: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * (row[at] as number), 0);
}
