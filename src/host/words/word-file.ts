import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { writeFileWhole } from '../../lib/write-file-whole.ts';
import { type SectionName, sectionNames } from './encode-segment.ts';

/**
 * The counts of a workspace's words in one file: the magic, the length of the header and its sum,
 * the header as JSON, then the sections of one segment after the other.
 */
const magic = 'cuervo words 2\n';
const prefixBytes = magic.length + 8;
/** Of the header; a thousand segments take 300 KB. */
const maxHeaderBytes = 16 * 1024 * 1024;

/** Bytes of a section, and the sum over them. That of postings is kept for each group of words. */
type Section = { bytes: number; sum: number };
export type SegmentHeader = { files: number; sections: Record<SectionName, Section> };
type Header = { rules: string; segments: readonly SegmentHeader[] };

/** A segment in an open file. */
export type StoredSegment = {
  files: number;
  /** @throws {RangeError} when it is not what was written */
  read(section: Exclude<SectionName, 'postings'>): Buffer;
  /** A stretch of the postings, not checked. @throws {RangeError} when it is not there */
  readPostings(start: number, end?: number): Buffer;
  /** All sections as they lie there, for another file. */
  copy(): { header: SegmentHeader; bytes: Buffer };
};

/** The caller closes it. */
export type WordFile = Disposable & {
  /** digest of what was left out, when it was written */
  rules: string;
  segments: readonly StoredSegment[];
};

/** @returns undefined where there is none, or none of ours, or a damaged one */
export function openWordFile(path: string): WordFile | undefined {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const { header, start } = readHeader(fd);
    let at = start;
    const segments = header.segments.map((segment) => {
      const stored = storedSegment(fd, segment, at);
      at += bytesOf(segment);
      return stored;
    });
    if (fstatSync(fd).size !== at) throw new RangeError('the file has another length');
    return { rules: header.rules, segments, [Symbol.dispose]: () => closeSync(fd) };
  } catch {
    closeSync(fd);
    return undefined;
  }
}

function readHeader(fd: number): { header: Header; start: number } {
  const prefix = readAt(fd, 0, prefixBytes);
  if (prefix.toString('latin1', 0, magic.length) !== magic) throw new RangeError('another file');
  const length = prefix.readUInt32LE(magic.length);
  if (length > maxHeaderBytes) throw new RangeError('the header is too long');
  const bytes = readAt(fd, prefixBytes, length);
  if (crc32(bytes) !== prefix.readUInt32LE(magic.length + 4)) throw new RangeError('damaged');
  return { header: JSON.parse(bytes.toString()) as Header, start: prefixBytes + length };
}

function bytesOf({ sections }: SegmentHeader): number {
  return sectionNames.reduce((sum, name) => sum + sections[name].bytes, 0);
}

function storedSegment(fd: number, header: SegmentHeader, start: number): StoredSegment {
  const { sections } = header;
  const places = {} as Record<SectionName, number>;
  let next = start;
  for (const name of sectionNames) {
    places[name] = next;
    next += sections[name].bytes;
  }
  return {
    files: header.files,
    read: (name) => {
      const bytes = readAt(fd, places[name], sections[name].bytes);
      if (crc32(bytes) !== sections[name].sum) throw new RangeError('damaged');
      return bytes;
    },
    readPostings: (from, to = sections.postings.bytes) => {
      if (from > to || to > sections.postings.bytes) throw new RangeError('beyond the postings');
      return readAt(fd, places.postings + from, to - from);
    },
    copy: () => ({ header, bytes: readAt(fd, start, next - start) }),
  };
}

/** In a buffer of its own, so that numbers in it lie where numbers may. */
function readAt(fd: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const got = readSync(fd, bytes, filled, length - filled, start + filled);
    if (got === 0) throw new RangeError('the file ends early');
    filled += got;
  }
  return bytes;
}

export type WrittenSegment = { header: SegmentHeader; bytes: Buffer };

export function toWritten(files: number, sections: Record<SectionName, Buffer>): WrittenSegment {
  const entries = sectionNames.map((name) => {
    const bytes = sections[name];
    return [name, { bytes: bytes.length, sum: crc32(bytes) }] as const;
  });
  const header = { files, sections: Object.fromEntries(entries) as SegmentHeader['sections'] };
  return { header, bytes: Buffer.concat(sectionNames.map((name) => sections[name])) };
}

/** Replaces the file in one step; who reads it meanwhile goes on with the old one. */
export function writeWordFile(
  path: string,
  rules: string,
  segments: readonly WrittenSegment[],
): void {
  const header: Header = { rules, segments: segments.map(({ header: own }) => own) };
  const json = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.write(magic, 'latin1');
  prefix.writeUInt32LE(json.length, magic.length);
  prefix.writeUInt32LE(crc32(json), magic.length + 4);
  writeFileWhole(path, Buffer.concat([prefix, json, ...segments.map(({ bytes }) => bytes)]));
}
