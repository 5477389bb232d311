import { stripVTControlCharacters } from 'node:util';
import { columnsOf } from '../../lib/text/columns.ts';
import { bold, cyan, dim } from '../style.ts';
import { colourInline, colourLastLine } from './colours.ts';

/** Markdown for a terminal that shows colours, as it comes. */
export type MarkdownView = {
  /** @returns what can be written now */
  push(delta: string): string;
  /** @returns the rest */
  end(): string;
};

/** Marks that may come before the words of a line, complete or begun. */
const before = /^\s*(?:#{1,6} +|> ?|[-*+] +(?:\[[ xX]\] +)?|\d{1,9}[.)] +)*/;
const maybeBefore = /^\s*(?:[#>\-*+`~|=_\d.)[\]xX ]*)$/;
const fence = /^\s*(`{3,}|~{3,})\s*([\w+#.-]*)/;
const ruler = /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/;
const indented = /^(?: {4}|\t)/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/**
 * Words are shown as they come, code line by line, a table when it is whole.
 *
 * @param columns that lines of words have; as long as they come when absent
 */
export function createMarkdownView(columns = Number.POSITIVE_INFINITY): MarkdownView {
  const wrap = createWordWrap(columns);
  let line = '';
  /** characters of the line that are shown */
  let shown = 0;
  let code: { mark: string; language: string; lines: string[] } | undefined;
  let table: string[] = [];
  let isInList = false;

  const endTable = (): string => {
    const rows = table;
    table = [];
    return rows.length === 0 ? '' : `${alignTable(rows).join('\n')}\n`;
  };

  const wrapped = ({ lead, text }: Words): string =>
    (lead === '' ? '' : wrap.begin(lead)) + wrap.push(text);

  const wholeLine = (): string => {
    const text = line;
    const from = shown;
    line = '';
    shown = 0;
    if (code !== undefined) {
      if (text.trim().startsWith(code.mark) && /^[`~]+$/.test(text.trim())) {
        code = undefined;
        return `${dim(text)}\n`;
      }
      code.lines.push(text);
      return `${colourLastLine(code.lines, code.language)}\n`;
    }
    if (from === 0 && /^\s*\|/.test(text)) {
      table.push(text);
      return '';
    }
    const rows = endTable();
    const [, mark, language = ''] = fence.exec(text) ?? [];
    if (mark !== undefined) {
      code = { mark, language: language.toLowerCase(), lines: [] };
      return `${rows}${dim(text)}\n`;
    }
    if (listItem.test(text)) isInList = true;
    else if (/^\S/.test(text)) isInList = false;
    if (ruler.test(text)) return `${rows}${dim(text)}\n`;
    if (from === 0 && !isInList && indented.test(text)) return `${rows}${text}\n`;
    return `${rows}${wrapped(wordsOf(text, from, true))}${wrap.endLine()}\n`;
  };

  const partOfLine = (): string => {
    if (code !== undefined || line === '') return '';
    if (shown === 0 && (maybeBefore.test(line) || indented.test(line))) return '';
    if (shown === 0 && (/^\s*\|/.test(line) || fence.test(line))) return '';
    const rows = endTable();
    const now = wordsOf(line, shown, false);
    shown = now.shown;
    return rows + wrapped(now);
  };

  return {
    push: (delta) => {
      let out = '';
      const [first = '', ...others] = delta.split('\n');
      line += first;
      for (const other of others) {
        out += wholeLine();
        line = other;
      }
      return out + partOfLine();
    },
    end: () => {
      const rest = line === '' ? '' : wholeLine().replace(/\n$/, '');
      return rest + endTable().replace(/\n$/, '');
    },
  };
}

/** The text that a line shows now, and its number of characters. */
type Words = { lead: string; text: string; shown: number };

/** A line with its heading, its list mark or its quote. */
function wordsOf(line: string, from: number, isWhole: boolean): Words {
  const start = before.exec(line)?.[0] ?? '';
  const words = line.slice(start.length);
  const now = colourInline(words, Math.max(0, from - start.length), isWhole);
  const isHeading = start.includes('#');
  const lead = from > 0 ? '' : isHeading ? start.replace(/#+ +/, '') : leadOf(start);
  const text = isHeading && now.text !== '' ? bold(now.text) : now.text;
  const shown = now.shown === 0 && text === '' && lead === '' ? from : start.length + now.shown;
  return { lead, text, shown };
}

function leadOf(start: string): string {
  return start.trim() === '' ? start : start.includes('>') ? dim(start) : cyan(start);
}

function alignTable(rows: readonly string[]): string[] {
  const cells = rows.map((row) =>
    row
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => colourInline(cell.trim(), 0, true).text),
  );
  const isLine = (row: readonly string[]) => row.every((cell) => /^:?-+:?$/.test(cell));
  const widths: number[] = [];
  for (const row of cells.filter((each) => !isLine(each))) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
  }
  const hasHead = cells[1] !== undefined && isLine(cells[1]);
  return cells.map((row, at) => {
    if (isLine(row)) return dim(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
    const padded = row.map((cell, column) => {
      const text = `${cell}${' '.repeat((widths[column] ?? 0) - widthOf(cell))}`;
      return hasHead && at === 0 ? bold(text) : text;
    });
    return `${dim('|')} ${padded.join(` ${dim('|')} `)} ${dim('|')}`;
  });
}

function widthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

/** Words that come in pieces, on lines that a terminal holds. */
export type WordWrap = {
  /** @param lead what a line begins with; those that follow in its place are indented as far */
  begin(lead: string): string;
  /** @returns whole words; the last one may go on, and is held back */
  push(text: string): string;
  /** @returns the rest of the line */
  endLine(): string;
};

const codeStart = '\u001b';
/** A code of a style, which takes no column; a blank; a part of a word. */
const parts = new RegExp(String.raw`${codeStart}\[[\d;]*m|\s|[^\s${codeStart}]+`, 'gu');

const asItComes: WordWrap = { begin: (lead) => lead, push: (text) => text, endLine: () => '' };

/**
 * Breaks lines at spaces. A word that is wider than a line is left to the terminal.
 *
 * @param width columns of a line; without an end, nothing is held back
 */
export function createWordWrap(width: number): WordWrap {
  if (width === Number.POSITIVE_INFINITY) return asItComes;
  let column = 0;
  let indent = '';
  let blank = '';
  let word = '';
  let wordColumns = 0;

  const flush = (): string => {
    if (word === '') return '';
    const fits = column + blank.length + wordColumns <= width;
    const isFirst = column <= columnsOf(indent);
    const before = fits || isFirst ? blank : `\n${indent}`;
    column =
      fits || isFirst ? column + blank.length + wordColumns : columnsOf(indent) + wordColumns;
    const out = before + word;
    blank = '';
    word = '';
    wordColumns = 0;
    return out;
  };

  return {
    begin: (lead) => {
      indent = ' '.repeat(columnsOf(stripVTControlCharacters(lead)));
      column = indent.length;
      return lead;
    },
    push: (text) => {
      let out = '';
      for (const [part] of text.matchAll(parts)) {
        if (/^\s$/.test(part)) {
          out += flush();
          blank += part;
        } else {
          word += part;
          if (!part.startsWith(codeStart)) wordColumns += columnsOf(part);
        }
      }
      return out;
    },
    endLine: () => {
      const out = flush();
      column = 0;
      indent = '';
      blank = '';
      return out;
    },
  };
}
