import type { fs } from '@cuervo/sdk';
import { escapePattern } from '../escape-pattern.ts';
import { leftOut, scanCut } from '../left-out.ts';
import type { CodeFile } from './code-file.ts';
import { codeReader } from './code-reader.ts';
import { type ImportLanguage, importGlobs, importLanguage, readImports } from './read-imports.ts';
import { fileOf, folderOf, type ImportTree, importTree, resolveImport } from './resolve-import.ts';

/** Files of one language that are looked through. */
const maxFiles = 50_000;
/** Lines that may import the file. */
const maxLines = 10_000;
/** Files that are read: a call has a limited number of host calls. */
const maxReads = 600;

/** With its line, so that it can be read on: `path` is the importing file. */
export type ImportLine = {
  path: string;
  line: number;
  specifier: string;
  /** files of the workspace that are meant; empty for a package from elsewhere */
  resolved: string[];
  /** the line as it stands */
  text: string;
};

export type Imports = { imports: ImportLine[]; importedBy: ImportLine[]; cut?: string };

type Host = Pick<typeof fs, 'scan' | 'unsearched' | 'readText' | 'readAnyText' | 'walk'>;

/**
 * What a file imports, and which files import it.
 *
 * @param path relative to the workspace
 * @throws {RangeError} for a file of a language whose imports are not known
 */
export function findImports(host: Host, path: string): Imports {
  const language = importLanguage(path);
  if (language === undefined)
    throw new RangeError(`the search does not know how "${fileOf(path)}" imports`);
  const walked = host.walk('work:', { include: importGlobs(language), limit: maxFiles + 1 });
  const paths = walked.map((entry) => entry.path.replace(/^work:/, ''));
  const tree = importTree(paths, language === 'go' ? goModules(host) : new Map());
  const code = codeReader(host);
  const importsOf = (file: CodeFile | undefined) => readLines(file, language, tree);
  const imports = importsOf(code.read(`work:${path}`));
  const lines = host.scan('work:', {
    pattern: mentionOf(path, language, tree),
    limit: maxLines,
    walk: { include: importGlobs(language) },
  });
  const end = scanCut(host, `lines behind the first ${maxLines}`);
  const others = [...new Set(lines.matches.map((match) => match.path.replace(/^work:/, '')))];
  const importers = others.filter((other) => other !== path);
  const importedBy = importers
    .slice(0, maxReads)
    .flatMap((other) => importsOf(code.readFound(`work:${other}`)))
    .filter(({ resolved }) => resolved.includes(path));
  const cuts = [
    ...(importers.length > maxReads
      ? [`${importers.length - maxReads} files that may import it`]
      : []),
    ...(walked.length > maxFiles ? [`files behind the first ${maxFiles}`] : []),
    ...end,
    ...code.cuts(),
  ];
  return { imports, importedBy, ...leftOut(cuts, ', ', '') };
}

function readLines(
  file: CodeFile | undefined,
  language: ImportLanguage,
  tree: ImportTree,
): ImportLine[] {
  if (file === undefined) return [];
  const path = file.path.replace(/^work:/, '');
  return readImports(file).map((each) => ({
    path,
    line: each.line,
    specifier: each.specifier,
    resolved: resolveImport(path, each, language, tree),
    text: file.lines[each.line - 1] ?? '',
  }));
}

/** Files that stand for their folder. */
const folderFiles = /^(?:index|mod|lib|main|__init__)\./;

/** An expression for lines that may import the file: they say its name, or its folder's. */
function mentionOf(path: string, language: ImportLanguage, tree: ImportTree): string {
  const folder = fileOf(folderOf(path));
  const stem = fileOf(path).replace(/\.(?:d\.)?\w+$/, '');
  const byFolder = folderFiles.test(fileOf(path)) ? ['\\.\\.?["\'/]', folder] : [];
  // In one folder Go needs no import, and from elsewhere it names the folder.
  const names = language === 'go' ? [goPackage(path, tree)] : [stem, ...byFolder];
  const known = names.filter((name) => name !== '');
  return `(?:${known.map((name) => (name.startsWith('\\') ? name : escapePattern(name))).join('|')})`;
}

function goPackage(path: string, { goModules }: ImportTree): string {
  const folder = fileOf(folderOf(path));
  return folder === '' ? (goModules.get('') ?? '"') : folder;
}

function goModules(host: Host): Map<string, string> {
  const found = host.scan('work:', {
    pattern: '^module\\s+\\S+',
    limit: 100,
    walk: { include: ['go.mod'] },
  });
  return new Map(
    found.matches.map(({ path, text }) => [
      folderOf(path.replace(/^work:/, '')),
      text.replace(/^module\s+/, '').trim(),
    ]),
  );
}
