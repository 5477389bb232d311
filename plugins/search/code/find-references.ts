import type { fs } from '@cuervo/sdk';
import { leftOut, scanCut } from '../left-out.ts';
import { isSource, isTest } from '../passages/path-factor.ts';
import { readSymbol } from '../symbols/read-symbol.ts';
import { codeGlobs } from './code-family.ts';
import type { CodeFile } from './code-file.ts';
import { codeReader } from './code-reader.ts';
import { indentOf } from './definition-span.ts';

/** Lines that hold the name and are looked at. */
const maxLines = 10_000;
/** Files that are read: a call has a limited number of host calls. */
const maxFiles = 600;
/** Stop reading files at this many times the wanted references. */
const enough = 10;
/** Characters of a line that are given; of a longer one, as generated code has, those around a name. */
const maxTextLength = 1000;

export type Reference = {
  path: string;
  /** 1-based */
  line: number;
  /** 1-based, in UTF-16 units */
  column: number;
  role: 'definition' | 'import' | 'use';
  /** the function, class or test around it */
  within?: string;
  /** the line as it stands, or the part of it around the name, between `…` */
  text: string;
};

export type References = { references: Reference[]; total: number; cut?: string };

/**
 * Where a name stands in code: as a word of its own, not in a comment and not in a text.
 * Goes by the name alone, so another thing of the same name is among them.
 *
 * @param wish.name with what it belongs to, as `strings.Split`, lines that say both come first
 * @returns by path and line, those in sources first; uses and imports, with definitions when asked for;
 *   of tests each one's first place, those called after the name before the others
 * @throws {RangeError} for an invalid name
 */
export function findReferences(
  host: Pick<typeof fs, 'scan' | 'unsearched' | 'readText' | 'readAnyText'>,
  wish: { name: string; place: string; limit: number; definitions: boolean; tests?: boolean },
): References {
  const written = wish.name.trim().replace(/\(\)$/, '');
  const name = written.replace(/^.*(?:\.|::|#|->)(?=.)/s, '');
  if (!/^[\p{L}_$][\p{L}\p{N}_$]{0,199}[?!]?$/u.test(name))
    throw new RangeError(`"${wish.name.slice(0, 100)}" is not a name`);
  const word = `(?<![\\p{L}\\p{N}_$])${name.replace(/[$?]/g, '\\$&')}(?![\\p{L}\\p{N}_$])`;
  const scanned = host.scan(wish.place, {
    pattern: word,
    limit: maxLines,
    walk: { include: [...codeGlobs] },
  });
  const end = scanCut(host, `lines behind the first ${maxLines}`);
  const saysBoth = (text: string): boolean => written !== name && text.includes(written);
  // A package has one name everywhere; the variables that hold a class have many.
  const isOfPackage = /^\p{Ll}/u.test(written);
  const isOfOther = ({ text, column }: Reference): boolean =>
    isOfPackage && /(?:\.|::|->)$/.test(text.slice(0, column - 1));
  const rankOf = (each: Reference): number =>
    written === name || saysBoth(each.text) ? 0 : isOfOther(each) ? 2 : 1;
  const files = new Map<string, { lines: number[]; isOwn: boolean; isSaid: boolean }>();
  for (const { path, line, text } of scanned.matches) {
    const plainPath = path.replace(/^\w+:/, '');
    if (wish.tests === true && !isTest(plainPath)) continue;
    const file = files.get(path) ?? { lines: [], isOwn: isSource(plainPath), isSaid: false };
    file.lines.push(line);
    file.isSaid ||= saysBoth(text);
    files.set(path, file);
  }
  const ordered = [...files].toSorted(([, one], [, other]) => {
    const isOwn = Number(other.isOwn) - Number(one.isOwn);
    return isOwn === 0 ? Number(other.isSaid) - Number(one.isSaid) : isOwn;
  });
  const reader = codeReader(host);
  const found: Reference[] = [];
  const read = new Map<string, CodeFile>();
  let filesRead = 0;
  for (const [path, { lines }] of ordered) {
    if (filesRead === maxFiles || found.length >= wish.limit * enough) break;
    filesRead += 1;
    const file = reader.readFound(path);
    if (file === undefined) continue;
    read.set(path, file);
    for (const line of lines) found.push(...referencesIn(file, line, name, new RegExp(word, 'gu')));
  }
  const said = found
    .filter(({ role }) => wish.definitions || role !== 'definition')
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const placed = (each: Reference): Reference => {
    const file = read.get(each.path);
    const within =
      file === undefined || each.role === 'import' ? undefined : nameAround(file, each.line);
    return within === undefined ? each : { ...each, within };
  };
  const isOfTests = wish.tests === true;
  const wanted = isOfTests ? eachTestFirst(said.map(placed), name) : said;
  const filesLeft = files.size - filesRead;
  const cuts = [
    ...(wanted.length > wish.limit ? [`${wanted.length - wish.limit} more references`] : []),
    ...(filesLeft > 0 ? [`${filesLeft} more files`] : []),
    ...end,
    ...reader.cuts(),
  ];
  return {
    references: wanted
      .slice(0, wish.limit)
      .map((each) => (isOfTests ? each : placed(each)))
      .map((each) => ({ ...each, text: around(each.text, each.column - 1) })),
    total: wanted.length,
    ...leftOut(cuts, ', ', '; give a narrower path'),
  };
}

function eachTestFirst(references: readonly Reference[], name: string): Reference[] {
  const seen = new Set<string>();
  const rank = new Map<Reference, number>();
  for (const each of references) {
    const test = `${each.path}:${each.within}`;
    const isNamed = each.within !== undefined && plain(each.within).includes(plain(name));
    rank.set(each, seen.has(test) || each.role === 'import' ? 2 : isNamed ? 0 : 1);
    if (each.role !== 'import') seen.add(test);
  }
  return references.toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
}

function plain(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}

function referencesIn(file: CodeFile, line: number, name: string, word: RegExp): Reference[] {
  const text = file.lines[line - 1];
  const code = file.codeLine(line);
  // The file changed since it was searched.
  if (text === undefined || code === undefined) return [];
  const found = [...code.matchAll(word)];
  if (found.length === 0) return [];
  const defines = readSymbol({ path: file.path, line, text })?.name === name;
  const role = isImport(file, line) ? 'import' : 'use';
  return found.map(({ index }, at) => ({
    path: file.path,
    line,
    column: index + 1,
    role: defines && at === 0 ? 'definition' : role,
    text,
  }));
}

/** Lines above one that are looked at for what it stands in. */
const maxAbove = 400;
/** `it('reads a file', () => {`: tests of JavaScript have texts for names. */
const test = /^\s*(?:it|test|describe)(?:\.\w+)*\(\s*(['"`])(.{1,60}?)\1/;

/** The nearest function, class or test that begins above with less indentation. */
function nameAround({ path, lines }: CodeFile, line: number): string | undefined {
  let indent = indentOf(lines[line - 1] ?? '');
  for (let at = line - 1; at > Math.max(0, line - maxAbove) && indent > 0; at -= 1) {
    const text = lines[at - 1] as string;
    if (text.trim() === '' || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    const named = test.exec(text)?.[2] ?? readSymbol({ path, line: at, text })?.name;
    if (named !== undefined) return named;
  }
  return undefined;
}

function around(line: string, at: number): string {
  if (line.length <= maxTextLength) return line;
  const from = Math.max(0, at - maxTextLength / 2);
  const part = line.slice(from, from + maxTextLength).toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${from + maxTextLength < line.length ? '…' : ''}`;
}

/** On a line of an import, or in one of several lines. */
function isImport(file: CodeFile, line: number): boolean {
  for (let at = line; at >= Math.max(1, line - 39); at -= 1) {
    const text = file.codeLine(at) as string;
    if (/^\s*(?:import\b|from\s+\S+\s+import\b|(?:pub\s+)?use\b|using\b|#\s*include\b)/.test(text))
      return true;
    if (/^\s*export\s+(?:type\s+)?[{*]/.test(text)) return /\bfrom\b/.test(statementAt(file, at));
    if (at < line && /[;=()]|^\s*\}|^\s*$/.test(text)) return false;
    if (at === line && /[=()]/.test(text))
      return /\brequire\s*\(/.test(text) && /\b(?:const|let|var)\b/.test(text);
  }
  return false;
}

/** As far as its first semicolon. */
function statementAt(file: CodeFile, line: number): string {
  const lines = Array.from({ length: 40 }, (_, at) => file.codeLine(line + at) ?? '');
  return lines.join(' ').split(';')[0] ?? '';
}
