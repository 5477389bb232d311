import { stripVTControlCharacters } from 'node:util';
import { columnsOf } from '../../lib/text/columns.ts';

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
