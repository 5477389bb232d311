import { lutimesSync, type Stats } from 'node:fs';
import { statfsSync } from './raw-fs.ts';

/** File systems of Linux whose times of change this machine alone sets: no program sets them back. */
const localTypes = new Set([
  0xef53, // ext2 to ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
  0xca451a4e, // bcachefs
]);
/** Clocks of file systems tick this coarsely: what is younger may have changed without a trace. */
const tickMs = 50;
const wholeSecondsMs = 2_000;
const devices = new Map<number, boolean>();

/**
 * Whether a file or folder whose `stat` is the same as before is the same. A server may set times
 * as it likes, and some let a program set all that they have.
 *
 * @param path what `stats` are of
 */
export function keepsTimes(path: string, { dev }: Pick<Stats, 'dev'>): boolean {
  const known = devices.get(dev);
  if (known !== undefined) return known;
  const keeps = process.platform !== 'linux' || localTypes.has(statfsSync(path).type);
  devices.set(dev, keeps);
  return keeps;
}

/** Whether a change after a look would have another time. @param lookedAtMs since the epoch */
export function isSettled(ctimeMs: number, lookedAtMs: number): boolean {
  return ctimeMs < lookedAtMs - (ctimeMs % 1_000 === 0 ? wholeSecondsMs : tickMs);
}

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

/** The nanoseconds that the system makes of these seconds. */
function nsOf(seconds: number): bigint {
  const whole = Math.floor(seconds);
  return BigInt(whole) * nsPerSecond + BigInt(Math.trunc((seconds - whole) * 1e9));
}
