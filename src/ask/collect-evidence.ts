import type { Evidence } from '../contracts/evidence.ts';
import type { StepResult } from '../contracts/step-result.ts';
import { cutNote } from './cut-note.ts';
import { listingText } from './listing-text.ts';

/** Passages beyond this are not shown. */
const maxEvidence = 12;
/** Lines of one piece of evidence: what a person reads at a glance. */
const maxLines = 40;
/** Definitions that are shown as lines of their file. */
const maxOutlined = 5;
/** Above every score of a piece whose tool gave an order and no scores. */
const unscored = 0.01;

/** What the steps of a run brought, in forms an answer can show. */
export type Findings = {
  /** best first */
  evidence: Evidence[];
  /** results that are no lines of a file: listings, trees, other tools' words */
  listings: { title: string; text: string }[];
};

type Shape = Record<string, unknown>;

/**
 * Reads evidence out of tool outputs by their shape: `{path, line, text}` anywhere in a list,
 * `{path, blocks: [{line, text}]}` for such pieces by file, and whole files as `{path, start, lines}`. Any plugin that answers so is understood.
 *
 * @param results in plan order
 * @param options.outlines many definitions are a listing, which an answer without a model writes
 *   down whole; else they are pieces, of which the best are kept
 */
export function collectFindings(
  results: readonly StepResult[],
  options: { outlines?: boolean } = {},
): Findings {
  const evidence: Evidence[] = [];
  const listings: Findings['listings'] = [];
  // A listing that only led to the next step says less than what that step brought.
  const used = new Set(
    results.filter(({ status }) => status === 'ok').flatMap(({ needs }) => needs),
  );
  const found = results.flatMap((result) => {
    if (result.output === undefined) return [];
    const content = parse(result.output.content);
    const isOutline = options.outlines === true && !used.has(result.step) && isLongOutline(content);
    const pieces = isOutline ? [] : piecesOf(content, result.output.content);
    return [{ result, output: result.output, content, pieces }];
  });
  leadWithNamed(found.map(({ pieces }) => pieces));
  for (const { result, output, content, pieces } of found) {
    for (const piece of pieces) addPiece(evidence, piece);
    if (pieces.length === 0 && !used.has(result.step)) {
      const text = listingText(content, output.content);
      if (text === undefined) continue;
      const before = found.filter((other) => result.needs.includes(other.result.step));
      const note = cutNote(
        content,
        before.map((other) => other.content),
      );
      const isSaid = note === undefined || /\bmore\b/.test(output.summary);
      listings.push({ title: isSaid ? output.summary : `${output.summary} (${note})`, text });
    }
  }
  // Ties keep the order of the plan.
  evidence.sort((one, other) => other.score - one.score);
  return { evidence: evidence.slice(0, maxEvidence), listings };
}

function piecesOf(content: unknown, raw: string): Evidence[] {
  if (typeof content !== 'object' || content === null) return [];
  const shape = content as Shape;
  if (typeof shape.path === 'string' && typeof shape.lines === 'string') return wholeFile(shape);
  const list = Object.values(shape)
    .filter(Array.isArray)
    .map((value) => (value as unknown[]).flatMap(blocksOf))
    .find((value) => isPiece(value[0]));
  if (list === undefined || raw.length === 0) return [];
  return list.filter(isPiece).map((item, index) => ({
    path: item.path as string,
    line: item.line as number,
    endLine: typeof item.endLine === 'number' ? item.endLine : (item.line as number),
    text: item.text as string,
    // Tools without scores gave an order; it counts below anything scored.
    score: typeof item.score === 'number' ? item.score : unscored / (index + 2),
  }));
}

/** More definitions than an answer shows with their lines are a list of them. */
function isLongOutline(content: unknown): boolean {
  const symbols = (content as Shape | null)?.symbols;
  return Array.isArray(symbols) && symbols.length > maxOutlined;
}

/** Pieces of one file carry its path; anything else stays what it is. */
function blocksOf(item: unknown): unknown[] {
  if (typeof item !== 'object' || item === null) return [item];
  const { path, blocks } = item as Shape;
  if (typeof path !== 'string' || !Array.isArray(blocks)) return [item];
  return blocks.map((block) => ({ path, ...(block as Shape) }));
}

function isPiece(value: unknown): value is Shape {
  const item = value as Shape;
  return (
    typeof item === 'object' &&
    item !== null &&
    typeof item.path === 'string' &&
    typeof item.line === 'number' &&
    typeof item.text === 'string'
  );
}

function wholeFile(shape: Shape): Evidence[] {
  const line = typeof shape.start === 'number' ? shape.start : 1;
  const lines = (shape.lines as string).split('\n').slice(0, maxLines);
  const text = lines.join('\n');
  if (text.trim() === '') return [];
  return [
    {
      path: shape.path as string,
      line,
      endLine: line + lines.length - 1,
      text,
      score: unscored / 2,
    },
  ];
}

/**
 * What a plan looks up by name before it searches by words is what was asked for: the first
 * piece of the first result leads when only later ones have scores.
 */
function leadWithNamed(results: readonly Evidence[][]): void {
  const named = results[0]?.[0];
  if (named === undefined || named.score > unscored) return;
  const best = Math.max(...results.flat().map(({ score }) => score));
  if (best > unscored) named.score = best + unscored;
}

/**
 * A piece that touches one of the same file widens it when the two together are still read at
 * a glance, and is dropped when it lies inside; so a file is not shown twice for one place.
 */
function addPiece(evidence: Evidence[], piece: Evidence): void {
  const touching = evidence.findIndex(
    (other) =>
      other.path === piece.path &&
      piece.line <= other.endLine + 1 &&
      other.line <= piece.endLine + 1,
  );
  const other = evidence[touching];
  if (other === undefined) {
    evidence.push(piece);
    return;
  }
  const merged = merge(other, piece);
  if (merged.endLine - merged.line < maxLines) evidence[touching] = merged;
}

function merge(one: Evidence, other: Evidence): Evidence {
  const [first, second] = one.line <= other.line ? [one, other] : [other, one];
  const score = Math.max(one.score, other.score);
  if (second.endLine <= first.endLine) return { ...first, score };
  const fresh = second.text.split('\n').slice(first.endLine - second.line + 1);
  return {
    path: first.path,
    line: first.line,
    endLine: second.endLine,
    text: [first.text, ...fresh].join('\n'),
    score,
  };
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
