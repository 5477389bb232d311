import type { Findings } from '../contracts/agent.ts';
import type { Evidence } from '../contracts/events.ts';
import type { MemoryHit } from '../contracts/memory.ts';
import type { AnswerShape } from '../contracts/questions.ts';
import { ageText, dateText, hasPassed } from '../lib/text/amounts.ts';
import { factText, shortenText, wrapLine } from '../lib/text/columns.ts';
import {
  linesAmong,
  passageLines,
  passageText,
  placeOf,
  wholeText,
} from '../lib/text/passage-text.ts';
import { contentWords } from '../lib/text/words.ts';
import { nearWords, shownPieces } from './missing-words.ts';
import { rowsText } from './rows-text.ts';

const listingLines = 40;
/** Pieces that are shown at length, and lines of the others, so that one screen holds some of each. */
const fullPieces = 1;
const briefLines = 3;
const nothingWhole = { pieces: 0, lines: 0 };
/** Lines of a licence that are worth leaving out. */
const leastLicence = 2;

export type ExtractiveOptions = {
  question: string;
  findings: Findings;
  /** `perhaps` may be about something else, and is shown under a heading of its own */
  memory: { sure: readonly MemoryHit[]; perhaps: readonly MemoryHit[] };
  nowMs: number;
  shape?: Pick<AnswerShape, 'whole' | 'says' | 'skips' | 'lacks' | 'listsFirst'>;
  /** what the question asks for and no step applied */
  leftOut?: readonly string[] | undefined;
  /** what steps came by and could not read, in words */
  notRead?: string | undefined;
  /** how a question that goes on with the last one was read */
  readAs?: string | undefined;
  /** say of each passage why it is there */
  isExplained?: boolean;
  /** why there is no model in it, e.g. `no model is configured` */
  reason: string;
  /** that a line may take; lines stay whole when absent */
  columns?: number | undefined;
};

/**
 * The answer without a model: the best passages as the files hold them, under a line that says so.
 * Lines that hold words of the question are marked with `>`.
 */
export function extractiveAnswer(options: ExtractiveOptions): string {
  const { findings, memory, columns = Number.POSITIVE_INFINITY } = options;
  const besidePassages = (hits: readonly MemoryHit[]) =>
    hits.filter(
      (hit) => !findings.evidence.slice(0, shownPieces).some((piece) => isPartOf(hit, piece)),
    );
  const [sure, perhaps] = [besidePassages(memory.sure), besidePassages(memory.perhaps)];
  const head = headOf(findings, [...sure, ...perhaps], options)
    .split('\n')
    .flatMap((line) => wrapLine(line, columns))
    .join('\n');
  const { readAs, leftOut = [], notRead } = options;
  const first = [
    ...(leftOut.length === 0 ? [] : [`Left out: ${leftOut.join(', ')}.`]),
    ...(readAs === undefined ? [] : [`Read as: ${readAs}`]),
    head,
    ...(notRead === undefined ? [] : [`${capital(notRead)}.`]),
  ];
  const parts = [first.join('\n')];
  const chosen = findings.listings.filter(({ isChosen }) => isChosen);
  for (const listing of chosen) parts.push(listingPart(listing, columns));
  const recalled = [
    ...(sure.length > 0 ? [memoryPart('From memory', sure, options)] : []),
    ...(perhaps.length > 0 ? [memoryPart('Perhaps from memory', perhaps, options)] : []),
  ];
  // A look-up by name or kind answers; earlier turns may bear on it.
  const isLookedUp = options.shape?.says !== undefined;
  if (!isLookedUp) parts.push(...recalled);
  const begun = beginnings[options.shape?.skips ?? 'nothing'];
  const [shown, named] = [
    findings.evidence.slice(0, shownPieces).map((piece, at) => (at === 0 ? begun(piece) : piece)),
    findings.evidence.slice(shownPieces),
  ];
  const isList = options.shape?.listsFirst === true;
  const { whole = nothingWhole } = isList && findings.leading === 0 ? {} : (options.shape ?? {});
  // The next passage may have the lines that a short one leaves.
  let spare = 0;
  const among = shown.length + findings.rows.length + findings.listings.length + recalled.length;
  const drawn = shown.map((piece, at) => {
    const room = spare + (at < fullPieces ? passageLines : briefLines);
    const most = linesAmong(among, Math.min(room, passageLines));
    const text =
      at < whole.pieces
        ? wholeText(piece, options.question, whole.lines, columns)
        : passageText(piece, options.question, most, columns);
    spare = Math.max(0, room - text.split('\n').length + 1);
    return options.isExplained === true ? withWhy(text, piece, options.question) : text;
  });
  parts.push(...drawn.slice(0, whole.pieces));
  const listed = findings.listings
    .filter(({ isChosen }) => !isChosen)
    .map((listing) => listingPart(listing, columns));
  if (isList) parts.push(...listed);
  for (const each of findings.rows) parts.push(rowsText(each, columns));
  parts.push(...drawn.slice(whole.pieces));
  if (named.length > 0)
    parts.push(`Also:\n${named.map((piece) => `  ${placeOf(piece)}`).join('\n')}`);
  if (!isList) parts.push(...listed);
  if (isLookedUp) parts.push(...recalled);
  return parts.join('\n\n');
}

/** A piece of a file that memory holds, and the answer shows as it is on the disk. */
function isPartOf({ source, tags }: MemoryHit, { path, line, endLine }: Evidence): boolean {
  if (source === undefined || source !== path) return false;
  const [, first, last] = /^lines:(\d+)-(\d+)$/m.exec(tags.join('\n')) ?? [];
  return first !== undefined && Number(first) <= endLine && Number(last) >= line;
}

/** The line that says where the answer comes from, in our own words, never in those of a tool. */
function headOf(
  { evidence, rows, listings }: Findings,
  memory: readonly MemoryHit[],
  { question, leftOut = [], reason, shape }: ExtractiveOptions,
): string {
  const says = shape?.says;
  const isSaid = says !== undefined && evidence.length + rows.length > 0;
  const kinds = [
    ...listings.filter(({ isChosen }) => isChosen).map(({ kind }) => kind ?? 'results'),
    ...(isSaid ? [says] : []),
    ...(isSaid || evidence.length === 0 ? [] : ['passages']),
    ...(isSaid || rows.length === 0 ? [] : ['places']),
    ...(isSaid ? [] : listings.map(({ kind }) => kind ?? says ?? 'results')),
    ...(memory.length > 0 && evidence.length + rows.length + listings.length === 0
      ? ['earlier turns']
      : []),
  ];
  const named = [...new Set(kinds)];
  const lacks = shape?.lacks === undefined ? '' : `${capital(shape.lacks)}.\n`;
  if (named.every((kind) => kind === 'passages')) {
    const near = nearWords(question, evidence, leftOut);
    return `${lacks}These are passages ${near}. Nothing was explained, counted, compared or filtered (${reason}).`;
  }
  const what = named.join(' and ');
  const isOne = named.length === 1 && /^(?:an? |what |the (?!\w+s\b|places))/.test(what);
  return `${lacks}${isOne ? 'This is' : 'These are'} ${what}, not an explanation (${reason}).`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Pictures, badges, tags and rules before the first words of a README. */
const markup =
  /^\s*(?:<[^>]*>?.*|\[?!\[.*|\[.*\]:.*|\.\. .*|[=*_~-]{3,}|>\s*\[!.*|:\w+:.*|\S*\/>|[)\]].*)?$/;

/** The licence that every file of a project begins with. */
const licence = /licen[cs]e|copyright|SPDX|\bpermission to\b/i;
const ofComment = /^\s*(?:\/\*|\*|\/\/|#(?!!)|--|;|%)/;
/** Comments and texts over several lines, by what begins and ends them. */
const blocks: readonly (readonly [RegExp, RegExp])[] = [
  [/^\s*\/\*/, /\*\//],
  [/^\s*<!--/, /-->/],
  [/^\s*\(\*/, /\*\)/],
  [/^\s*\{-/, /-\}/],
  [/^\s*--\[\[/, /\]\]/],
  [/^\s*"{3}/, /"{3}\s*$/],
  [/^=begin\b/, /^=end\b/],
];
/** What stands above a licence, and is for programs. */
const forPrograms = /^\s*(?:#!|<\?php\b|<\?xml\b|["']use \w+["'])|\$\w+(?::.*)?\$|-\*-|\bvim?:/;

/** The first line behind the comment that begins on a line; that line itself where none does. */
function behindComment(lines: readonly string[], at: number): number {
  const closing = blocks.find(([open]) => open.test(lines[at] ?? ''))?.[1];
  if (closing === undefined) {
    const end = lines.findIndex((line, each) => each >= at && !ofComment.test(line));
    return end < 0 ? lines.length : end;
  }
  const behind = lines.slice(at);
  behind[0] = behind[0]?.replace(/^\s*\S{2,4}/, '') ?? '';
  const end = behind.findIndex((line) => closing.test(line));
  return end < 0 ? at : at + end + 1;
}

/** A file from what it says itself on, behind its licence and the lines above that. */
function withoutLicence(piece: Evidence): Evidence {
  const lines = piece.text.split('\n');
  const behindBlank = (at: number): number => {
    const next = lines.findIndex((line, each) => each >= at && line.trim() !== '');
    return next < 0 ? lines.length : next;
  };
  let first = 0;
  for (let at = behindBlank(0); piece.line === 1 && at < lines.length; ) {
    const isPlain = forPrograms.test(lines[at] ?? '') && !licence.test(lines[at] ?? '');
    const end = isPlain ? at + 1 : behindComment(lines, at);
    if (end === at || (!isPlain && !licence.test(lines.slice(at, end).join('\n')))) break;
    at = behindBlank(end);
    if (!isPlain) first = at;
  }
  const isLong = first > leastLicence && first < lines.length - leastLicence;
  if (!isLong) return piece;
  return { ...piece, line: piece.line + first, text: lines.slice(first).join('\n') };
}

function withoutMarkup(whole: Evidence): Evidence {
  const piece = withoutLicence(whole);
  const lines = piece.text.split('\n');
  const prose = lines.findIndex((line) => !markup.test(line) && !/^#/.test(line));
  const heading = lines.findIndex((line, at) => at >= prose - 2 && /^#+ /.test(line));
  const first = heading >= 0 && heading < prose ? heading : prose;
  if (first <= 0) return piece;
  return { ...piece, line: piece.line + first, text: lines.slice(first).join('\n') };
}

const importing =
  /^\s*(?:(?:import|from|use|using|include|require|extern crate|package|mod)\b|#\s*(?:include|import|pragma)\b|(?:const|let|var)\b.*\brequire\(|["']use \w+["']|(?:if (?:sys|TYPE_CHECKING|typing|t)\b.*|else|try|except ImportError.*):\s*(?:#.*)?$)/;

/** A file's code without its imports, unless a comment at its top describes it. */
function withoutImports(whole: Evidence): Evidence {
  const piece = withoutLicence(whole);
  const lines = piece.text.split('\n');
  let open = 0;
  const first = lines.findIndex((line) => {
    if (open <= 0 && line.trim() !== '' && !importing.test(line)) return true;
    open += (line.match(/[([{]/g) ?? []).length - (line.match(/[)\]}]/g) ?? []).length;
    return false;
  });
  if (first <= 0) return piece;
  return { ...piece, line: piece.line + first, text: lines.slice(first).join('\n') };
}

const beginnings: Readonly<
  Record<NonNullable<AnswerShape['skips']> | 'nothing', (piece: Evidence) => Evidence>
> = {
  markup: withoutMarkup,
  licence: withoutLicence,
  imports: withoutImports,
  nothing: (piece) => piece,
};

/** Words of the question that a passage or its path holds, three at most, behind its place. */
function withWhy(text: string, { path, text: lines }: Evidence, question: string): string {
  const [place = '', ...rest] = text.split('\n');
  const words = contentWords(question);
  const folded = lines.toLowerCase();
  const named = words.filter((word) => path.toLowerCase().includes(word)).map((word) => `${word}/`);
  const held = words.filter((word) => folded.includes(word));
  const said = [...new Set([...held, ...named])].slice(0, 3);
  const why = said.length === 0 ? 'alike in meaning' : said.join(', ');
  return [`${place}  (${why})`, ...rest].join('\n');
}

function memoryPart(
  heading: string,
  memory: readonly MemoryHit[],
  { nowMs, columns = Number.POSITIVE_INFINITY }: { nowMs: number; columns?: number | undefined },
): string {
  const lines = memory.map((hit) => {
    // A plugin or a file is named as the source; the rest comes from the person who asks, or from a
    // model.
    const said =
      hit.kind === 'answer' ? ', answered' : hit.kind === 'model' ? ', kept by a model' : '';
    const from = hit.source === undefined ? said : `, from ${hit.source}`;
    // asked about a time, it is told with what has changed since
    const isPast = hit.replacedBy !== undefined || hit.endedMs !== undefined;
    const state = isPast ? ', held then' : hasPassed(hit, nowMs) ? ', has passed' : '';
    const head = `  ${ageText(nowMs - hit.ts)}${from}${state}`;
    const text = shortenText(`${head}: ${hit.text.replace(/\s+/g, ' ')}`, 240);
    return [text, ...replacedLines(hit, nowMs)]
      .flatMap((line) => wrapLine(line, columns))
      .join('\n');
  });
  return `${heading}:\n${lines.join('\n')}`;
}

/** What a fact took the place of, with the day on which it was said. */
function replacedLines({ replaced = [] }: MemoryHit, nowMs: number): string[] {
  return replaced.map(({ text, ts }) => {
    return `    replaces: ${factText(text)} (${dateText(ts, nowMs)})`;
  });
}

function listingPart({ title, text, kind }: Findings['listings'][number], columns: number): string {
  // A list of nothing is its title alone.
  if (text.trim() === '' || text.trim() === title) return title;
  const whole = text.trimEnd().split('\n');
  // Each paragraph of a page is one line.
  const lines = kind === 'a page' ? whole.flatMap((line) => wrapLine(line, columns - 2)) : whole;
  const more = lines.length - listingLines;
  const shown = lines
    .slice(0, listingLines)
    .map((line) => shortenText(`  ${line.replaceAll('\t', '  ')}`, columns));
  return [`${title}:`, ...shown, ...(more > 0 ? [`  (${more} more lines)`] : [])].join('\n');
}
