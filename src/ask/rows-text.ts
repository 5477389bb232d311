import type { Findings, Row } from '../contracts/agent.ts';
import { shortenText } from '../lib/text/columns.ts';
import { escapeLine } from '../lib/text/escape.ts';
import { placeOf } from '../lib/text/passage-text.ts';
import { aside } from './collect-evidence.ts';

/** Rows that fit on a screen with what stands around them. */
const shownRows = 18;
/** A longer path leaves a line no room for its text. */
const longPath = 40;
/** Characters of a text that a line may need. */
const mostRead = 600;
/** Places of one file, where there are more than a screen shows. */
const shownOfFile = 2;

/**
 * A line for each place: `src/a.ts:12  open: const store = openStore()`. Long paths have a line of
 * their own, with the places below them.
 */
export function rowsText(
  { title, pieces, tool }: Findings['rows'][number],
  columns: number = Number.POSITIVE_INFINITY,
): string {
  const isLong = pieces.some(({ path }) => path.length > longPath);
  // What a manifest lists, or a class has, is wanted as a whole.
  const isWhole = tool === 'search.manifest' || tool === 'search.symbols';
  const ofFile = isWhole ? Number.POSITIVE_INFINITY : shownOfFile;
  const { lines, shown } = isLong ? byFile(pieces, ofFile) : onePerLine(pieces);
  const more = pieces.length - shown;
  return [
    `${title}:`,
    ...lines.map((line) => shortenText(line, columns)),
    ...(more > 0 ? [`  (${more} more)`] : []),
  ].join('\n');
}

type Drawn = { lines: string[]; shown: number };

function onePerLine(pieces: readonly Row[]): Drawn {
  const shown = pieces.slice(0, shownRows);
  const lines = shown.map(
    (piece) => `  ${placeOf({ ...piece, endLine: piece.line })}  ${said(piece)}`,
  );
  return { lines, shown: shown.length };
}

function byFile(pieces: readonly Row[], mostOfFile: number): Drawn {
  const files = Map.groupBy(pieces, ({ path }) => path);
  const isCrowded = pieces.length + files.size > shownRows;
  const drawn: Drawn = { lines: [], shown: 0 };
  // A file that has most of them is where they belong.
  const isMost = (ofFile: readonly Row[]): boolean =>
    Number.isFinite(mostOfFile) && ofFile.length * 3 > pieces.length;
  // Tests and documents may hold most of them, and say less than a source that has one.
  const rank = ([path, ofFile]: [string, readonly Row[]]): number =>
    (aside.test(path) ? 2 : 0) + (isMost(ofFile) ? 0 : 1);
  const sorted = [...files].toSorted((one, other) => rank(one) - rank(other));
  for (const [path, ofFile] of sorted) {
    if (drawn.lines.length >= shownRows - 1) break;
    const room = shownRows - drawn.lines.length - 1;
    const most = isMost(ofFile) ? room : Math.min(mostOfFile, room);
    const shown = isCrowded ? ofFile.slice(0, most) : ofFile;
    drawn.lines.push(`  ${escapeLine(path)}`);
    for (const piece of shown) drawn.lines.push(`    ${piece.line}  ${said(piece)}`);
    drawn.shown += shown.length;
  }
  return drawn;
}

function said({ within, text }: Row): string {
  const around = within === undefined ? '' : `${within}: `;
  return `${around}${text.slice(0, mostRead).replace(/\s+/g, ' ').trim()}`;
}
