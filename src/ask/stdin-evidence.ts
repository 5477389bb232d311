import type { Evidence } from '../contracts/events.ts';
import { splitLines } from '../lib/text/decode-text.ts';
import { questionWords } from '../lib/text/passage-text.ts';

/** How a text on standard input is called where a path would stand. */
const givenName = 'standard input';

/** Lines of one piece; two neighbours that are both kept are shown one after the other. */
const pieceLines = 30;
/** Number of pieces that are kept. */
const maxPieces = 8;
const maxCharacters = 24_000;
const maxLineCharacters = 2000;
/** Above the score of every passage that a search finds: it was handed over with the question. */
const baseScore = 1000;

/**
 * The pieces of a text that bear most on a question, best first; all of a short text. A word counts
 * the more, the fewer pieces hold it.
 */
export function stdinEvidence(
  text: string,
  question: string,
  { path, line }: { path: string; line: number } = { path: givenName, line: 1 },
): Evidence[] {
  const lines = splitLines(text);
  const pieces: Evidence[] = [];
  for (let at = 0; at < lines.length; at += pieceLines) {
    const inside = lines.slice(at, at + pieceLines).map((line) => line.slice(0, maxLineCharacters));
    const endLine = line + at + inside.length - 1;
    if (inside.every((line) => line.trim() === '')) continue;
    pieces.push({ path, line: line + at, endLine, text: inside.join('\n'), score: 0 });
  }
  const folded = pieces.map((piece) => piece.text.toLowerCase());
  const words = questionWords(question).map((word) => {
    const holders = folded.filter((each) => each.includes(word)).length;
    return { word, weight: Math.log(1 + pieces.length / (1 + holders)) };
  });
  const scored = pieces.map((piece, at) => {
    const found = words.filter(({ word }) => folded[at]?.includes(word));
    return { ...piece, score: found.reduce((sum, { weight }) => sum + weight, 0) };
  });
  // Ties keep the order of the text.
  const isFound = pieces.length > maxPieces && scored.some(({ score }) => score > 0);
  const best = scored
    .filter(({ score }) => !isFound || score > 0)
    .toSorted((one, other) => other.score - one.score);
  let left = maxCharacters;
  const kept = best.slice(0, maxPieces).filter((piece) => {
    left -= piece.text.length;
    return left >= 0;
  });
  return kept.map((piece) => ({ ...piece, score: baseScore + piece.score }));
}
