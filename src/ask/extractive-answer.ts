import type { MemoryHit } from '../contracts/memory.ts';
import { ageText } from '../lib/age-text.ts';
import { passageText, placeOf } from '../lib/passage-text.ts';
import { shortenText } from '../lib/shorten-text.ts';
import type { Findings } from './collect-evidence.ts';

/** Pieces that are written out; the rest is named by path and lines. */
const shownPieces = 5;
const listingLines = 40;
/** Lines of a file or a definition that was asked for. */
const wholeLines = 40;
const columns = 80;

export type ExtractiveOptions = {
  question: string;
  findings: Findings;
  memory: readonly MemoryHit[];
  nowMs: number;
  /** the first piece is what was asked for, and is shown whole */
  isShown?: boolean;
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
  for (const [at, piece] of shown.entries()) {
    const isWhole = options.isShown === true && at === 0;
    parts.push(passageText(piece, options.question, isWhole ? wholeLines : undefined));
  }
  if (named.length > 0)
    parts.push(`Also:\n${named.map((piece) => `  ${placeOf(piece)}`).join('\n')}`);
  for (const { title, text } of findings.listings) parts.push(listingPart(title, text));
  return parts.join('\n\n');
}

function memoryPart(memory: readonly MemoryHit[], nowMs: number): string {
  const lines = memory.map((hit) => {
    // Not everything was said by the person who asks: a plugin or a file is named as such.
    const from = hit.source === undefined ? '' : `, from ${hit.source}`;
    const head = `  ${ageText(nowMs - hit.ts)}${from}`;
    return shortenText(`${head}: ${hit.text.replace(/\s+/g, ' ')}`, 240);
  });
  return `From memory:\n${lines.join('\n')}`;
}

function listingPart(title: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  const more = lines.length - listingLines;
  const shown = lines
    .slice(0, listingLines)
    .map((line) => shortenText(`  ${line.replaceAll('\t', '  ')}`, columns));
  return [`${title}:`, ...shown, ...(more > 0 ? [`  (${more} more lines)`] : [])].join('\n');
}
