import { closeSync, constants, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fsLimits } from '../below/fs-limits.ts';
import { createSegmentBuilder } from './build-segment.ts';
import { encodeSegment } from './encode-segment.ts';
import { type FileStamp, isSameStamp, stampAt, stampOf } from './file-stamp.ts';
import { readFiles } from './read-segment.ts';
import { openWordFile, toWritten, type WrittenSegment, writeWordFile } from './word-file.ts';

export type WordFileChanges = {
  /** absolute, without links */
  folder: string;
  /** files below it that may be known, relative, in an order that seldom changes */
  paths: readonly string[];
  /** digest of what is left out of them; other rules begin anew */
  rules: string;
  /** now, as the file system tells time */
  nowMs(): number;
};

/** Of text in one segment: what one changed file costs to be counted again. */
const segmentTextBytes = 4 * 1024 * 1024;
const segmentFiles = 4096;
/** A segment with less is joined with others when something changes. */
const smallSegmentFiles = 64;
/** How long a file has to stand before its times tell that it is unchanged; FAT counts by 2 s. */
const settledMs = 2_000;
/** Files between two looks at the signal. */
const filesAtOnce = 500;

/**
 * Brings the counts of words up to the files. A segment in which a file has changed, is gone or may
 * no more be known is made anew: nothing of what was there stays.
 *
 * @throws errors of the system when it cannot be written
 */
export async function updateWordFile(
  path: string,
  { folder, paths, rules, nowMs }: WordFileChanges,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  using old = openWordFile(path);
  const wanted = new Set(paths);
  const kept: WrittenSegment[] = [];
  const known = new Set<string>();
  const stored = old?.rules === rules ? old.segments : [];
  /** files and segments that are as they were and yet made anew, if anything is */
  const small = { segments: 0, files: 0 };
  for (const segment of stored) {
    await breathe(signal);
    let files: ReturnType<typeof readFiles>;
    try {
      files = readFiles(segment);
    } catch {
      continue; // damaged: its files are read again
    }
    const stands = files.every(({ path: name, stamp }) => {
      const now = wanted.has(name) ? stampAt(join(folder, name)) : undefined;
      return now !== undefined && isSameStamp(now, stamp);
    });
    if (!stands) continue;
    if (files.length < smallSegmentFiles) {
      small.segments += 1;
      small.files += files.length;
      continue;
    }
    kept.push(segment.copy());
    for (const { path: name } of files) known.add(name);
  }
  const areAllKept = old !== undefined && kept.length + small.segments === old.segments.length;
  const left = paths.filter((name) => !known.has(name));
  const built =
    areAllKept && left.length === small.files
      ? []
      : await buildSegments({ folder, paths: left, nowMs }, signal);
  const builtFiles = built.reduce((sum, { header }) => sum + header.files, 0);
  // What cannot be read is left over each time.
  if (areAllKept && (built.length === 0 || builtFiles === small.files)) return;
  kept.push(...built);
  if (kept.length === 0) rmSync(path, { force: true });
  else writeWordFile(path, rules, kept);
}

async function buildSegments(
  { folder, paths, nowMs }: Pick<WordFileChanges, 'folder' | 'paths' | 'nowMs'>,
  signal: AbortSignal,
): Promise<WrittenSegment[]> {
  const segments: WrittenSegment[] = [];
  const buffer = Buffer.allocUnsafeSlow(fsLimits.tallyFileBytes + 2);
  let builder = createSegmentBuilder();
  const close = (): void => {
    if (builder.fileCount === 0) return;
    segments.push(toWritten(builder.fileCount, encodeSegment(builder.finish())));
    builder = createSegmentBuilder();
  };
  for (const [index, path] of paths.entries()) {
    if (index % filesAtOnce === 0) await breathe(signal);
    const read = readSettled(join(folder, path), buffer, nowMs);
    if (read === undefined) continue;
    builder.add(path, read.stamp, buffer, read.length);
    if (builder.textBytes >= segmentTextBytes || builder.fileCount >= segmentFiles) close();
  }
  close();
  return segments;
}

/**
 * Of a file that is larger than what is counted only so much is read that this is seen.
 *
 * @returns undefined for what changes while it is read, or has just done so
 */
function readSettled(
  path: string,
  buffer: Buffer,
  nowMs: () => number,
): { stamp: FileStamp; length: number } | undefined {
  let fd: number | undefined;
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const before = fstatSync(fd);
    if (!before.isFile()) return undefined;
    let length = 0;
    for (;;) {
      const got = readSync(fd, buffer, length, buffer.length - 1 - length, null);
      length += got;
      if (got === 0 || length === buffer.length - 1) break;
    }
    buffer[length] = 0;
    const stamp = stampOf(fstatSync(fd));
    const isWhole = length === stamp.bytes || length === buffer.length - 1;
    const isSettled = nowMs() - stamp.inodeChangedMs > settledMs;
    if (!isWhole || !isSettled || !isSameStamp(stampOf(before), stamp)) return undefined;
    return { stamp, length };
  } catch {
    return undefined; // gone, or not to be read
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

async function breathe(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
