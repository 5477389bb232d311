import type { fs } from '@cuervo/sdk';
import { escapePattern } from '../escape-pattern.ts';
import { isSourceAt } from '../passages/path-factor.ts';
import { type FoundSymbol, symbolGlobs } from '../symbols/read-symbol.ts';
import type { CodeFile } from './code-file.ts';
import { indentOf } from './definition-span.ts';

/** Lines that hold the name where a field may, and are looked at: each may be of another file. */
const maxLines = 200;

/** Heads of types with fields: `type Dialer struct {`, `export type Options = {`, `class Config:`. */
const holds =
  /\b(?:struct|interface|class|type|union|record|trait|protocol|message|enum|object)\s+[\w$]|\b(?:struct|union)\s*\{/;

/**
 * Fields of exactly this name: `Timeout time.Duration`, `timeout?: number;`, `int timeout;`. An entry
 * of a value does not count, since no type stands around it.
 *
 * @param read a file that was found
 */
export function findFields(
  host: Pick<typeof fs, 'scan'>,
  { name, place }: { name: string; place: string },
  read: (path: string) => CodeFile | undefined,
): FoundSymbol[] {
  const own = escapePattern(name);
  const { matches } = host.scan(place, {
    pattern: String.raw`^\s+(?:[\w<>\[\],.*&?@|]+\s+)*[*&]?${own}[?!]?(?:\s*[:;=,]|\s+[\w*\[<&.(]|\s*$)`,
    limit: maxLines,
    walk: { include: [...symbolGlobs] },
  });
  return matches.flatMap(({ path, line, text }): FoundSymbol[] => {
    const file = read(path);
    const code = file?.codeLine(line) ?? '';
    // a name and a comma is handed over, or taken out of something
    if (file === undefined || !code.includes(name) || code.trim() === `${name},`) return [];
    const isOwn = isSourceAt(path) || /\.(?:d\.ts|pyi|h)$/.test(path);
    return isOwn && isField(file, line) ? [{ path, line, kind: 'constant', name, text }] : [];
  });
}

const describes = String.raw`(?::param\s+(?:[\w\[\], ]+\s+)?|[@\\]param(?:\[\w+\])?\s+(?:\{[^}]*\}\s+)?\[?)`;
/** Lines of a description that are handed over. */
const maxDescribed = 8;

/** What the comments of functions say of a parameter: `:param load_only: If True …`, `@param {T} name`. */
export function findParameters(
  host: Pick<typeof fs, 'scan'>,
  { name, place }: { name: string; place: string },
): { path: string; line: number; lines: string[] }[] {
  const { matches } = host.scan(place, {
    pattern: String.raw`^\W*${describes}${escapePattern(name)}\b`,
    after: maxDescribed - 1,
    limit: maxLines,
    walk: { include: [...symbolGlobs] },
  });
  return matches
    .filter(({ path }) => isSourceAt(path))
    .map(({ path, line, text, after }) => {
      const end = after.findIndex((next) => !goesOn(next, text));
      return { path, line, lines: [text, ...after.slice(0, end < 0 ? after.length : end)] };
    });
}

/** A description goes on where its lines stand further in, behind the `*` of a comment, too. */
function goesOn(next: string, first: string): boolean {
  const inner = (line: string) => /^\s*(?:\*\s?)?\s*/.exec(line)?.[0].length ?? 0;
  return /[^\s*/]/.test(next) && inner(next) > inner(first);
}

/** Whether the head around a line is that of a type, one step out. */
function isField({ code }: CodeFile, line: number): boolean {
  const indent = indentOf(code[line - 1] ?? '');
  for (let at = line - 1; at >= 1; at -= 1) {
    const head = code[at - 1] ?? '';
    if (head.trim() === '' || indentOf(head) >= indent) continue;
    // the last line of a head
    if (/^\s*[>)\]}]/.test(head)) continue;
    return holds.test(head);
  }
  return false;
}
