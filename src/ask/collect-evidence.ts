import type { Findings, Row } from '../contracts/agent.ts';
import type { Evidence } from '../contracts/events.ts';
import { rankPassagesTool } from '../contracts/kernel-tools.ts';
import type { StepResult } from '../contracts/plan.ts';
import type { AnswerShape } from '../contracts/questions.ts';
import type { Tool } from '../contracts/tool.ts';
import { largest } from '../lib/numbers.ts';
import { escapeLine } from '../lib/text/escape.ts';
import { parseContent } from '../lib/text/parse-json.ts';
import { valueText } from '../lib/text/value-text.ts';
import { cutNote } from './cut-note.ts';
import { listedThings, listingKind, listingText } from './listing-text.ts';

/** Passages beyond this are not shown. */
const maxEvidence = 12;
/** Rows of one result that are looked at; a tool gives the best first. */
const maxRows = 200;
/** Characters of a path and of a text in a row. */
const maxPathCharacters = 4096;
const maxTextCharacters = 64 * 1024;
/** Characters of what introduces a listing. */
const maxTitleCharacters = 300;
/** Lines of one piece of evidence: what a person reads at a glance. */
const maxLines = 40;
/** Definitions that are shown as lines of their file. */
const maxOutlined = 5;
/** Above every score of a piece whose tool gave an order and no scores. */
const unscored = 0.01;

type Shape = Record<string, unknown>;

/**
 * Reads evidence out of tool outputs by their shape: `{path, line, text}` anywhere in a list,
 * `{path, blocks: [{line, text}]}` for such pieces by file, and whole files as `{path, start, lines}`.
 * An installed plugin may say anything about a file: its rows are a listing under its name.
 *
 * @param results in plan order
 * @param options.isBuiltin whether a plugin came along with cuervo
 * @param options.tools those that may have been called, for the schemas of what they give
 * @param options.outlines many definitions are a listing, which an answer without a model writes
 *   down whole; otherwise they are pieces, and the best are kept
 * @param options.shape of the answer that shows them
 */
export function collectFindings(
  results: readonly StepResult[],
  options: {
    isBuiltin(plugin: string): boolean;
    tools?: readonly Pick<Tool, 'name' | 'outputSchema'>[];
    outlines?: boolean;
    shape?: Pick<AnswerShape, 'leads' | 'rows' | 'whole' | 'listsFirst'>;
  },
): Findings {
  const evidence = createEvidence();
  const listings: Findings['listings'] = [];
  const rows: Findings['rows'] = [];
  // A listing that another step used is left out: that step's result tells more.
  const used = new Set(
    results.filter(({ status }) => status === 'ok').flatMap(({ needs }) => needs),
  );
  const isRanking = ({ tool, status }: StepResult) =>
    tool === rankPassagesTool.name && status === 'ok';
  // The ranking holds these in a better order.
  const ranked = new Set(results.filter(isRanking).flatMap(({ needs }) => needs));
  const found = results.flatMap((result) => {
    if (result.output === undefined || ranked.has(result.step)) return [];
    const content = parseContent(result.output.content);
    const plugin = result.tool.split('.', 1)[0] ?? '';
    const stranger = options.isBuiltin(plugin) ? undefined : plugin;
    const isRows = options.shape?.rows.includes(result.tool) === true;
    const isOutline =
      !isRows && options.outlines === true && !used.has(result.step) && isLongOutline(content);
    if (isRows) {
      const pieces = rowsOf(content, result);
      if (pieces.length > 0) {
        const title = escapeLine(result.output.summary.slice(0, maxTitleCharacters));
        if (!used.has(result.step)) rows.push({ title, tool: result.tool, pieces });
      }
    }
    const all = isOutline || isRows || stranger !== undefined ? [] : piecesOf(content);
    // One definition is shown; a name may have forty.
    const isOne = result.tool === 'search.definition' && options.shape?.whole.pieces === 1;
    const pieces = isOne ? all.slice(0, 1) : all;
    const others = all.slice(pieces.length);
    if (others.length > 0) {
      const title = escapeLine(result.output.summary.slice(0, maxTitleCharacters));
      rows.push({
        title: `${title}, of which these are the others`,
        tool: result.tool,
        pieces: others,
      });
    }
    return [{ result, output: result.output, content, pieces, stranger }];
  });
  leadWithNamed(found.map(({ pieces }) => pieces));
  const { leads = 0, whole } = options.shape ?? {};
  const definitions = found.filter(({ result }) => result.tool === 'search.definition');
  // Passages follow lists where lists are the answer.
  const mayLead = ({ result, pieces }: (typeof found)[number]): boolean =>
    pieces.length > 0 && !(options.shape?.listsFirst === true && isRanking(result));
  const leading =
    whole !== undefined && whole.pieces > 1
      ? definitions.flatMap(({ pieces }) => pieces.slice(0, 1))
      : (found.find(mayLead)?.pieces.slice(0, leads) ?? []);
  leadWith(
    leading,
    found.flatMap(({ pieces }) => pieces),
  );
  const strangersText = (content: string, named: string): string => {
    const schema = options.tools?.find(({ name }) => name === named)?.outputSchema;
    return valueText(parseContent(content, schema), Number.POSITIVE_INFINITY, { schema });
  };
  for (const { result, output, content, pieces, stranger } of found) {
    for (const piece of pieces) evidence.add(piece);
    const isRow = options.shape?.rows.includes(result.tool) === true;
    // But keep a log of commits, even if a later step shows one of them.
    const isUsed = used.has(result.step) && result.tool !== 'git.log';
    if (pieces.length === 0 && !isRow && !isUsed) {
      // The summary of a chosen tool is an answer, also where it found nothing.
      const text =
        stranger === undefined
          ? listingText(content, output.content)
          : strangersText(output.content, result.tool);
      if (text === undefined) continue;
      const before = found.filter((other) => result.needs.includes(other.result.step));
      // Only its author knows what `total` means in a stranger's answer.
      const note =
        stranger === undefined
          ? cutNote(
              content,
              before.map((other) => other.content),
            )
          : undefined;
      const isSaid = note === undefined || /\bmore\b/.test(output.summary);
      const said = isSaid ? plainSummary(result, output.summary) : `${output.summary} (${note})`;
      const title = stranger === undefined ? said : `The plugin ${stranger} says: ${said}`;
      listings.push({
        title: escapeLine(title.slice(0, maxTitleCharacters)),
        text,
        ...(stranger === undefined
          ? { kind: listingKind(content), listed: listedThings(content) }
          : { kind: 'words of a plugin', isChosen: true }),
      });
    }
  }
  // Ties keep the order of the plan.
  const sorted = evidence.all.toSorted((one, other) => other.score - one.score);
  const [first, rest] = [sorted.slice(0, leading.length), sorted.slice(leading.length)];
  const others = eachFileFirst(rest, first);
  return {
    ...{ evidence: [...first, ...others].slice(0, maxEvidence), rows, listings },
    leading: leading.length,
  };
}

/** Words for the globs in plans, which a person could not read. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/ for \{\*\*\/.*$/s, ' by their paths'],
  [/ for \{.*$/s, ' named after it'],
  [/ for \*\*\/\{(\w+)-\*,.*$/s, ' of packages called $1-…'],
  [/ for \*\*\/\{(\w+),.*\}\/\*\*$/s, ' below folders called $1'],
];

function plainSummary({ tool }: StepResult, summary: string): string {
  const [glob, meaning] = meanings.find(([each]) => each.test(summary)) ?? [];
  return tool === 'file.find' && glob !== undefined
    ? summary.replace(glob, meaning ?? '')
    : summary;
}

/**
 * A second piece of the best file answers more often than the fourth file, which it pushes off the
 * screen, where that has so much less of the best one's score.
 */
const placeOfSecond = 2;
const farBehind = 0.5;

/** The best piece of every file before the second one of any, but for that of the best file. */
function eachFileFirst(pieces: readonly Row[], before: readonly Row[]): Row[] {
  const seen = new Set(before.map(({ path }) => path));
  const texts = new Set<string>();
  // Copies of a document, as those of each version are, say nothing new.
  const isCopy = ({ text, score }: Evidence): boolean =>
    score > unscored && (texts.has(text) || texts.add(text) === undefined);
  // A tool that gives no scores has an order of its own.
  const isFirst = ({ path, score }: Evidence): boolean =>
    score <= unscored || (!seen.has(path) && seen.add(path) !== undefined);
  const [firsts, others]: [Row[], Row[]] = [[], []];
  for (const piece of pieces) (isFirst(piece) && !isCopy(piece) ? firsts : others).push(piece);
  const best = before[0] ?? firsts[0];
  const second = others.find(({ path, score }) => path === best?.path && score > unscored);
  const pushed = firsts[placeOfSecond + 1 - before.length]?.score ?? 0;
  if (second === undefined || pushed > farBehind * (best?.score ?? 0))
    return [...firsts, ...others];
  firsts.splice(Math.max(0, placeOfSecond - before.length), 0, second);
  return [...firsts, ...others.filter((piece) => piece !== second)];
}

/** Tests, documents, examples and scripts say less of a place in code than sources do. */
export const aside =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|testdata|fixtures?|examples?|docs?|benchmarks?)(?:[/._-]|$)|(?:^|\/)(?:scripts?|devtools?|completions?)\/|(?:^|\/)build\.rs$|\.config\.[cm]?[jt]s$|\.(?:md|mdx|rst|adoc|txt|html?)$/i;

/** An option alone on a line, as in the text of a help. */
const helpsFlag = /^\s*(?:-\w,\s+)?--[\w-]+(?:[ =][[<]?[\w.|-]+[>\]]?)?:?\s*$/;

/** An option with what it does on one line: `--spa  Serves one page`, "- `--spa`: serves …", `| --spa | serves …`. */
const saysFlag =
  /^\s*(?:[-*|]\s+)?`?(?:-\w`?,?\s+`?)?--[\w-]+(?:[ =][[<]?[\w.|-]+[>\]]?)?(?:`?\s*[:|]|`|\s{2})\s*(?:-\s+)?[A-Za-z]\w* \w/;

/** Where an option of a command is declared, which says more of it than where it is looked at. */
const declaresFlag = /^\s*["'`]--\w|(?:argument|option|flag|arg)\w*\s*\(\s*(?:&?\w+,\s*)?["'`]/i;

/** Uses in sources first, imports last; each place once, and each test. */
function rowsOf(content: unknown, { tool, input }: StepResult): Row[] {
  if (typeof content !== 'object' || content === null) return [];
  const list = Object.values(content).find(
    (value) => Array.isArray(value) && isPlace(firstRows(value)[0]),
  ) as unknown[] | undefined;
  if (list === undefined) return [];
  const rank = (place: Shape): number => {
    if (isHelpOfFlag(place)) return -1;
    const { path, role, text } = place;
    return (
      (!aside.test(path as string) ? 0 : /(?:^|\/)examples?\//i.test(path as string) ? 3.5 : 4) +
      (role === 'import' ? 2 : 0) +
      (declaresFlag.test(String(text)) ? 0 : 1)
    );
  };
  const places = firstRows(list).filter(isPlace);
  const isManyFiles = places.some(({ path }) => path !== places[0]?.path);
  // Who imports a file is a list of files.
  const keyOf = ({ path, line, within }: Shape): string => {
    if (tool === 'search.imports' && isManyFiles) return String(path);
    return `${path}:${input.tests === true ? (within ?? line) : line}`;
  };
  const seen = new Set<string>();
  return places
    .filter((place) => !seen.has(keyOf(place)) && seen.add(keyOf(place)))
    .toSorted((one, other) => rank(one) - rank(other))
    .map((item, index) => {
      const { signature, name, within = item.type } = item;
      const shown = [textOf(item), signature, name].find(
        (each) => typeof each === 'string',
      ) as string;
      return {
        ...toEvidence({ ...item, text: shown }, index),
        ...(typeof within === 'string' ? { within } : {}),
      };
    });
}

/** What goes on behind it: an open call, the fields of one thing, or an attribute alone. */
const goesOn =
  /(?:[([]|[=(&]\s*&?[\w.]+\{|\w\.\w+\{)\s*$|^\s*(?:@[\w.]+(?:\(.*\))?|#\[.*\]|["'`]--[\w-]+["'`],)\s*$/;

function textOf({ text, after }: Shape): string | undefined {
  if (typeof text !== 'string') return undefined;
  const isOpen = goesOn.test(text) || isHeadOfFlag({ text, after });
  const behind: unknown[] = Array.isArray(after) && isOpen ? after : [];
  return [text, ...behind.filter((each) => typeof each === 'string')].join('\n');
}

/** A line of help that says what an option does, or has it on the line below. */
function isHelpOfFlag(place: Shape): boolean {
  return saysFlag.test(String(place.text)) || isHeadOfFlag(place);
}

/** An option alone on its line, with words below it and not the next option. */
function isHeadOfFlag({ text, after }: Shape): boolean {
  const [next]: unknown[] = Array.isArray(after) ? after : [];
  return (
    helpsFlag.test(String(text)) && typeof next === 'string' && /^\s*[A-Za-z]\w* \w/.test(next)
  );
}

function isPlace(value: unknown): value is Shape {
  if (typeof value !== 'object' || value === null) return false;
  const { text, name } = value as Shape;
  return isPiece({ ...value, text: typeof text === 'string' ? text : name });
}

function piecesOf(content: unknown): Row[] {
  if (typeof content !== 'object' || content === null) return [];
  const shape = content as Shape;
  if (typeof shape.path === 'string' && typeof shape.lines === 'string') return wholeFile(shape);
  for (const list of Object.values(shape)) {
    if (!Array.isArray(list)) continue;
    const rows = firstRows(list);
    if (isPiece(rows[0])) return rows.filter(isPiece).map(toEvidence);
  }
  return [];
}

function toEvidence(item: Shape, index: number): Row {
  const line = item.line as number;
  const endLine = isLine(item.endLine) ? Math.max(line, item.endLine) : line;
  return {
    path: item.path as string,
    line,
    endLine,
    text: (item.text as string).slice(0, maxTextCharacters),
    // Results without scores keep their order, below anything with a score.
    score: Number.isFinite(item.score) ? (item.score as number) : unscored / (index + 2),
    ...(typeof item.within === 'string' ? { within: item.within } : {}),
    ...pageOf(item.page),
    ...docOf(item.doc),
  };
}

function pageOf(value: unknown): Pick<Row, 'page'> {
  return isLine(value) ? { page: value } : {};
}

function docOf(value: unknown): Pick<Row, 'doc'> {
  if (typeof value !== 'object' || value === null) return {};
  const { line, text } = value as Shape;
  if (!isLine(line) || typeof text !== 'string') return {};
  return { doc: { line, text: text.slice(0, maxTextCharacters) } };
}

/** Rows of a list, those of one file each for itself. */
function firstRows(list: readonly unknown[]): unknown[] {
  const rows: unknown[] = [];
  for (const item of list) {
    for (const row of blocksOf(item)) {
      if (rows.length === maxRows) return rows;
      rows.push(row);
    }
  }
  return rows;
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
  return blocks.slice(0, maxRows).map((block) => ({ path, ...(block as Shape) }));
}

function isPiece(value: unknown): value is Shape {
  const item = value as Shape;
  return (
    typeof item === 'object' &&
    item !== null &&
    typeof item.path === 'string' &&
    item.path.length <= maxPathCharacters &&
    isLine(item.line) &&
    typeof item.text === 'string'
  );
}

function isLine(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function wholeFile(shape: Shape): Evidence[] {
  const line = isLine(shape.start) ? shape.start : 1;
  const lines = (shape.lines as string).split('\n', maxLines);
  const text = lines.join('\n').slice(0, maxTextCharacters);
  if (text.trim() === '') return [];
  return [
    {
      path: shape.path as string,
      line,
      endLine: line + lines.length - 1,
      ...pageOf(shape.page),
      text,
      score: unscored / 2,
    },
  ];
}

/**
 * A plan looks up names before it searches by words. So the first piece of the first result leads
 * when only later results have scores.
 */
function leadWithNamed(results: readonly Evidence[][]): void {
  const named = results[0]?.[0];
  if (named === undefined || named.score > unscored) return;
  const best = largest(results.flat().map(({ score }) => score));
  if (best > unscored) named.score = best + unscored;
}

/** Puts pieces in front of all others, in their order. */
function leadWith(first: readonly Evidence[], all: readonly Evidence[]): void {
  const best = largest(all.map(({ score }) => score));
  for (const [index, piece] of first.entries())
    piece.score = best + unscored * (first.length - index);
}

/**
 * A piece that touches another one of its file widens it while both are short enough to read at a
 * glance. A piece inside another one is dropped. So one place is not shown twice.
 */
function createEvidence(): { readonly all: readonly Row[]; add(piece: Row): void } {
  const all: Row[] = [];
  /** where the pieces of each path are */
  const places = new Map<string, number[]>();
  return {
    all,
    add: (piece) => {
      const known = places.get(piece.path) ?? [];
      const [at, ...others] = known.filter((place) => touches(all[place] as Evidence, piece));
      if (at === undefined) {
        known.push(all.push(piece) - 1);
        places.set(piece.path, known);
        return;
      }
      // The second of two pieces would show the definition around both.
      if (others.length > 0) return;
      const merged = merge(all[at] as Evidence, piece);
      if (merged.endLine - merged.line < maxLines) all[at] = merged;
    },
  };
}

function touches(one: Evidence, other: Evidence): boolean {
  return other.line <= one.endLine + 1 && one.line <= other.endLine + 1;
}

function merge(one: Row, other: Row): Row {
  const [first, second] = one.line <= other.line ? [one, other] : [other, one];
  const score = Math.max(one.score, other.score);
  if (second.endLine <= first.endLine) return { ...first, score };
  const fresh = second.text.split('\n').slice(first.endLine - second.line + 1);
  const text = [first.text, ...fresh].join('\n');
  return { ...first, endLine: second.endLine, text, score };
}
