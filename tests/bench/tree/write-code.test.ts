import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { writeCode } from './write-code.ts';

it('writeCode() depends on the number of the file alone', () => {
  const first = Array.from({ length: 40 }, (_, number) => writeCode(number).text);
  const second = Array.from({ length: 40 }, (_, number) => writeCode(39 - number).text).reverse();
  expect(second).toEqual(first);
  expect(new Set(first).size).toBe(40);
});

it('writeCode() writes the same on every machine, 75 MB in 13,000 files', () => {
  const hash = createHash('sha256');
  let bytes = 0;
  for (let number = 0; number < 1300; number += 1) {
    const { extension, text } = writeCode(number);
    hash.update(extension).update(text);
    bytes += Buffer.byteLength(text);
  }
  expect(bytes / 7_500_000).toBeCloseTo(1, 1);
  expect(hash.digest('hex').slice(0, 12)).toBe('27c8b30a7e20');
});
