import { InvalidArgumentError } from 'commander';

/** The number of an option, from 1 to 1000. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 1000) return count;
  throw new InvalidArgumentError('it is a number from 1 to 1000.');
}
