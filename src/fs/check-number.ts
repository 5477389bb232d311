import { HostFailure } from '../paths/host-failure.ts';

/**
 * A guest's count. Above `max` it is cut to it, because a limit only ever makes less.
 *
 * @throws {HostFailure} `invalid` when it is not a whole number of at least `min`
 */
export function checkNumber(name: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min) {
    throw new HostFailure('invalid', `${name} is ${value}, must be a whole number from ${min}`);
  }
  return Math.min(value, max);
}

/** @throws {HostFailure} `invalid` when it is not a whole number from `min` to `max` */
export function checkRange(name: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new HostFailure('invalid', `${name} is ${value}, must be from ${min} to ${max}`);
  }
  return value;
}
