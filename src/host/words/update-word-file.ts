import { closeSync, constants, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fsLimits } from '../below/fs-limits.ts';
import { createSegmentBuilder, type SegmentFile } from './build-segment.ts';
import { encodeSegment } from './encode-segment.ts';
import { type FileStamp, isSameStamp, stampOf } from './file-stamp.ts';
import { readFiles } from './read-segment.ts';
import {
  openWordFile,
  type StoredSegment,
  toWritten,
  type WrittenSegment,
  writeWordFile,
} from './word-file.ts';

/** A file as it was seen a moment ago. */
export type PlacedFile = FileStamp & {
  /** relative to the folder */
  path: string;
};

export type WordFileChanges = {
  /** absolute, without links */
  folder: string;
  /** what may be known of it, in an order that seldom changes */
  files: readonly PlacedFile[];
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
const filesAtOnce = 100;

/**
 * Brings the counts of words up to the files. A segment in which a file has changed, is gone or may
 * no more be known is made anew: nothing of what was there stays. Interrupted, it keeps the segments
 * that are whole by then.
 *
 * @throws errors of the system when it cannot be written
 */
export async function updateWordFile(
  path: string,
  { folder, files, rules, nowMs }: WordFileChanges,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  using old = openWordFile(path);
  const now = new Map(files.map((file) => [file.path, file]));
  const stored = old?.rules === rules ? old.segments : [];
  const kept: StoredSegment[] = [];
  const known = new Set<string>();
  /** files and segments that are as they were and yet made anew, if anything is */
  const small = { segments: 0, files: 0 };
  for (const segment of stored) {
    signal.throwIfAborted();
    const before = readIfWhole(segment);
    const stands = before?.every(({ path: name, stamp }) => {
      const file = now.get(name);
      return file !== undefined && isSameStamp(file, stamp);
    });
    if (before === undefined || stands !== true) continue;
    if (before.length < smallSegmentFiles) {
      small.segments += 1;
      small.files += before.length;
      continue;
    }
    kept.push(segment);
    for (const { path: name } of before) known.add(name);
  }
  const areAllKept = old !== undefined && kept.length + small.segments === old.segments.length;
  const left = files.flatMap(({ path: name }) => (known.has(name) ? [] : [name]));
  // What cannot be read is left over each time.
  if (areAllKept && left.length === small.files) return;
  const built: WrittenSegment[] = [];
  const write = (): void => {
    const segments = [...kept.map((segment) => segment.copy()), ...built];
    if (segments.length === 0) rmSync(path, { force: true });
    else writeWordFile(path, rules, segments);
  };
  try {
    await buildSegments({ folder, paths: left, nowMs }, signal, built);
  } catch (thrown) {
    // A job behind a command has little time: the next one goes on from here.
    if (built.length > 0) write();
    throw thrown;
  }
  const builtFiles = built.reduce((sum, { header }) => sum + header.files, 0);
  if (!areAllKept || builtFiles !== small.files) write();
}

/** Undefined for a damaged one: its files are read again. */
function readIfWhole(segment: StoredSegment): SegmentFile[] | undefined {
  try {
    return readFiles(segment);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return undefined;
  }
}

type Unread = Pick<WordFileChanges, 'folder' | 'nowMs'> & { paths: readonly string[] };

/** @param segments added to, as soon as each is whole */
async function buildSegments(
  { folder, paths, nowMs }: Unread,
  signal: AbortSignal,
  segments: WrittenSegment[],
): Promise<void> {
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
