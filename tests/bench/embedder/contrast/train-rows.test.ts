import { expect, it } from 'vitest';
import { seededRandom } from '../../../support/seeded-random.ts';
import { type PairPieces, trainRows } from './train-rows.ts';

const subjects = 16;
const dimensions = 8;

/** A comment has the piece of its subject, code has another one of its own; none is shared. */
const pairs = Array.from(
  { length: subjects },
  (_, subject): PairPieces => ({
    comment: { ids: Int32Array.of(subject, 2 * subjects), counts: Float32Array.of(1, 1) },
    code: { ids: Int32Array.of(subjects + subject, 2 * subjects), counts: Float32Array.of(1, 2) },
  }),
);

function nearestCodes(rows: Float32Array): number[] {
  const direction = (id: number): Float32Array => {
    const own = rows.subarray(id * dimensions, (id + 1) * dimensions);
    const length = Math.hypot(...own);
    return own.map((value) => value / length);
  };
  return pairs.map((_, subject) => {
    const asked = direction(subject);
    const cosines = pairs.map((_, other) =>
      direction(subjects + other).reduce(
        (sum, value, at) => sum + value * (asked[at] as number),
        0,
      ),
    );
    return cosines.indexOf(Math.max(...cosines));
  });
}

it('trainRows() brings the words of comments to those of the code they stand at', () => {
  const random = seededRandom(7);
  const rows = Float32Array.from({ length: (2 * subjects + 1) * dimensions }, () => random() - 0.5);
  const own = (codes: number[]) => codes.filter((code, subject) => code === subject).length;
  expect(own(nearestCodes(rows))).toBeLessThan(subjects / 2);
  const losses: number[] = [];
  trainRows(rows, [pairs], new Float32Array(rows.length / dimensions).fill(1), {
    dimensions,
    rounds: 20_000,
    phrases: [],
    random,
    onStep: (_step, _steps, loss) => losses.push(loss),
  });
  expect(own(nearestCodes(rows))).toBe(subjects);
  expect(losses.at(-1)).toBeLessThan((losses[0] as number) / 4);
});
