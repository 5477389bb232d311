import type { fs } from '@cuervo/sdk';
import { escapePattern } from '../escape-pattern.ts';
import { leftOut, scanCut } from '../left-out.ts';
import { lastPart } from './last-part.ts';
import { type FoundSymbol, hasSymbolRules, readSymbol, symbolGlobs } from './read-symbol.ts';
import type { SymbolKind } from './symbol-rules.ts';

/** Lines that the host hands over to be looked at. */
const maxLines = 10_000;

export type SymbolWish = {
  name?: string | undefined;
  /** no name that goes on behind it */
  isWhole?: boolean;
  /** as the host wants it: a folder or one file */
  place: string;
  kind?: SymbolKind | undefined;
  /** symbols that are handed back */
  limit: number;
};

export type SymbolsFound = {
  /** best first: the name itself, names that begin with it, names that hold it */
  symbols: FoundSymbol[];
  /** all that were found */
  total: number;
  /** what is missing, in words */
  cut?: string;
};

/** What stands in front of a name that is defined: no `=`, no string, no call around it. */
const before = String.raw`^(?:[\w\s<>\[\],.?&*:$@#!~|"'{\x60+-]|\([^()]*\))*?`;
const modifiers = String.raw`^\s*(?:[\w@$]+(?:\([^()]*\))?\s+|#\s*|\[[^\]]*\]\s*)*`;
const words: Readonly<Partial<Record<SymbolKind, string>>> = {
  class: 'class|struct|record|object|actor|extension|union',
  struct: 'struct|union|message',
  interface: 'interface|protocol|service|world',
  trait: 'trait|mixin',
  type: 'type|typedef|typealias|using|record|variant|flags|resource|input|union|scalar|data|newtype|domain|TYPE|DOMAIN',
  enum: 'enum',
  module: 'namespace|module|mod|package|defmodule|defprotocol|defimpl',
  macro: 'define|macro_rules!|defmacrop?|macro',
  table: '[tT][aA][bB][lL][eE]|view|VIEW|index|INDEX|trigger|TRIGGER|sequence|SEQUENCE',
};
const anyShape = [
  `${modifiers}(?:${[...Object.values(words), 'function|fn|func|fun|def|defp|sub|rpc|const|let|var|val|static|local|attr_\\w+|define_method'].join('|')})\\b`,
  String.raw`^[\w\s<>\[\],.?&*:$@#~-]*[\w$?!]\s*\([^;]*$`,
  String.raw`^[\w$.%-]+\s*(?::[^=]*)?(?:[:?+]?=|<-)`,
  String.raw`^\s+[\w$."' #]+\s*[:=]\s*(?:async\b|function\b|func\b|\(|<|[\w$]+\s*=>)`,
  String.raw`^\}\s*\w+\s*;|^\t\w+|^[\w.\/%-]+\s*::?`,
].join('|');

/** For the host's search: lines that can define what is wished for. */
function symbolPattern({ name, kind, isWhole }: Omit<SymbolWish, 'place' | 'limit'>): string {
  // Without look-around, which the host can match only by trying, within a time limit for each file.
  const behind = isWhole === true ? String.raw`(?:$|[^\p{L}\p{N}])` : '';
  if (name !== undefined) return before + escapePattern(name) + behind;
  const narrow = kind === undefined ? undefined : words[kind];
  // `type T struct`, `} name;` and constants have no word of their own in front.
  if (narrow === undefined || kind === 'type') return anyShape;
  return `${modifiers}(?:${narrow})\\b|^\\s*(?:type\\s+)?\\w+(?:\\[[^\\]]*\\])?\\s+(?:${narrow})\\b`;
}

/**
 * Definitions of the workspace, as far as their lines tell: no file is parsed.
 *
 * @returns paths as the host gives them
 * @throws {RangeError} for an invalid name
 */
export function findSymbols(
  host: Pick<typeof fs, 'scan' | 'unsearched'>,
  wish: SymbolWish,
): SymbolsFound {
  const name = wish.name === undefined ? undefined : plainName(wish.name);
  const scanned = host.scan(wish.place, {
    pattern: symbolPattern({ ...wish, name }),
    caseInsensitive: name !== undefined,
    limit: maxLines,
    walk: { include: hasSymbolRules(wish.place) ? [] : [...symbolGlobs] },
  });
  const end = scanCut(host, `what stands behind the first ${maxLines} lines that may define`);
  const found = scanned.matches
    .map(readSymbol)
    .filter((symbol): symbol is FoundSymbol => symbol !== undefined)
    .filter((symbol) => wish.kind === undefined || isOfKind(symbol.kind, wish.kind))
    .map((symbol) => ({ symbol, rank: rankOf(symbol, name) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((one, other) => one.rank - other.rank)
    .map(({ symbol }) => symbol);
  const cuts = [
    ...(found.length > wish.limit ? [`${found.length - wish.limit} more definitions`] : []),
    ...end,
  ];
  return {
    symbols: found.slice(0, wish.limit),
    total: found.length,
    ...leftOut(cuts, ' and ', '; give a name, a kind or a narrower path'),
  };
}

function plainName(written: string): string {
  const name = lastPart(written);
  if (/^[\p{L}\p{N}_$?!=~%/-]{1,200}$/u.test(name)) return name;
  throw new RangeError(`"${written.slice(0, 100)}" is not a name or part of one`);
}

/** Functions of a class are functions, and a struct is what a class is elsewhere. */
function isOfKind(kind: SymbolKind, wished: SymbolKind): boolean {
  return (
    kind === wished ||
    (wished === 'function' && kind === 'method') ||
    (wished === 'class' && kind === 'struct')
  );
}

const noMatch = 100;

function rankOf({ name, path }: FoundSymbol, wished: string | undefined): number {
  const aside =
    /(?:^|\/)(?:tests?|specs?|__tests__|fixtures|examples?|vendor)\/|[._-](?:test|spec)\.\w+$|_test\.go$|(?:^|\/)test_[^/]+$/.test(
      path,
    )
      ? 0.5
      : 0;
  if (wished === undefined) return aside;
  if (name === wished) return aside;
  const [own, other] = [name.toLowerCase(), wished.toLowerCase()];
  if (own === other) return 1 + aside;
  if (own.startsWith(other)) return 2 + aside;
  return own.includes(other) ? 3 + aside : noMatch;
}
