/**
 * What a word is in the bytes of a text. An identifier is a run of letters, digits and `_`; its
 * parts begin where the case rises, after `_`, and between letters and digits (`HTTPServer_v2`:
 * HTTP, Server, v, 2).
 */
export const byteClass = {
  other: 0,
  lower: 1,
  upper: 2,
  digit: 3,
  underscore: 4,
  newline: 5,
} as const;

const { lower, upper, digit, newline, other } = byteClass;

/** The class of each byte; what is not ASCII is part of a letter. */
export const classOfByte: Uint8Array = createClassTable();

/** Each byte, capital letters as small ones. */
export const lowerByte: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte,
);

function createClassTable(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(byteClass.lower, 0x61, 0x7b);
  table.fill(byteClass.lower, 0x80);
  table.fill(byteClass.upper, 0x41, 0x5b);
  table.fill(byteClass.digit, 0x30, 0x3a);
  table[0x5f] = byteClass.underscore;
  table[0x0a] = byteClass.newline;
  return table;
}

/** Whether a byte may belong to an identifier. */
export function isWordByte(byte: number): boolean {
  const kind = classOfByte[byte];
  return kind !== other && kind !== newline;
}

/** The last of several capital letters begins a part when a small letter follows. */
export function beginsPart(before: number, kind: number, behind: number): boolean {
  if (kind === lower) return before !== lower && before !== upper;
  if (kind === upper) return before !== upper || behind === lower;
  return kind === digit && before !== digit;
}

/**
 * Whether something happens at a byte, a part or a line ending, by the classes of the byte
 * before, the byte and the byte behind it: `before << 6 | byte << 3 | behind`.
 */
const eventTable: Uint8Array = Uint8Array.from({ length: 512 }, (_, classes) =>
  isEvent(classes >> 6, (classes >> 3) & 7, classes & 7) ? 1 : 0,
);

function isEvent(before: number, kind: number, behind: number): boolean {
  return kind === newline || beginsPart(before, kind, behind);
}

/**
 * Where parts begin and lines end. The loop over every byte; without a branch it takes half the
 * time: words are short, and where each ends cannot be predicted.
 *
 * @param bytes hold a zero at `end`
 * @param events room for `end - start + 1` offsets; one more is written than counts
 * @returns how many offsets were written
 */
export function findEvents(
  bytes: Uint8Array,
  start: number,
  end: number,
  events: Uint32Array,
): number {
  let count = 0;
  let classes = classOfByte[bytes[start]!]!;
  for (let at = start; at < end; at += 1) {
    classes = ((classes << 3) | classOfByte[bytes[at + 1]!]!) & 511;
    events[count] = at;
    count += eventTable[classes]!;
  }
  return count;
}

/** True when nothing but `_` stands before it in its identifier. */
export function startsIdentifier(bytes: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && bytes[before] === 0x5f) before -= 1;
  const kind = before < 0 ? other : classOfByte[bytes[before]!]!;
  return kind === other || kind === newline;
}
