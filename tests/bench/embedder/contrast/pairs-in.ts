export type Pair = { comment: string; code: string };

const maxCodeLines = 40;
const maxCommentLines = 80;
/** The most characters of the first paragraph, before marks are removed. */
const maxCommentCharacters = 2000;
/** Lines on which a Python head may go on. */
const maxHeadLines = 12;
const fewestWords = 4;
const mostWords = 60;
const fewestCodeCharacters = 60;
/** Says nothing of what the code does. */
const idle = /copyright|licen[cs]e|eslint|@ts-|nolint|deprecated|todo/i;
const opening = /^\s*(?:\/\*\*|\/\/)/;
const attribute = /^\s*(?:@|#\[|#!\[)/;
const pythonHead = /^\s*(?:async\s+)?(?:def|class)\s+\w/;
const docstring = /^\s*[rRbBuU]?("""|''')(.*)$/;
/** Begins the part of a comment that holds parameters, examples and the like. */
const section = /^\s*(?:@|#|```|:\w+|Args:|Arguments:|Returns:|Parameters|Example|---)/;

/**
 * Definitions of a source file with the first paragraph of their comments, where these are
 * sentences of 4 to 60 words.
 *
 * @param language `python` keeps comments below the head of a definition, all others above
 */
export function pairsIn(text: string, language: 'python' | 'other'): Pair[] {
  const lines = text.split('\n');
  const found = language === 'python' ? belowHeads(lines) : aboveHeads(lines);
  return found.filter(({ comment, code }) => {
    const words = comment.split(/\s+/).length;
    const isSentence = words >= fewestWords && words <= mostWords && !idle.test(comment);
    return isSentence && code.length >= fewestCodeCharacters;
  });
}

function aboveHeads(lines: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (!opening.test(lines[at] as string)) continue;
    const from = at;
    const end = endOfComment(lines, from);
    let head = end;
    while (attribute.test(lines[head] ?? '')) head += 1;
    at = Math.max(at, head - 1);
    if ((lines[head] ?? '').trim() === '' || indent(lines[head]) !== indent(lines[from])) continue;
    const comment = firstParagraph(lines.slice(from, end));
    pairs.push({ comment, code: lines.slice(head, endOfBody(lines, head)).join('\n') });
  }
  return pairs;
}

function endOfComment(lines: readonly string[], from: number): number {
  if (/^\s*\/\//.test(lines[from] as string)) {
    let end = from + 1;
    while (/^\s*\/\//.test(lines[end] ?? '')) end += 1;
    return end;
  }
  const last = Math.min(lines.length, from + maxCommentLines);
  for (let at = from; at < last; at += 1) if ((lines[at] as string).includes('*/')) return at + 1;
  return last;
}

function belowHeads(lines: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  for (const [at, line] of lines.entries()) {
    if (!pythonHead.test(line)) continue;
    let head = at;
    while (head < at + maxHeadLines && !/:\s*(?:#.*)?$/.test(lines[head] ?? ':')) head += 1;
    const open = docstring.exec(lines[head + 1] ?? '');
    if (open === null) continue;
    const [, quotes = '"""', first = ''] = open;
    let end = head + 1;
    if (!first.includes(quotes)) {
      end += 1;
      while (end < head + maxCommentLines && !(lines[end] ?? quotes).includes(quotes)) end += 1;
    }
    const comment = [first, ...lines.slice(head + 2, end + 1)].join('\n').replaceAll(quotes, '');
    const body = lines.slice(end + 1, endOfBody(lines, at, end + 1));
    const code = [...lines.slice(at, head + 1), ...body].slice(0, maxCodeLines).join('\n');
    pairs.push({ comment: firstParagraph(comment.split('\n')), code });
  }
  return pairs;
}

/** The line after the last one that is indented deeper than the head, with its closing brace. */
function endOfBody(lines: readonly string[], head: number, from = head + 1): number {
  const depth = indent(lines[head]);
  let end = Math.min(from, lines.length);
  for (; end < Math.min(lines.length, head + maxCodeLines); end += 1) {
    const line = lines[end] as string;
    if (line.trim() === '' || indent(line) > depth) continue;
    if (!/^\s*[\])}]/.test(line)) break;
    if (!/[([{]\s*$/.test(line)) return end + 1;
  }
  return end;
}

function indent(line = ''): number {
  return line.length - line.trimStart().length;
}

function firstParagraph(lines: readonly string[]): string {
  const kept: string[] = [];
  for (const line of lines) {
    const plain = line.replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/[/!]?)\s?|\*\/\s*$/g, '');
    const ends = plain.trim() === '' || section.test(plain);
    if (ends && kept.length > 0) break;
    if (!ends) kept.push(plain.trim());
  }
  const text = kept
    .join(' ')
    .slice(0, maxCommentCharacters)
    .replace(/<[^>]+>|\{@\w+ ([^}]*)\}/g, ' $1 ');
  return text.replace(/[`*]/g, '').trim();
}
