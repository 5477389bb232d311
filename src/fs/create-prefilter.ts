/** @param length bytes of the text; what lies behind them in the buffer may be anything */
export type Prefilter = (buffer: Buffer, length: number) => boolean;

/** Files after which it is known whether the needles are rare. */
const trialFiles = 100;

/**
 * Passes what may hold one of the needles; UTF-16 is not looked into. Where the needles turn out
 * not to be rare, looking for them is lost time, and everything passes.
 *
 * @param needles none of them empty; without any everything passes
 */
export function createPrefilter(needles: readonly Buffer[]): Prefilter {
  const wanted = needles.map((whole) => ({ whole, piece: rarestPiece(whole) }));
  const viewOf = createViews();
  let asked = 0;
  let passed = 0;
  return (buffer, length) => {
    if (wanted.length === 0 || buffer[0]! >= 0xfe) return true;
    if (asked === trialFiles && passed > trialFiles / 3) return true;
    const view = viewOf(buffer, length);
    let holds = false;
    for (const { whole, piece } of wanted) holds ||= view.includes(piece) && view.includes(whole);
    if (asked < trialFiles) {
      asked += 1;
      if (holds) passed += 1;
    }
    return holds;
  };
}

/**
 * Printable bytes of source code and prose, the most frequent first: counted in 6,000 files in
 * TypeScript, JavaScript, Python, C and Markdown, each weighing the same.
 */
const byFrequency =
  ' etnsiro_acdlpfuh,Sm()*E.gO\'yTNI/CRbL0xPkA:;#Dw"v-1=2MFBU{}G5X[]3K>VH6948Y<\\`j|Wq7zJ~?&+@Z!$Q%^';

/** Up to this length a search jumps from one first byte to the next and does nothing else. */
const pieceBytes = 7;

/**
 * The part of a needle that begins with its rarest byte. Looking for one byte is many times quicker
 * than for several, and a rare byte seldom needs a second look.
 */
function rarestPiece(needle: Buffer): Buffer {
  let at = 0;
  let rarest = -1;
  // The last byte has nothing behind it that could tell one place from another.
  for (let index = 0; index < Math.max(1, needle.length - 1); index += 1) {
    const rank = byFrequency.indexOf(String.fromCharCode(needle[index]!));
    // A byte on no list is rare, unless it begins or continues letters of a script.
    const rarity = rank < 0 ? byFrequency.indexOf('m') : rank;
    if (rarity > rarest) [at, rarest] = [index, rarity];
  }
  return needle.subarray(at, at + pieceBytes);
}

const viewStep = 512;
const keptViews = 128;

/**
 * Views of the start of one buffer, up to a step longer than asked for: to make one for each file
 * takes a tenth of the search. What an earlier file left there may pass a file for nothing.
 */
function createViews(): (buffer: Buffer, length: number) => Buffer {
  let of: Buffer | undefined;
  let views: Buffer[] = [];
  return (buffer, length) => {
    const steps = Math.ceil(length / viewStep);
    if (steps >= keptViews) return buffer.subarray(0, length);
    if (of !== buffer) [of, views] = [buffer, []];
    views[steps] ??= buffer.subarray(0, steps * viewStep);
    return views[steps];
  };
}
