import { doubled } from '../../lib/number-array.ts';
import { findEvents, identifierEnd, partEnd, startsIdentifier } from '../../lib/word-parts.ts';
import { hasLongLines, type TalliedText, talliedText } from '../below/tallied-text.ts';
import { blockLines } from '../protocol/known-windows.ts';
import type { FileStamp } from './file-stamp.ts';
import { createTokenTable } from './token-table.ts';

/** Bytes of a word that are kept: as long as one may be that a tally asks for, 64 characters. */
const maxTokenBytes = 192;

/** What one segment says of a file. */
export type SegmentFile = {
  /** relative to the root */
  path: string;
  stamp: FileStamp;
  /** 0 for what a tally leaves out: binary, too large, minified, empty */
  lines: number;
};

/**
 * Counts of all words in some files, by blocks of lines. A word is a whole identifier, or a part
 * of one that does not stand at its beginning: those are what a tally's words are beginnings of.
 */
export type Segment = {
  files: readonly SegmentFile[];
  /** parts of identifiers in each block of all files, one file after the other */
  parts: Uint32Array;
  /** the words, one behind the other: word `n` from `starts[n]` to `starts[n + 1]` */
  tokens: { size: number; bytes: Buffer; starts: Uint32Array };
  /** one for each block with a word: which word, which block, how often; in order of the blocks */
  postings: { size: number; token: Uint32Array; block: Uint32Array; count: Uint32Array };
};

export type SegmentBuilder = {
  /** bytes of text that were counted */
  textBytes: number;
  fileCount: number;
  /** @param bytes hold a zero at `length` */
  add(path: string, stamp: FileStamp, bytes: Buffer, length: number): void;
  /** What was added; the builder is done. */
  finish(): Segment;
};

export function createSegmentBuilder(): SegmentBuilder {
  const files: SegmentFile[] = [];
  const tokens = createTokenTable();
  let parts = new Uint32Array(4096);
  let blocks = 0;
  let token = new Uint32Array(65_536);
  let block = new Uint32Array(65_536);
  let count = new Uint32Array(65_536);
  let size = 0;
  /** of each word, the number of its last posting and 1 */
  let last = new Uint32Array(8192);
  let events = new Uint32Array(4096);

  function hit(number: number, inBlock: number): void {
    while (number >= last.length) last = doubled(last);
    const known = last[number]! - 1;
    if (known >= 0 && block[known] === inBlock) {
      count[known]! += 1;
      return;
    }
    if (size === token.length) {
      token = doubled(token);
      block = doubled(block);
      count = doubled(count);
    }
    token[size] = number;
    block[size] = inBlock;
    count[size] = 1;
    size += 1;
    last[number] = size;
  }

  /** @returns lines, 0 for what is left out */
  function countText({ bytes, start, end }: TalliedText): number {
    if (events.length < end + 2) events = new Uint32Array(2 * (end + 2));
    const eventCount = findEvents(bytes, start, end, events);
    let lines = end > start && bytes[end - 1] !== 0x0a ? 1 : 0;
    for (let event = 0; event < eventCount; event += 1) {
      if (bytes[events[event]!] === 0x0a) lines += 1;
    }
    if (hasLongLines(end, lines)) return 0;
    const first = blocks;
    blocks += Math.ceil(lines / blockLines);
    while (parts.length < blocks) parts = doubled(parts);
    let line = 0;
    for (let event = 0; event < eventCount; event += 1) {
      const at = events[event]!;
      if (bytes[at] === 0x0a) {
        line += 1;
        continue;
      }
      const inBlock = first + Math.floor(line / blockLines);
      parts[inBlock]! += 1;
      const to = startsIdentifier(bytes, at) ? identifierEnd(bytes, at) : partEnd(bytes, at);
      hit(tokens.number(bytes, at, Math.min(to, at + maxTokenBytes)), inBlock);
    }
    return lines;
  }

  const builder: SegmentBuilder = {
    textBytes: 0,
    fileCount: 0,
    add: (path, stamp, bytes, length) => {
      builder.fileCount += 1;
      const text = talliedText(bytes, length);
      const lines = text === undefined ? 0 : countText(text);
      if (lines > 0) builder.textBytes += length;
      files.push({ path, stamp, lines });
    },
    finish: () => ({
      files,
      parts: parts.subarray(0, blocks),
      tokens,
      postings: { size, token, block, count },
    }),
  };
  return builder;
}
