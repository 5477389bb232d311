export type PieceCounts = { ids: Int32Array; counts: Float32Array };

/** The slopes that a batch gives to the rows, and the rows that have one. */
export type Batch = { slopes: Float32Array; touched: Set<number> };

type Asked = { phrase: PieceCounts; comment: PieceCounts; code: PieceCounts };
type Vectors = { directions: Float32Array; lengths: Float32Array };

/** The heat of cosines: chances go by e^(cosine / heat). */
const heat = 0.1;
/** Weight of the words that a comment and its code share. */
const wordsWeight = 2;
const shareOfNone = 0.1;
const shortest = 1e-6;

/**
 * Adds the slopes of the loss: how unlikely each comment's own code is, among all of the batch.
 *
 * @returns the loss, in nats
 */
export function trainBatch(
  rows: Float32Array,
  asked: readonly Asked[],
  { rarity, dimensions, batch }: { rarity: Float32Array; dimensions: number; batch: Batch },
): number {
  const count = asked.length;
  const comments = vectorsOf(
    rows,
    asked.map(({ phrase, comment }) => [phrase, comment]),
    dimensions,
  );
  const codes = vectorsOf(
    rows,
    asked.map(({ code }) => [code]),
    dimensions,
  );
  const shares = sharedWords(asked, rarity);
  let loss = 0;
  const ofComments = new Float32Array(count * dimensions);
  const ofCodes = new Float32Array(count * dimensions);
  const chances = new Float32Array(count);
  for (let one = 0; one < count; one += 1) {
    const own = comments.directions.subarray(one * dimensions, (one + 1) * dimensions);
    for (let other = 0; other < count; other += 1) {
      const words = Math.log((shares[one * count + other] as number) + shareOfNone);
      chances[other] = dot(own, codes.directions, other * dimensions) / heat + wordsWeight * words;
    }
    toChances(chances);
    loss -= Math.log(Math.max(chances[one] as number, 1e-9)) / count;
    chances[one] = (chances[one] as number) - 1;
    for (let other = 0; other < count; other += 1) {
      const slope = (chances[other] as number) / (heat * count);
      addScaled(
        ofComments,
        one * dimensions,
        codes.directions,
        other * dimensions,
        slope,
        dimensions,
      );
      addScaled(
        ofCodes,
        other * dimensions,
        comments.directions,
        one * dimensions,
        slope,
        dimensions,
      );
    }
  }
  for (const [at, { phrase, comment, code }] of asked.entries()) {
    const size = { at, dimensions };
    toSums(ofComments, comments, size);
    toSums(ofCodes, codes, size);
    for (const text of [phrase, comment]) spread(ofComments, text, size, batch);
    spread(ofCodes, code, size, batch);
  }
  return loss;
}

function vectorsOf(
  rows: Float32Array,
  texts: readonly (readonly PieceCounts[])[],
  dimensions: number,
): Vectors {
  const sums = new Float32Array(texts.length * dimensions);
  const lengths = new Float32Array(texts.length);
  const directions = new Float32Array(sums.length);
  for (const [at, parts] of texts.entries()) {
    const to = at * dimensions;
    for (const { ids, counts } of parts)
      for (const [index, id] of ids.entries())
        addScaled(sums, to, rows, id * dimensions, counts[index] as number, dimensions);
    let squares = 0;
    for (let index = to; index < to + dimensions; index += 1)
      squares += (sums[index] as number) ** 2;
    const length = Math.max(Math.sqrt(squares), shortest);
    lengths[at] = length;
    for (let index = to; index < to + dimensions; index += 1)
      directions[index] = (sums[index] as number) / length;
  }
  return { directions, lengths };
}

/** By comment and code: how much of the comment's rare pieces the code has, 1 for the most. */
function sharedWords(asked: readonly Asked[], rarity: Float32Array): Float32Array {
  const count = asked.length;
  const holders = new Map<number, number[]>();
  for (const [at, { code }] of asked.entries()) {
    for (const id of code.ids) {
      const known = holders.get(id);
      if (known === undefined) holders.set(id, [at]);
      else known.push(at);
    }
  }
  const shares = new Float32Array(count * count);
  for (const [at, { comment }] of asked.entries()) {
    const own = shares.subarray(at * count, (at + 1) * count);
    for (const id of comment.ids)
      for (const holder of holders.get(id) ?? [])
        own[holder] = (own[holder] as number) + (rarity[id] as number);
    const most = own.reduce((best, share) => Math.max(best, share), shortest);
    for (let other = 0; other < count; other += 1) own[other] = (own[other] as number) / most;
  }
  return shares;
}

function toChances(values: Float32Array): void {
  const top = values.reduce((most, value) => Math.max(most, value), -Infinity);
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) {
    values[at] = Math.exp((values[at] as number) - top);
    sum += values[at] as number;
  }
  for (let at = 0; at < values.length; at += 1) values[at] = (values[at] as number) / sum;
}

/** From the slope of a direction to that of the sum that it is the direction of. */
function toSums(
  slopes: Float32Array,
  { directions, lengths }: Vectors,
  { at, dimensions }: { at: number; dimensions: number },
): void {
  const from = at * dimensions;
  const along = dot(slopes.subarray(from, from + dimensions), directions, from);
  for (let index = from; index < from + dimensions; index += 1) {
    const across = (slopes[index] as number) - along * (directions[index] as number);
    slopes[index] = across / (lengths[at] as number);
  }
}

function spread(
  slopes: Float32Array,
  { ids, counts }: PieceCounts,
  { at, dimensions }: { at: number; dimensions: number },
  batch: Batch,
): void {
  for (const [index, id] of ids.entries()) {
    const times = counts[index] as number;
    addScaled(batch.slopes, id * dimensions, slopes, at * dimensions, times, dimensions);
    batch.touched.add(id);
  }
}

function dot(left: Float32Array, right: Float32Array, from: number): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1)
    sum += (left[at] as number) * (right[from + at] as number);
  return sum;
}

function addScaled(
  to: Float32Array,
  at: number,
  from: Float32Array,
  start: number,
  factor: number,
  count: number,
): void {
  for (let index = 0; index < count; index += 1)
    to[at + index] = (to[at + index] as number) + factor * (from[start + index] as number);
}
