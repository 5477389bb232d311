import type { fs } from '@cuervo/sdk';
import { escapePattern } from '../escape-pattern.ts';
import { lastPart } from '../symbols/last-part.ts';
import { type FoundSymbol, readSymbol } from '../symbols/read-symbol.ts';
import { codeReader } from './code-reader.ts';
import { definitionSpan } from './definition-span.ts';
import { findDefinitions, type Member, membersOf } from './find-definition.ts';
import { folderOf } from './resolve-import.ts';

/** Blocks of one type that are looked at. */
const maxBlocks = 100;

/**
 * The methods of a class or type: those in its body, and those that stand elsewhere and name it, as
 * `func (s *Store) Open()` in Go, `impl Store { … }` in Rust and `extension Store { … }` in Swift do.
 *
 * @param wish.name those with that in their heads, where any have it
 * @returns in the order of their files, paths as the host gives them
 * @throws {RangeError} for an invalid name
 */
export function findMembers(
  host: Pick<typeof fs, 'scan' | 'unsearched' | 'readText' | 'readAnyText'>,
  wish: { of: string; name?: string | undefined; place: string; limit: number },
): { symbols: FoundSymbol[]; total: number } {
  const { definitions } = findDefinitions(host, { name: wish.of, place: wish.place, limit: 5 });
  const holder = definitions.find(({ methods }) => methods !== undefined);
  if (holder === undefined) return { symbols: [], total: 0 };
  const symbolOf = (path: string, { name, line, signature }: Member): FoundSymbol => ({
    ...{ path, line, kind: 'method' as const, name, text: signature },
  });
  const inside = (holder.methods ?? []).map((member) => symbolOf(holder.path, member));
  const others = /\.(?:go|rs|swift)$/.test(holder.path) ? elsewhere(host, wish, symbolOf) : [];
  // In Go the methods of a type stand in its package, which is a folder.
  const outside = holder.path.endsWith('.go')
    ? others.filter(({ path }) => folderOf(path) === folderOf(holder.path))
    : others;
  // Public members come before private ones.
  const isOwn = ({ name, text }: FoundSymbol): number =>
    /^[_#]/.test(name) || /^(?:defp|private)\b/.test(text) ? 1 : 0;
  const members = [...inside, ...outside].sort((one, other) => isOwn(one) - isOwn(other));
  const named = members.filter(({ text }) => text.includes(wish.name ?? ''));
  const all = named.length > 0 ? named : members;
  return { symbols: all.slice(0, wish.limit), total: all.length };
}

function elsewhere(
  host: Pick<typeof fs, 'scan' | 'readText' | 'readAnyText'>,
  { of, place }: { of: string; place: string },
  symbolOf: (path: string, member: Member) => FoundSymbol,
): FoundSymbol[] {
  const own = escapePattern(lastPart(of));
  const found = host.scan(place, {
    pattern: String.raw`^func\s*\(\s*(?:\w+\s+)?\*?${own}\s*(?:\[[^\]]*\])?\s*\)|^(?:\w+\s+)?extension\s+${own}\b|^\s*(?:unsafe\s+)?impl\b[^{]*\b${own}\b(?:<[^{]*>)?\s*(?:where\b[^{]*)?\{?\s*$`,
    limit: maxBlocks,
    walk: { include: ['*.go', '*.rs', '*.swift'] },
  });
  const reader = codeReader(host);
  return found.matches.flatMap(({ path, line, text }) => {
    if (text.startsWith('func')) {
      const symbol = readSymbol({ path, line, text });
      return symbol === undefined ? [] : [symbol];
    }
    const file = reader.readFound(path);
    if (file === undefined) return [];
    return membersOf(file, line, definitionSpan(file, line)).map((each) => symbolOf(path, each));
  });
}
