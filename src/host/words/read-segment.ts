import { crc32 } from 'node:zlib';
import { blockLines } from '../protocol/known-windows.ts';
import type { SegmentFile } from './build-segment.ts';
import { groupFields } from './encode-segment.ts';
import { stampFields } from './file-stamp.ts';
import { createNumberReader } from './varint.ts';
import type { StoredSegment } from './word-file.ts';

/** @throws {RangeError} for a damaged one */
export function readFiles(segment: StoredSegment): SegmentFile[] {
  const stamps = doublesOf(segment.read('stamps'));
  const lines = numbersOf(segment.read('lines'));
  const paths = segment.read('paths').toString().split('\0');
  if (paths.length !== lines.length) throw new RangeError('paths are missing');
  return paths.map((path, index) => {
    const at = index * stampFields;
    const stamp = {
      bytes: stamps[at]!,
      changedMs: stamps[at + 1]!,
      inodeChangedMs: stamps[at + 2]!,
      inode: stamps[at + 3]!,
    };
    return { path, stamp, lines: lines[index]! };
  });
}

/** Parts in each block. @throws {RangeError} for a damaged one */
export function readParts(segment: StoredSegment): Uint32Array {
  return numbersOf(segment.read('parts'));
}

/** Blocks of lines that a file takes. */
export function blocksOf({ lines }: SegmentFile): number {
  return Math.ceil(lines / blockLines);
}

/** Adds to each block how often it has what begins with a word; see `openCounts`. */
export type AddCounts = (word: Buffer, into: Uint32Array, column: number, columns: number) => void;

/**
 * The counts of a segment by word.
 *
 * @returns a function that adds them up: of block `n` to `into[n * columns + column]`
 * @throws {RangeError} for a damaged one, and so does the function
 */
export function openCounts(segment: StoredSegment): AddCounts {
  const groups = numbersOf(segment.read('groups'));
  const tokens = segment.read('tokens');
  const groupCount = groups.length / groupFields;
  const wordsOf = (group: number): number => groups[group * groupFields] ?? tokens.length;

  /** The first word of a group is written out: nothing shared, its length, its bytes. */
  function compareFirst(group: number, word: Buffer): number {
    const reader = createNumberReader(tokens);
    reader.at = wordsOf(group);
    reader.next();
    const length = reader.next();
    return tokens.compare(word, 0, word.length, reader.at, reader.at + length);
  }

  /** The last group whose first word stands before `word`, or the first one. */
  function groupBefore(word: Buffer): number {
    let [low, high] = [0, groupCount - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (compareFirst(middle, word) < 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Where the postings lie of all that begins with the word; in whole groups what holds them. */
  function find(word: Buffer): { lists: [start: number, end: number][]; first: number } {
    const first = groupBefore(word);
    const lists: [number, number][] = [];
    const token = Buffer.alloc(256);
    const reader = createNumberReader(tokens);
    reader.at = wordsOf(first);
    let place = groups[first * groupFields + 1]!;
    while (reader.at < tokens.length) {
      const shared = reader.next();
      const added = reader.next();
      tokens.copy(token, shared, reader.at, reader.at + added);
      reader.at += added;
      const bytes = reader.next();
      const compared = token.compare(
        word,
        0,
        word.length,
        0,
        Math.min(shared + added, word.length),
      );
      if (compared > 0) break;
      if (compared === 0) lists.push([place, place + bytes]);
      place += bytes;
    }
    return { lists, first };
  }

  /** Postings from one group's to another's, each as it was written. */
  function readGroups(from: number, end: number): { bytes: Buffer; start: number } {
    let last = from;
    while (last + 1 < groupCount && groups[(last + 1) * groupFields + 1]! < end) last += 1;
    const start = groups[from * groupFields + 1]!;
    const next = last + 1 < groupCount ? groups[(last + 1) * groupFields + 1]! : undefined;
    const bytes = segment.readPostings(start, next);
    for (let group = from; group <= last; group += 1) {
      const begin = groups[group * groupFields + 1]! - start;
      const stop = group < last ? groups[(group + 1) * groupFields + 1]! - start : bytes.length;
      if (crc32(bytes.subarray(begin, stop)) !== groups[group * groupFields + 2])
        throw new RangeError('damaged');
    }
    return { bytes, start };
  }

  return (word, into, column, columns) => {
    if (groupCount === 0) return;
    const { lists, first } = find(word);
    const end = lists.at(-1)?.[1];
    if (end === undefined) return;
    let from = first;
    while (from + 1 < groupCount && groups[(from + 1) * groupFields + 1]! <= lists[0]![0])
      from += 1;
    const { bytes, start } = readGroups(from, end);
    const reader = createNumberReader(bytes);
    for (const [listStart, listEnd] of lists) {
      reader.at = listStart - start;
      let block = 0;
      while (reader.at < listEnd - start) {
        const step = reader.next();
        block += step >>> 1;
        into[block * columns + column]! += (step & 1) === 1 ? reader.next() : 1;
      }
    }
  };
}

function numbersOf({ buffer, byteOffset, byteLength }: Buffer): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);
}

function doublesOf({ buffer, byteOffset, byteLength }: Buffer): Float64Array {
  return new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT);
}
