import type { fs } from '@cuervo/sdk';
import { escapePattern } from '../escape-pattern.ts';
import { leftOut, scanCut } from '../left-out.ts';
import type { CodeFile } from './code-file.ts';
import { codeReader } from './code-reader.ts';
import {
  type Import,
  type ImportLanguage,
  importGlobs,
  importLanguage,
  readImports,
} from './read-imports.ts';
import {
  fileOf,
  folderOf,
  type ImportTree,
  importTree,
  isByPath,
  mayMean,
  resolveImport,
} from './resolve-import.ts';

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

type Host = Pick<
  typeof fs,
  'scan' | 'unsearched' | 'readText' | 'readAnyText' | 'walk' | 'statMany'
>;
type Found = Omit<ImportLine, 'resolved'> & { wanted: Import };

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
  const code = codeReader(host);
  const own = importLines(code.read(`work:${path}`));
  const known = isByPath(language) ? undefined : wholeTree(host, language);
  const lines = host.scan('work:', {
    pattern: mentionOf(path, language, known?.tree),
    limit: maxLines,
    walk: { include: importGlobs(language) },
  });
  const end = scanCut(host, `lines behind the first ${maxLines}`);
  const mentions = lines.matches
    .map((match) => ({ ...match, path: match.path.replace(/^work:/, '') }))
    .filter((match) => match.path !== path);
  const files = [...new Set(mentions.filter((each) => mayImport(each, path)).map(pathOf))];
  const others = files
    .slice(0, maxReads)
    .flatMap((other) => importLines(code.readFound(`work:${other}`)));
  const tree = known?.tree ?? importTree(filesAmong(host, meant([...own, ...others], language)));
  const resolve = ({ wanted, ...line }: Found): ImportLine => {
    const { text, ...rest } = line;
    return { ...rest, resolved: resolveImport(line.path, wanted, language, tree), text };
  };
  const importedBy = others.map(resolve).filter(({ resolved }) => resolved.includes(path));
  const cuts = [
    ...(files.length > maxReads ? [`${files.length - maxReads} files that may import it`] : []),
    ...(known?.isCut === true ? [`files behind the first ${maxFiles}`] : []),
    ...end,
    ...code.cuts(),
  ];
  return { imports: own.map(resolve), importedBy, ...leftOut(cuts, ', ', '') };
}

/** Longer lines may have been cut. */
const wholeLine = 1000;

const pathOf = ({ path }: { path: string }): string => path;

/** All files of a language: its imports say names, of which any folder may have one. */
function wholeTree(host: Host, language: ImportLanguage): { tree: ImportTree; isCut: boolean } {
  const walked = host.walk('work:', { include: importGlobs(language), limit: maxFiles + 1 });
  const paths = walked.map((entry) => entry.path.replace(/^work:/, ''));
  const tree = importTree(paths, language === 'go' ? goModules(host) : new Map());
  return { tree, isCut: walked.length > maxFiles };
}

/** Whether a line that mentions a file may import it; not if its quoted path leads elsewhere. */
function mayImport({ path, text }: { path: string; text: string }, wanted: string): boolean {
  if (importLanguage(path) !== 'script' || text.length > wholeLine) return true;
  const quoted = [...text.matchAll(/(['"`])([^'"`\n]+)\1/g)].map(
    ({ 2: specifier = '' }) => specifier,
  );
  return quoted.some((specifier) =>
    mayMean(path, { line: 1, specifier }, 'script').includes(wanted),
  );
}

function meant(lines: readonly Found[], language: ImportLanguage): string[] {
  return [...new Set(lines.flatMap(({ path, wanted }) => mayMean(path, wanted, language)))];
}

/** Paths of one call of the host. */
const mostPaths = 1000;

/** Those of the paths that are files. */
function filesAmong(host: Host, paths: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < paths.length; at += mostPaths) {
    const some = paths.slice(at, at + mostPaths);
    const stats = host.statMany(some.map((path) => `work:${path}`));
    found.push(...some.filter((_, each) => stats[each]?.value?.kind === 'file'));
  }
  return found;
}

function importLines(file: CodeFile | undefined): Found[] {
  if (file === undefined) return [];
  const path = file.path.replace(/^work:/, '');
  return readImports(file).map((wanted) => ({
    path,
    line: wanted.line,
    specifier: wanted.specifier,
    text: file.lines[wanted.line - 1] ?? '',
    wanted,
  }));
}

/** Files that stand for their folder. */
const folderFiles = /^(?:index|mod|lib|main|__init__)\./;

/** An expression for lines that may import the file: they say its name, or its folder's. */
function mentionOf(path: string, language: ImportLanguage, tree?: ImportTree): string {
  const folder = fileOf(folderOf(path));
  const stem = fileOf(path).replace(/\.(?:d\.)?\w+$/, '');
  const isFolders = folderFiles.test(fileOf(path));
  if (language === 'script') return quotedPath(stem, isFolders ? folder : undefined);
  // In one folder Go needs no import, and from elsewhere it names the folder.
  const names =
    language === 'go' && tree !== undefined
      ? [goPackage(path, tree)]
      : [stem, ...(isFolders ? [folder] : [])];
  const known = names.filter((name) => name !== '').map(escapePattern);
  return `(?:${[...known, ...(isFolders ? [String.raw`\.\.?["'/]`] : [])].join('|')})`;
}

/**
 * A path in quotes that ends with the name of a file, or of a folder that it stands for.
 *
 * @param folder empty for the workspace, which only dots can name
 */
function quotedPath(stem: string, folder: string | undefined): string {
  const quote = '[\'"`]';
  const other = '[^\'"`]*';
  const names = [stem, folder ?? ''].filter((name) => name !== '').map(escapePattern);
  const ending = String.raw`(?:\.[\w.]*)?`;
  const named = `${quote}${other}/(?:${names.join('|')})${ending}/*(?:[?#]${other})?${quote}`;
  return folder === undefined ? named : `${named}|${quote}[./]+${quote}`;
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
