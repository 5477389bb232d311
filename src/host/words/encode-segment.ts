import { crc32 } from 'node:zlib';
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
  const { first, next } = chain(tokens.size, postings);
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
    for (let at = first[token]!; at !== 0; at = next[at]!) {
      const count = postings.count[at - 1]!;
      const step = postings.block[at - 1]! - block;
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

/** Of each word its first posting and 1, and of each posting the next one and 1. */
function chain(
  tokens: number,
  { size, token }: Segment['postings'],
): { first: Uint32Array; next: Uint32Array } {
  const first = new Uint32Array(tokens);
  const next = new Uint32Array(size + 1);
  for (let at = size; at > 0; at -= 1) {
    const word = token[at - 1]!;
    next[at] = first[word]!;
    first[word] = at;
  }
  return { first, next };
}

function sharedBytes({ bytes, starts }: Segment['tokens'], one: number, other: number): number {
  const from = starts[one]!;
  const at = starts[other]!;
  const most = Math.min(starts[one + 1]! - from, starts[other + 1]! - at);
  let shared = 0;
  while (shared < most && bytes[from + shared] === bytes[at + shared]) shared += 1;
  return shared;
}

function bytesOf(numbers: Float64Array | Uint32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
