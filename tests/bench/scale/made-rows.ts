import { readFileSync } from 'node:fs';
import type { MemoryLayer, MemoryRow } from '../../../src/contracts/memory.ts';
import { memoryId } from '../../../src/memory/memory-record.ts';
import { decodeEmbedderFile } from '../../../src/memory/static/embedder-file.ts';

/** Makes rows and questions that are the same in every run. */
export type RowMaker = {
  /** @param from number of the first; a row is the same whichever batch it is made in */
  rows(layer: MemoryLayer, from: number, count: number): MemoryRow[];
  /** other words on the topic of one of the rows */
  question(number: number): string;
};

const rowWords = 24;
const topicWords = 60;
const rowsOfTopic = 25;
const hourMs = 3_600_000;

/** Every row of the bench was said within an hour before this. */
export const madeAtMs = Date.UTC(2026, 10, 21);

/**
 * Texts of 24 words, 10 of the words of one topic and the rest by Zipf's law over the whole words
 * that the embedder knows: neighbours, frequent and rare words, as in what people say.
 */
export function createRowMaker(embedderPath: string, rows: number): RowMaker {
  const { vocabulary } = decodeEmbedderFile(readFileSync(embedderPath));
  const words = shuffled(
    vocabulary.split('\n').filter((word) => /^[a-z]{3,}$/.test(word)),
    random(1),
  );
  const topics = Math.max(8, Math.ceil(rows / rowsOfTopic));
  const zipf = (next: () => number): string =>
    words[Math.min(words.length - 1, Math.floor(words.length ** next()) - 1)] ?? 'word';
  const ofTopic = (topic: number, next: () => number): string => {
    const at = Math.floor(next() * topicWords);
    return words[mix(topic * topicWords + at) % words.length] ?? 'word';
  };
  const text = (topic: number, count: number, next: () => number): string => {
    const chosen = Array.from({ length: count }, (_, at) =>
      at % 12 < 5 ? ofTopic(topic, next) : zipf(next),
    );
    return shuffled(chosen, next).join(' ');
  };
  return {
    rows: (layer, from, count) =>
      Array.from({ length: count }, (_, at) => {
        const number = from + at;
        const next = random(number + 2);
        const said = `${text(number % topics, rowWords, next)} ${number}`;
        const record = {
          layer,
          text: said,
          context: said,
          kind: number % 3 === 0 ? 'note' : 'answer',
          tags: [`tag${number % 7}`],
          project: `/project-${number % 4}`,
          session: `s${number % 50}`,
          source: `docs/${number % 100}.md`,
          run: `r${number % 200}`,
          ts: madeAtMs - Math.floor(next() * hourMs),
        };
        return { id: memoryId(record), record };
      }),
    question: (number) => text(mix(number) % topics, 8, random(-number - 1)),
  };
}

/** mulberry32: 0 (inclusive) to 1 */
function random(seed: number): () => number {
  let state = mix(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number far from those of its neighbours, 0 to 2³² − 1. */
function mix(seed: number): number {
  const value = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b);
  const again = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (again ^ (again >>> 16)) >>> 0;
}

function shuffled<T>(values: readonly T[], next: () => number): T[] {
  const found = [...values];
  for (let at = found.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [found[at], found[other]] = [found[other] as T, found[at] as T];
  }
  return found;
}
