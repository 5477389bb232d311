import type { CodeFile } from './code-file.ts';

/** Lines are 1-based and inclusive. */
export type DefinitionSpan = {
  start: number;
  end: number;
  /** from the definition's first word to its body, in one line */
  signature: string;
  /** the first line of the body, `end` where it has none */
  body: number;
};

/** A longer one is cut. */
const maxSignature = 300;
/** A bracket that is still open after so many lines counts as never closed. */
const maxHeadLines = 200;
/** A longer definition is cut here, so that a file full of braces does not stop the search. */
const maxSpanLines = 20_000;
/** The next line goes on with the statement of this one. */
const continues =
  /^\s*(?:[.?:&|+*/%=<>,)\]}^-]|\|\||&&|(?:extends|implements|where|throws|with|instanceof|as|satisfies)\b)/;
/** A line with this end continues. */
const isOpen = /(?:[=(,&|+*/%<?:.[-]|=>|->|\b(?:extends|implements|where|throws|return))\s*$/;
/** A field of an object: a comma ends it. */
const entry = /^\s+(?:\[?[\w$#]+\]?\s*\??)?\s*:(?!:)/;
const decorator = /^\s*(?:@[\w.]+|#\[|\[[A-Z]\w*)/;

/** The whole of what is defined on a line, by braces or by indentation. */
export function definitionSpan(file: CodeFile, line: number): DefinitionSpan {
  const found = file.family.blocks === 'indent' ? byIndent(file, line) : byBraces(file, line);
  let start = line;
  while (start > 1 && decorator.test(file.lines[start - 2] as string)) start -= 1;
  return { ...found, start };
}

const beginsComment = /^\s*(?:\/[/*]|#(?![[!])|--|;|%|\(\*|\{-)/;
const ofLicence = /copyright|licen[cs]e|SPDX/i;

/**
 * The comment that stands directly above a line.
 *
 * @param most lines of it that are given, the first ones
 * @returns undefined for none, and for the licence of the file
 */
export function docAbove(
  { lines, code }: CodeFile,
  line: number,
  most: number,
): { line: number; text: string } | undefined {
  let first = line;
  const isNext = (): boolean => first > 1 && code[first - 2]?.trim() === '';
  // a comment in stars may have empty lines
  const isBlock = lines[line - 2]?.trimEnd().endsWith('*/') === true;
  const goesOn = (): boolean =>
    isBlock ? !/^\s*\/\*/.test(lines[first - 1] ?? '') : lines[first - 2]?.trim() !== '';
  while (isNext() && goesOn()) first -= 1;
  const all = lines.slice(first - 1, line - 1);
  if (!beginsComment.test(all[0] ?? '') || (first === 1 && ofLicence.test(all.join('\n'))))
    return undefined;
  return { line: first, text: all.slice(0, most).join('\n') };
}

type End = Omit<DefinitionSpan, 'start'>;

function byBraces({ lines, code }: CodeFile, line: number): End {
  let depth = 0;
  let body: { line: number; column: number } | undefined;
  const isEntry = entry.test(code[line - 1] as string);
  const last = Math.min(code.length, line + maxSpanLines);
  for (let at = line - 1; at < last; at += 1) {
    const text = code[at] as string;
    for (const { 0: sign, index: column } of text.matchAll(/[()[\]{};]/g)) {
      if ('([{'.includes(sign)) {
        if (sign === '{' && depth === 0) body = { line: at + 1, column };
        depth += 1;
        continue;
      }
      if (sign !== ';') depth -= 1;
      if (depth < 0) return ending(lines, line, at, column, body);
      if (depth > 0) continue;
      const isEnd =
        sign === ';' || (sign === '}' && isOver(text.slice(column + 1), code[at + 1] ?? ''));
      if (isEnd) return ending(lines, line, at + 1, column, body);
    }
    const next = code[at + 1] ?? '';
    const goesOn = continues.test(next) || /^\s*\{/.test(next) || isOpen.test(text);
    const isNext = isEntry && /,\s*$/.test(text);
    if (depth === 0 && text.trim() !== '' && (isNext || !goesOn)) {
      return ending(lines, line, at + 1, text.length, body);
    }
  }
  return ending(lines, line, last, 0, body);
}

/** A closed block ends the definition unless a type, a union or another block goes on behind it. */
function isOver(rest: string, next: string): boolean {
  const behind = rest.trim() === '' ? next.trim() : rest.trim();
  if (rest.trim() === '') return !/^(?:[|&?.]|=>|else\b|catch\b|finally\b|\{\s*$)/.test(behind);
  return !/^(?:[{|&[?.=>]|=>|else\b|catch\b|finally\b|as\b|satisfies\b)/.test(behind);
}

function ending(
  lines: readonly string[],
  start: number,
  end: number,
  column: number,
  body: { line: number; column: number } | undefined,
): End {
  const last = body ?? { line: Math.max(start, end), column };
  const head = lines.slice(start - 1, last.line);
  head[head.length - 1] = head.at(-1)?.slice(0, last.column) ?? '';
  return {
    end: Math.max(start, end),
    signature: signatureOf(head),
    body: body?.line ?? Math.max(start, end),
  };
}

function byIndent({ lines, code }: CodeFile, line: number): End {
  const head = headEnd(code, line - 1);
  const indent = indentOf(lines[line - 1] ?? '');
  let end = Math.min(head.line, lines.length - 1);
  const last = Math.min(lines.length, line + maxSpanLines);
  for (let at = end + 1; at < last; at += 1) {
    const text = lines[at] as string;
    // Inside a text of several lines the indentation says nothing.
    if ((code[at] as string).trim() === '' && indentOf(text) <= indent) continue;
    if (indentOf(text) > indent) end = at;
    else {
      if (indentOf(text) === indent && /^\s*end\b/.test(text)) end = at;
      break;
    }
  }
  const shown = lines.slice(line - 1, head.line + 1);
  shown[shown.length - 1] = shown.at(-1)?.slice(0, head.column) ?? '';
  return { end: end + 1, signature: signatureOf(shown), body: Math.min(head.line + 2, end + 1) };
}

/** Where the head of a definition ends: at its colon, or with the line that closes its brackets. */
function headEnd(code: readonly string[], from: number): { line: number; column: number } {
  let depth = 0;
  const last = Math.min(code.length, from + maxHeadLines);
  for (let at = from; at < last; at += 1) {
    const text = code[at] as string;
    for (let column = 0; column < text.length; column += 1) {
      const sign = text[column] as string;
      if ('([{'.includes(sign)) depth += 1;
      else if (')]}'.includes(sign)) depth -= 1;
      else if (sign === ':' && depth === 0) {
        if (text[column + 1] !== ':' && text[column - 1] !== ':') return { line: at, column };
      }
    }
    if (depth <= 0) return { line: at, column: text.length };
  }
  return { line: from, column: (code[from] ?? '').length };
}

export function indentOf(text: string): number {
  return (/^[\t ]*/.exec(text)?.[0] ?? '').replaceAll('\t', '    ').length;
}

function signatureOf(head: readonly string[]): string {
  const text = head
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[;{]$/, '')
    .trimEnd();
  return text.length <= maxSignature ? text : `${text.slice(0, maxSignature - 1)}…`;
}
