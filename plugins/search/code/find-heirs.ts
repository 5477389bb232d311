import type { fs } from '@cuervo/sdk';
import { escapePattern } from '../escape-pattern.ts';
import { isSourceAt } from '../passages/path-factor.ts';
import { lastPart } from '../symbols/last-part.ts';
import { type FoundSymbol, readSymbol } from '../symbols/read-symbol.ts';
import { codeGlobs } from './code-family.ts';
import type { CodeFile } from './code-file.ts';
import { codeReader } from './code-reader.ts';
import { indentOf } from './definition-span.ts';
import { findDefinitions } from './find-definition.ts';
import { folderOf } from './resolve-import.ts';

type Host = Pick<typeof fs, 'scan' | 'unsearched' | 'readText' | 'readAnyText'>;

/** Lines that are looked at, and files that are read for them. */
const maxLines = 1000;
const maxFiles = 150;
/** Lines above one in which what it is a part of begins. */
const maxAbove = 400;

/**
 * What is made from a class, or implements an interface, trait, behaviour or protocol: by the heads
 * of classes, `impl A for B`, `@behaviour A`, `use A`, `include A`; in Go by the methods that it has.
 *
 * @param wish.of a name; with what it belongs to, as `virtual.Transport`, no other of that name
 * @returns sources first, paths as the host gives them
 * @throws {RangeError} for an invalid name
 */
export function findHeirs(
  host: Host,
  { of, place, limit }: { of: string; place: string; limit: number },
): { symbols: FoundSymbol[]; total: number } {
  const { matches } = host.scan(place, {
    pattern: heirPattern(of),
    limit: maxLines,
    walk: { include: [...codeGlobs] },
  });
  const reader = codeReader(host);
  const files = new Map<string, CodeFile | undefined>();
  const read = (path: string): CodeFile | undefined => {
    if (!files.has(path) && files.size < maxFiles) files.set(path, reader.readFound(path));
    return files.get(path);
  };
  const own = lastPart(of);
  const found = matches.flatMap((match) => {
    const file = read(match.path);
    // A line of a comment or a text shows how it would be done.
    if (file !== undefined && file.codeLine(match.line)?.includes(own) !== true) return [];
    const head = headOf(match, file);
    // A module that gives its behaviour to users is not an heir.
    return head.line !== match.line && head.name === own ? [] : [head];
  });
  const all = [...found, ...bearersOf(host, of, place)];
  const heirs = new Map(all.map((each) => [`${each.path}:${each.line}`, each]));
  const aside = ({ path }: FoundSymbol): number => (isSourceAt(path) ? 0 : 1);
  const sorted = [...heirs.values()].sort((one, other) => aside(one) - aside(other));
  return { symbols: sorted.slice(0, limit), total: sorted.length };
}

type Line = { path: string; line: number; text: string };

/** The line itself, or the one that begins what it stands in: a class whose head goes on, a module. */
function headOf(match: Line, file: CodeFile | undefined): FoundSymbol {
  const itself = readSymbol(match);
  const isHead = itself !== undefined || /^\s*(?:unsafe\s+)?impl\b/.test(match.text);
  const name = (text: string): string => text.trim().replace(/^.*\bfor\s+/, '');
  if (isHead || file === undefined)
    return itself ?? { ...match, kind: 'class', name: name(match.text) };
  const indent = indentOf(match.text);
  for (let line = match.line - 1; line > Math.max(0, match.line - maxAbove); line -= 1) {
    const text = file.lines[line - 1] as string;
    const around =
      indentOf(text) < indent ? readSymbol({ path: match.path, line, text }) : undefined;
    if (around !== undefined && /^(?:class|struct|module|type|trait)$/.test(around.kind))
      return around;
  }
  return { ...match, kind: 'class', name: name(match.text) };
}

/** Heads of classes that name another one behind what says so, and lines inside that do. */
function heirPattern(of: string): string {
  const [holder, own] = [/([\p{L}\p{N}_$]+)(?:\.|::|#)[^.:#]+$/u.exec(of)?.[1], lastPart(of)];
  const name = `${holder === undefined ? '' : `(?<!\\b(?!${holder}\\b)\\w+(?:\\.|::))`}\\b${escapePattern(own)}\\b`;
  // A long line without the name is left at once.
  const alternatives = [
    String.raw`(?!\s*(?:\*|//|/\*|#|--)).*(?<![:\w.])(?:class|interface|struct|trait|object|record|extension)\b.*(?:[(:<,]|\b(?:extends|implements|for|with)\b).*${name}`,
    String.raw`\s*(?:extends|implements)\b.*${name}`,
    String.raw`\s*\)\s*(?::|extends\b|implements\b)\s*(?:[\w.<>, ]+,\s*)?${name}`,
    // `impl<T> Name for List<T>` of Rust, and `_ Name = (*List)(nil)`, by which Go makes sure.
    String.raw`\s*(?:unsafe\s+)?impl\b(?:\s*<.*>)?\s+(?:[\w$]+::)*${name}.*\bfor\b`,
    String.raw`\s*(?:var\s+)?_\s+(?:\w+\.)?${name}\s*=`,
    // Elixir and Ruby say it inside.
    String.raw`\s*(?:@behaviour|defimpl|use|include|extend|prepend)\s+(?:\w+(?:\.|::))*${name}(?![.:]\w)\s*(?:$|,)`,
  ];
  return String.raw`^(?=.*\b${escapePattern(own)}\b)(?:${alternatives.join('|')})`;
}

/** In Go what has all methods of an interface implements it. */
function bearersOf(host: Host, of: string, place: string): FoundSymbol[] {
  const walk = { include: ['*.go'] };
  const head = String.raw`^\s*(?:type\s+)?${escapePattern(lastPart(of))}(?:\[[^\]]*\])?\s+interface\b`;
  if (host.scan(place, { pattern: head, limit: 1, walk }).matches.length === 0) return [];
  const { definitions } = findDefinitions(host, { name: of, place, limit: 5 });
  const asked = definitions.find(({ path, kind }) => kind === 'interface' && path.endsWith('.go'));
  const methods = new Set(asked?.methods?.map(({ name }) => name));
  if (methods.size === 0) return [];
  const { matches } = host.scan(place, {
    pattern: String.raw`^func\s*\(\s*(?:\w+\s+)?\*?\w+(?:\[[^\]]*\])?\s*\)\s*(?:${[...methods].join('|')})\(`,
    limit: maxLines,
    walk,
  });
  const bearers = Map.groupBy(matches, ({ path, text }) => {
    const type = /^func\s*\(\s*(?:\w+\s+)?\*?(\w+)/.exec(text)?.[1] ?? '';
    return `${folderOf(path)} ${type}`;
  });
  return [...bearers].flatMap(([key, lines]) => {
    const [first] = lines;
    const has = new Set(lines.map(({ text }) => /\)\s*(\w+)\(/.exec(text)?.[1]));
    if (first === undefined || has.size < methods.size) return [];
    const { path, line, text } = first;
    return [{ path, line, text, kind: 'struct' as const, name: key.replace(/^.* /, '') }];
  });
}
