import { crc32 } from 'node:zlib';
import { bytesOf } from '../../lib/number-array.ts';
import type { Segment } from './build-segment.ts';
import { stampFields } from './file-stamp.ts';
import { createByteWriter } from './varint.ts';

/** Words that stand in one group, whose first is written out; of the others what differs is. */
const groupTokens = 32;

/** Numbers that are kept of a group: where its words and its postings begin, the sum of these. */
export const groupFields = 3;

/** The parts of a segment, in the order in which they lie in the file. Numbers are little-endian. */
export const sectionNames = [
  /** `FileStamp`s, four doubles each */
  'stamps',
  /** paths, a zero between two of them */
  'paths',
  /** lines of each file, 32 bits */
  'lines',
  /** parts in each block, 32 bits */
  'parts',
  /** `groupFields` of each group, 32 bits */
  'groups',
  /** of each word: bytes shared with the one before, further bytes and these, bytes of its postings */
  'tokens',
  /** of each word: blocks, as the difference to the one before, twice, and 1 more where a count follows */
  'postings',
] as const;

export type SectionName = (typeof sectionNames)[number];

export function encodeSegment(segment: Segment): Record<SectionName, Buffer> {
  const { files, parts } = segment;
  const stamps = new Float64Array(files.length * stampFields);
  for (const [index, { stamp }] of files.entries()) {
    const { bytes, changedMs, inodeChangedMs, inode } = stamp;
    stamps.set([bytes, changedMs, inodeChangedMs, inode], index * stampFields);
  }
  return {
    stamps: bytesOf(stamps),
    paths: Buffer.from(files.map(({ path }) => path).join('\0')),
    lines: bytesOf(Uint32Array.from(files, ({ lines }) => lines)),
    parts: bytesOf(parts),
    ...encodeTokens(segment),
  };
}

function encodeTokens({
  tokens,
  postings,
}: Segment): Record<'groups' | 'tokens' | 'postings', Buffer> {
  const order = inOrder(tokens);
  const { ends, block: blocks, count: counts } = byToken(tokens.size, postings);
  const words = createByteWriter();
  const lists = createByteWriter();
  const groups: number[] = [];
  let [before, groupStart] = [-1, 0];
  for (const [place, token] of order.entries()) {
    const isFirst = place % groupTokens === 0;
    if (isFirst) {
      if (place > 0) groups.push(crc32(lists.view().subarray(groupStart)));
      groupStart = lists.length;
      groups.push(words.length, groupStart);
    }
    const from = tokens.starts[token]!;
    const to = tokens.starts[token + 1]!;
    const shared = isFirst ? 0 : sharedBytes(tokens, before, token);
    words.number(shared);
    words.number(to - from - shared);
    words.bytes(tokens.bytes, from + shared, to);
    const listStart = lists.length;
    let block = 0;
    for (let at = token === 0 ? 0 : ends[token - 1]!; at < ends[token]!; at += 1) {
      const count = counts[at]!;
      const step = blocks[at]! - block;
      block += step;
      lists.number((step << 1) | (count > 1 ? 1 : 0));
      if (count > 1) lists.number(count);
    }
    words.number(lists.length - listStart);
    before = token;
  }
  if (order.length > 0) groups.push(crc32(lists.view().subarray(groupStart)));
  return {
    groups: bytesOf(Uint32Array.from(groups)),
    tokens: words.view(),
    postings: lists.view(),
  };
}

/** The numbers of all words, in the order of their bytes. */
function inOrder({ size, bytes, starts }: Segment['tokens']): Uint32Array {
  const names = Array.from({ length: size }, (_, token) =>
    bytes.toString('latin1', starts[token], starts[token + 1]),
  );
  return Uint32Array.from(names.keys()).sort((one, other) =>
    names[one]! < names[other]! ? -1 : 1,
  );
}

/** Blocks and counts one word after the other, and where those of each word end. */
function byToken(
  tokens: number,
  { size, token, block, count }: Segment['postings'],
): { ends: Uint32Array; block: Uint32Array; count: Uint32Array } {
  const ends = new Uint32Array(tokens);
  for (let at = 0; at < size; at += 1) ends[token[at]!]! += 1;
  let sum = 0;
  for (let word = 0; word < tokens; word += 1) {
    const own = ends[word]!;
    ends[word] = sum;
    sum += own;
  }
  const sorted = { ends, block: new Uint32Array(size), count: new Uint32Array(size) };
  for (let at = 0; at < size; at += 1) {
    const place = ends[token[at]!]!;
    ends[token[at]!] = place + 1;
    sorted.block[place] = block[at]!;
    sorted.count[place] = count[at]!;
  }
  return sorted;
}

function sharedBytes({ bytes, starts }: Segment['tokens'], one: number, other: number): number {
  const from = starts[one]!;
  const at = starts[other]!;
  const most = Math.min(starts[one + 1]! - from, starts[other + 1]! - at);
  let shared = 0;
  while (shared < most && bytes[from + shared] === bytes[at + shared]) shared += 1;
  return shared;
}
