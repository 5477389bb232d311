import { escapeLine } from './escape-terminal.ts';
import { shortenText } from './shorten-text.ts';

/** Lines of one passage. */
const shownLines = 8;
const columns = 80;

/** Lines of a file, 1-based, inclusive. */
type Place = { path: string; line: number; endLine: number };

/** `text` is the text of those lines. */
type Passage = Place & { text: string };

/** `src/a.ts:3-7`, on one line whatever a tool says that the path is. */
export function placeOf(piece: Place): string {
  const lines = piece.line === piece.endLine ? `${piece.line}` : `${piece.line}-${piece.endLine}`;
  return `${escapeLine(piece.path)}:${lines}`;
}

/** Path and lines, then the few lines that matter, those with words of the question marked. */
export function passageText(piece: Passage, question: string): string {
  const words = questionWords(question);
  const lines = piece.text.split('\n').map((text, index) => ({
    number: piece.line + index,
    text,
    hits: words.filter((word) => text.toLowerCase().includes(word)).length,
  }));
  const window = bestWindow(lines);
  const width = String(piece.endLine).length;
  const body = window.map(({ number, text, hits }) => {
    const start = `${hits > 0 ? '>' : ' '} ${String(number).padStart(width)} `;
    return shortenText(`${start}${text.replaceAll('\t', '  ')}`, columns).trimEnd();
  });
  return [placeOf(piece), ...body].join('\n');
}

type Line = { number: number; text: string; hits: number };

/** The few neighbouring lines with most words of the question; earlier ones where equal. */
function bestWindow(lines: readonly Line[]): Line[] {
  if (lines.length <= shownLines) return trimBlank(lines);
  let best = 0;
  let bestHits = -1;
  for (let start = 0; start + shownLines <= lines.length; start += 1) {
    const hits = lines.slice(start, start + shownLines).reduce((sum, line) => sum + line.hits, 0);
    if (hits > bestHits) [best, bestHits] = [start, hits];
  }
  return trimBlank(lines.slice(best, best + shownLines));
}

function trimBlank(lines: readonly Line[]): Line[] {
  const first = lines.findIndex((line) => line.text.trim() !== '');
  const last = lines.findLastIndex((line) => line.text.trim() !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
}

/** Beginnings of the question's longer words: `retries` marks `retry`, too. */
function questionWords(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  const common =
    /^(the|and|are|for|how|what|where|which|when|who|why|does|did|show|list|all|with|from|this|that|there|into|file|files|code)$/;
  const stems = words
    .filter((word) => !common.test(word))
    .map((word) => (word.length > 5 ? word.slice(0, -2) : word));
  return [...new Set(stems)];
}
