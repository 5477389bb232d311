import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a folder, best first, by plain BM25 over whole files. */
export type FileIndex = { rank(question: string): string[] };

type Entry = { path: string; counts: ReadonlyMap<string, number>; length: number };

const k1 = 1.2;
const b = 0.75;
const maxFileBytes = 2 * 1024 * 1024;
const skippedFolders = new Set(['node_modules', '.git', 'dist']);

/**
 * The reference that the ranking is measured beside, with nothing of its own: words split at
 * case and underscores, the stop words of a common English list, BM25 with its usual
 * constants, every text file below the folder.
 */
export function indexFiles(folder: string): FileIndex {
  const entries = textFiles(folder, '').map((path) => toEntry(folder, path));
  const mean = entries.reduce((sum, entry) => sum + entry.length, 0) / Math.max(1, entries.length);
  const holding = new Map<string, number>();
  for (const { counts } of entries) {
    for (const word of counts.keys()) holding.set(word, (holding.get(word) ?? 0) + 1);
  }
  const idf = (word: string) => {
    const files = holding.get(word) ?? 0;
    return Math.log(1 + (entries.length - files + 0.5) / (files + 0.5));
  };
  return {
    rank: (question) => {
      const words = [...new Set(splitWords(question))].filter((word) => !stopWords.has(word));
      const scored = entries.map((entry) => {
        const norm = k1 * (1 - b + (b * entry.length) / mean);
        const score = words.reduce((sum, word) => {
          const count = entry.counts.get(word) ?? 0;
          return sum + (idf(word) * count * (k1 + 1)) / (count + norm);
        }, 0);
        return { path: entry.path, score };
      });
      return scored
        .filter(({ score }) => score > 0)
        .sort((left, right) => right.score - left.score)
        .map(({ path }) => path);
    },
  };
}

export function splitWords(text: string): string[] {
  const parts = text.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+/gu) ?? [];
  return parts.map((part) => part.toLowerCase());
}

function toEntry(folder: string, path: string): Entry {
  const words = splitWords(readFileSync(join(folder, path), 'utf8'));
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { path, counts, length: words.length };
}

function textFiles(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.name.startsWith('.')) return [];
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : textFiles(folder, path);
    return entry.isFile() && isText(join(folder, path)) ? [path] : [];
  });
}

function isText(file: string): boolean {
  return statSync(file).size <= maxFileBytes && !readFileSync(file).includes(0);
}

const stopWords = new Set(
  `a about after all also an and any are as at be because been before but by can could did do does
  each for from get has have how i if in into is it its just made make many may more most must my no
  not of off on one only or other our out over same should so some such than that the their them then
  there these they this those through to too under up use used using was we what when where which
  while who why will with without would you your`.split(/\s+/),
);
