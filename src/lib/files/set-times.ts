import { lutimesSync } from 'node:fs';

const nsPerSecond = 1_000_000_000n;
/** More than the distance of two numbers of seconds that Node can tell apart, until 2106. */
const stepSeconds = 2 ** -21;

/**
 * Sets the times of a file, folder or link, links not followed. Node takes seconds as a number,
 * which has no room for all nanoseconds: what is set is at most half a microsecond early, and
 * never late, so that no file is newer than what it was made from.
 *
 * @param ns since the epoch
 */
export function setTimes(path: string, ns: bigint): void {
  const nearest = Number(ns) / 1e9;
  const seconds = nsOf(nearest) > ns ? nearest - stepSeconds : nearest;
  lutimesSync(path, seconds, seconds);
}

/** The time as the system keeps it. */
function nsOf(seconds: number): bigint {
  const whole = Math.floor(seconds);
  return BigInt(whole) * nsPerSecond + BigInt(Math.trunc((seconds - whole) * 1e9));
}
