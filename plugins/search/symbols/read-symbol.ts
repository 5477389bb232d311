import { type SymbolKind, type SymbolRule, symbolLanguages } from './symbol-rules.ts';

export type FoundSymbol = {
  path: string;
  /** 1-based */
  line: number;
  kind: SymbolKind;
  name: string;
  /** the line as it stands */
  text: string;
};

/** A longer line is no one's definition, and costs the expressions too much. */
const maxLineCharacters = 400;

const byEnding: ReadonlyMap<string, readonly SymbolRule[]> = new Map(
  symbolLanguages.flatMap(([endings, rules]) =>
    endings.split(' ').map((ending) => [ending, rules]),
  ),
);
const byFileName: Readonly<Record<string, string>> = {
  makefile: 'mk',
  gnumakefile: 'mk',
  rakefile: 'rb',
  gemfile: 'rb',
};

/** Globs of the files whose definitions are known. */
export const symbolGlobs: readonly string[] = [
  `*.{${[...byEnding.keys(), 'R'].join(',')}}`,
  '{Makefile,makefile,GNUmakefile,Rakefile,Gemfile}',
];

/** Whether definitions of a file with this name are known. */
export function hasSymbolRules(path: string): boolean {
  return rulesOf(path) !== undefined;
}

/** What a line defines, by the rules of the language that its file's name tells; at most one. */
export function readSymbol(match: {
  path: string;
  line: number;
  text: string;
}): FoundSymbol | undefined {
  const { path, line, text } = match;
  if (text.length > maxLineCharacters) return undefined;
  for (const [kind, rule] of rulesOf(path) ?? []) {
    const groups = rule.exec(text);
    const name = groups?.[1] ?? groups?.[2];
    if (name === undefined) continue;
    return { path, line, kind: typeof kind === 'string' ? kind : kind(text), name, text };
  }
  return undefined;
}

function rulesOf(path: string): readonly SymbolRule[] | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return byEnding.get(byFileName[file] ?? file.slice(file.lastIndexOf('.') + 1));
}
