import type { Evidence } from '../contracts/evidence.ts';
import type { MemoryHit } from '../contracts/memory.ts';
import type { Findings } from './collect-evidence.ts';

/** Pieces that are written out; the rest is named by path and lines. */
const shownPieces = 5;
/** Lines of one piece. */
const shownLines = 8;
const listingLines = 40;
const columns = 80;

export type ExtractiveOptions = {
  question: string;
  findings: Findings;
  memory: readonly MemoryHit[];
  nowMs: number;
  /** why there is no model in it, e.g. `no model is configured` */
  reason: string;
};

/**
 * The answer without a model: the best passages as they stand in the files, introduced as
 * what they are. Lines that hold words of the question are marked with `>`.
 */
export function extractiveAnswer(options: ExtractiveOptions): string {
  const { findings, memory } = options;
  const parts = [`These are passages, not an explanation (${options.reason}).`];
  if (memory.length > 0) parts.push(memoryPart(memory, options.nowMs));
  const [shown, named] = [
    findings.evidence.slice(0, shownPieces),
    findings.evidence.slice(shownPieces),
  ];
  for (const piece of shown) parts.push(passageText(piece, options.question));
  if (named.length > 0)
    parts.push(`Also:\n${named.map((piece) => `  ${placeOf(piece)}`).join('\n')}`);
  for (const { title, text } of findings.listings) parts.push(listingPart(title, text));
  return parts.join('\n\n');
}

/** `src/a.ts:3-7`, relative to the workspace. */
export function placeOf(piece: Evidence): string {
  const lines = piece.line === piece.endLine ? `${piece.line}` : `${piece.line}-${piece.endLine}`;
  return `${piece.path}:${lines}`;
}

/** Path and lines, then the few lines that matter, those with words of the question marked. */
export function passageText(piece: Evidence, question: string): string {
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
    return cut(`${start}${text.replaceAll('\t', '  ')}`, columns).trimEnd();
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

function memoryPart(memory: readonly MemoryHit[], nowMs: number): string {
  const lines = memory.map((hit) =>
    cut(`  ${ageText(nowMs - hit.ts)}: ${hit.text.replace(/\s+/g, ' ')}`, 240),
  );
  return `From memory:\n${lines.join('\n')}`;
}

/** `3 min ago`. */
export function ageText(ageMs: number): string {
  const minutes = Math.max(0, Math.round(ageMs / 60_000));
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return `${Math.round(minutes / 1440)} days ago`;
}

function listingPart(title: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  const more = lines.length - listingLines;
  const shown = lines.slice(0, listingLines).map((line) => cut(`  ${line}`, columns));
  return [`${title}:`, ...shown, ...(more > 0 ? [`  (${more} more lines)`] : [])].join('\n');
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
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
