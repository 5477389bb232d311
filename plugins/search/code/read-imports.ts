import type { CodeFile } from './code-file.ts';

/** One file that another asks for, as it is written. */
export type Import = {
  /** 1-based */
  line: number;
  /** `./store.ts`, `.models`, `crate::store`, `net/http` */
  specifier: string;
  /** names that may be files themselves: `from package import module` */
  names?: readonly string[];
};

export type ImportLanguage = 'script' | 'python' | 'go' | 'rust' | 'c' | 'java' | 'ruby';

const languages: readonly (readonly [endings: string, ImportLanguage])[] = [
  ['ts tsx mts cts js jsx mjs cjs', 'script'],
  ['py pyi', 'python'],
  ['go', 'go'],
  ['rs', 'rust'],
  ['c h cc cpp cxx hh hpp hxx m mm', 'c'],
  ['java kt kts scala groovy', 'java'],
  ['rb', 'ruby'],
];
const byEnding = new Map(
  languages.flatMap(([endings, language]) =>
    endings.split(' ').map((ending) => [ending, language] as const),
  ),
);

/** Undefined where it is not known how a language says what it needs. */
export function importLanguage(path: string): ImportLanguage | undefined {
  return byEnding.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

/** Globs of the files of a language. */
export function importGlobs(language: ImportLanguage): string[] {
  const endings = languages.find(([, each]) => each === language)?.[0] ?? '';
  return [`*.{${endings.replaceAll(' ', ',')}}`];
}

/** Each with the groups `spec`, and `names` where there are some. */
const expressions: Readonly<Record<ImportLanguage, readonly RegExp[]>> = {
  script: [
    /\b(?:import|export)\b[^'"`;()=]*?\bfrom\s*(['"])(?<spec>[^'"\n]+)\1/g,
    /\bimport\s*(['"])(?<spec>[^'"\n]+)\1/g,
    /\b(?:import|require|require\.resolve)\s*\(\s*(['"`])(?<spec>[^'"`\n$]+)\1/g,
  ],
  python: [
    /^[ \t]*from\s+(?<spec>\.*[\w.]*)\s+import\s+(?<names>\([^)]*\)|[^\n]*)/gm,
    /^[ \t]*import\s+(?<list>[\w. ,]+)/gm,
  ],
  go: [/^import\s+(?:[\w.]+\s+)?"(?<spec>[^"\n]+)"/gm, /^import\s*\((?<block>[^)]*)\)/gm],
  rust: [
    /^[ \t]*(?:pub(?:\([^)]*\))?\s+)?mod\s+(?<mod>\w+)\s*;/gm,
    /^[ \t]*(?:pub(?:\([^)]*\))?\s+)?use\s+(?<spec>(?:::)?[\w:]+)(?:::\{(?<names>[^;]*)\})?/gm,
  ],
  c: [/^[ \t]*#[ \t]*(?:include|import)[ \t]*(?<spec>"[^"\n]+"|<[^>\n]+>)/gm],
  java: [/^[ \t]*import\s+(?:static\s+)?(?<spec>[\w.*]+)/gm],
  ruby: [/^[ \t]*(?<kind>require_relative|require)\s*\(?\s*['"](?<spec>[^'"\n]+)['"]/gm],
};

/** What a file asks for, in order; not what stands in its comments and texts. */
export function readImports(file: CodeFile): Import[] {
  const language = importLanguage(file.path);
  if (language === undefined) return [];
  const text = file.lines.join('\n');
  const found: Import[] = [];
  for (const expression of expressions[language]) {
    const lineAt = createLineCounter(text);
    for (const match of text.matchAll(expression)) {
      const first = match.index + (/^\s*/.exec(match[0])?.[0].length ?? 0);
      const line = lineAt(first);
      const column = first - 1 - text.lastIndexOf('\n', first - 1);
      if (file.codeLine(line)?.[column] !== text[first]) continue;
      for (const one of importsOf(match.groups ?? {}, line)) found.push(one);
    }
  }
  return found.sort((one, other) => one.line - other.line);
}

function importsOf(groups: Record<string, string | undefined>, line: number): Import[] {
  const { spec, names, list, block, mod, kind } = groups;
  if (block !== undefined) {
    return block.split('\n').flatMap((row, at) => {
      const specifier = /^\s*(?:[\w.]+\s+)?"([^"]+)"/.exec(row)?.[1];
      return specifier === undefined ? [] : [{ line: line + at, specifier }];
    });
  }
  if (list !== undefined) {
    return list.split(',').flatMap((each) => {
      const specifier = each.trim().split(/\s/)[0] ?? '';
      return specifier === '' ? [] : [{ line, specifier }];
    });
  }
  if (mod !== undefined) return [{ line, specifier: `mod ${mod}` }];
  if (spec === undefined) return [];
  const specifier = kind === 'require_relative' ? `./${spec.replace(/^\.\//, '')}` : spec;
  const taken = names
    ?.replace(/[()]/g, ' ')
    .replace(/#.*$/gm, '')
    .split(',')
    .map((name) => name.trim().split(/\s+/)[0] ?? '')
    .filter((name) => name !== '');
  return [{ line, specifier, ...(taken === undefined ? {} : { names: taken }) }];
}

/** Lines of places that are asked for in their order: each goes on from the one before. */
function createLineCounter(text: string): (index: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (index) => {
    for (; next >= 0 && next < index; next = text.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}
