import { definePlugin, fs, paths, ToolError, v } from '@cuervo/sdk';
import { findDefinitions } from './code/find-definition.ts';
import { findHeirs } from './code/find-heirs.ts';
import { findImports, type ImportLine, type Imports } from './code/find-imports.ts';
import { findMembers } from './code/find-members.ts';
import { findReferences } from './code/find-references.ts';
import { findValues } from './code/find-values.ts';
import { rankFunctions } from './code/rank-functions.ts';
import { findTodo, type Todo, todoPattern, todoTypes } from './find-todos.ts';
import { groupMatches } from './group-matches.ts';
import { notSearched } from './left-out.ts';
import { findManifest, topics, type Version } from './manifest/find-manifest.ts';
import { mapWorkspace } from './map/map-workspace.ts';
import { findPassages, findWide } from './passages/find-passages.ts';
import { findNames } from './symbols/find-names.ts';
import { findSymbols, type SymbolsFound } from './symbols/find-symbols.ts';
import { symbolKinds } from './symbols/symbol-rules.ts';

const maxTodoLines = 5000;
/** Versions of a dependency that the summary names. */
const namedVersions = 4;

const folder = v.optional(
  v.pipe(
    v.string(),
    v.description('file or folder to search in, relative to the workspace; default all of it'),
  ),
);
const count = (most: number, description: string) =>
  v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most), v.description(description)),
  );
const limit = (most: number, description: string) =>
  v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most), v.description(description)),
  );
const flag = (description: string) => v.optional(v.pipe(v.boolean(), v.description(description)));
const globs = v.optional(
  v.pipe(
    v.array(v.pipe(v.string(), v.minLength(1, 'is empty'))),
    v.maxLength(50),
    v.description('only files that one of these names, e.g. *.ts; with ! in front, none of those'),
  ),
);
const hidden = flag('files whose name begins with a dot, too');

export default definePlugin({
  name: 'search',
  version: '0.1.0',
  description: 'Searches the text of the workspace.',
  licence: 'Apache-2.0',
  wants: [{ capability: 'fs', why: 'reads the files it searches' }],
  tools: [
    {
      name: 'grep',
      description:
        'Lines that hold an exact text or match a regular expression, in all files, with line numbers. Use it to find every use of a word, name or message that is known; symbols finds where a name is defined, passages answers questions. Leaves out what .gitignore names.',
      effect: 'read',
      input: v.object({
        pattern: v.pipe(
          v.string(),
          v.minLength(1, 'is empty'),
          v.description('ECMAScript regular expression'),
        ),
        path: folder,
        literal: flag('take the pattern as plain text'),
        caseInsensitive: flag('upper and lower case are the same'),
        globs,
        hidden,
        before: count(50, 'lines shown before a match; default 0'),
        after: count(50, 'lines shown after a match; default 0'),
        limit: limit(10_000, 'matches; default 200'),
        grouped: flag(
          'blocks of lines by file, overlapping ones as one: shorter to read than a list of matches',
        ),
      }),
      examples: [
        { pattern: 'maxRetries', literal: true, before: 2, after: 3, grouped: true },
        { pattern: 'class \\w+Error', path: 'src', grouped: true },
        { pattern: 'TypeError: .* is not a function', limit: 50 },
        { pattern: 'FROM node', literal: true, globs: ['Dockerfile*', '*.yml'], hidden: true },
      ],
      run: (input) => {
        const found = fs.scan(paths.host(input.path), {
          pattern: input.pattern,
          literal: input.literal ?? false,
          caseInsensitive: input.caseInsensitive ?? false,
          before: input.before ?? 0,
          after: input.after ?? 0,
          limit: input.limit ?? 200,
          walk: { include: input.globs ?? [], hidden: input.hidden ?? false },
        });
        const matches = found.matches.map((match) => ({
          ...match,
          path: paths.shown(match.path),
        }));
        const byFile = groupMatches(matches);
        const { truncated, filesScanned } = found;
        const files = byFile.length;
        const counts = byFile.map(({ path, matches }) => ({ path, matches }));
        const more = truncated ? ', and not all was searched' : '';
        const cut = truncated ? { cut: cutText(matches.length) } : {};
        return {
          content:
            input.grouped === true
              ? { byFile, total: matches.length, files, truncated, filesScanned, ...cut }
              : { matches, files, truncated, filesScanned, counts, ...cut },
          summary: `${amount(matches.length, 'match', 'matches')} in ${amount(files, 'file')}${more}`,
        };
      },
    },
    {
      name: 'files',
      description:
        'Lists all files that a glob names, e.g. **/*.test.ts: every file of a kind or below a folder. For one file whose name is roughly known use file.find. Leaves out what .gitignore names.',
      effect: 'read',
      input: v.object({
        pattern: v.pipe(
          v.string(),
          v.trim(),
          v.minLength(1, 'is empty'),
          v.description('glob; without a slash it matches at any depth'),
        ),
        path: folder,
        hidden,
        limit: limit(10_000, 'paths; default 500'),
      }),
      examples: [{ pattern: '*.wit' }, { pattern: 'src/**/*.test.ts' }],
      run: (input) => {
        const most = input.limit ?? 500;
        const entries = fs.walk(paths.host(input.path), {
          include: [input.pattern],
          hidden: input.hidden ?? false,
          limit: most + 1,
        });
        const found = entries.slice(0, most).map((entry) => paths.shown(entry.path));
        const isLate = fs.unsearched()?.reason === 'time';
        const truncated = entries.length > most || isLate;
        const cut = isLate ? { cut: cutText(0) } : {};
        return {
          content: { paths: found, truncated, ...cut },
          summary: `${amount(found.length, 'file')}${truncated ? ', and more' : ''}`,
        };
      },
    },
    {
      name: 'symbols',
      description:
        'Where functions, classes, types and constants are defined: path, line, kind and name. Use it when a name, or a part of one, is known and its definition is wanted; with a path it outlines that file or folder. Goes by the shape of lines in some thirty languages and parses no file.',
      effect: 'read',
      input: v.object({
        name: v.optional(
          v.pipe(
            v.string(),
            v.trim(),
            v.minLength(1, 'is empty'),
            v.description('a name or a part of it; default all'),
          ),
        ),
        path: folder,
        kind: v.optional(
          v.pipe(v.picklist(symbolKinds), v.description('only these; function has methods, too')),
        ),
        of: v.optional(
          v.pipe(
            v.string(),
            v.trim(),
            v.minLength(1, 'is empty'),
            v.description('a class or type: its methods, in place of all that kind fits'),
          ),
        ),
        from: v.optional(
          v.pipe(
            v.string(),
            v.trim(),
            v.minLength(1, 'is empty'),
            v.description('a class or interface: what extends or implements it'),
          ),
        ),
        limit: limit(1000, 'definitions; default 50'),
      }),
      examples: [
        { name: 'parseConfig' },
        { name: 'retry', kind: 'function', path: 'src' },
        { of: 'Store' },
        { from: 'Store' },
        { path: 'src/index.ts' },
      ],
      run: (input) => {
        const place = paths.host(input.path);
        const { of, from, name, limit = 50 } = input;
        const found: SymbolsFound = checked(() =>
          from !== undefined
            ? findHeirs(fs, { of: from, place, limit })
            : of === undefined
              ? findSymbols(fs, { ...input, place, limit })
              : findMembers(fs, { of, name, place, limit }),
        );
        const symbols = found.symbols.map((each) => ({ ...each, path: paths.shown(each.path) }));
        const files = new Set(symbols.map(({ path }) => path)).size;
        return {
          content: { ...found, symbols, files },
          summary: `${amount(symbols.length, 'definition')} in ${amount(files, 'file')}${found.cut === undefined ? '' : ', and more'}`,
        };
      },
    },
    {
      name: 'names',
      description:
        'What the words of a text mean in this workspace: packet types for a class PacketType, and words that stand nowhere with the nearly same one that does. Use it before a search that found nothing.',
      effect: 'read',
      input: v.object({
        text: v.pipe(v.string(), v.trim(), v.minLength(1, 'is empty'), v.description('a question')),
        path: folder,
      }),
      examples: [{ text: 'where are the packet types?' }, { text: 'default ping intervall' }],
      run: (input) => {
        const found = findNames(fs, { text: input.text, place: paths.host(input.path) });
        const names = found.names.map((each) => ({ ...each, path: paths.shown(each.path) }));
        return {
          content: { ...found, names },
          summary: `${amount(names.length, 'name')} in the words, ${amount(found.spelled.length, 'word')} spelled otherwise`,
        };
      },
    },
    {
      name: 'definition',
      description:
        'The whole source of a function, class or type by its name: exact lines, signature, and for a class its methods and what it extends. Use it to read a definition; symbols only says where it is.',
      effect: 'read',
      input: v.object({
        name: v.pipe(
          v.string(),
          v.trim(),
          v.minLength(1, 'is empty'),
          v.description('the exact name; Class.method for a member'),
        ),
        path: folder,
        limit: limit(50, 'definitions of this name; default 5'),
      }),
      examples: [{ name: 'parseConfig' }, { name: 'Store.open', path: 'src' }],
      run: (input) => {
        const place = paths.host(input.path);
        const found = checked(() =>
          findDefinitions(fs, { name: input.name, place, limit: input.limit ?? 5 }),
        );
        const definitions = found.definitions.map((each) => ({
          ...each,
          path: paths.shown(each.path),
        }));
        return {
          content: { ...found, definitions },
          summary: `${amount(found.total, 'definition')} of ${input.name}`,
        };
      },
    },
    {
      name: 'references',
      description:
        'Where a function, class or variable is used: every place in code that has the name as a word, not in comments or texts, with its line and whether it is an import or a use. Use it before something is renamed, changed or removed, and for who calls what.',
      effect: 'read',
      input: v.object({
        name: v.pipe(
          v.string(),
          v.trim(),
          v.minLength(1, 'is empty'),
          v.description('the exact name'),
        ),
        path: folder,
        definitions: flag('also the places that define it'),
        tests: flag('only places in tests'),
        limit: limit(2000, 'references; default 100'),
      }),
      examples: [{ name: 'parseConfig' }, { name: 'maxRetries', path: 'src', definitions: true }],
      run: (input) => {
        const { name, limit = 100, definitions = false, tests = false } = input;
        const place = paths.host(input.path);
        const found = checked(() => findReferences(fs, { name, place, limit, definitions, tests }));
        const references = found.references.map((each) => ({
          ...each,
          path: paths.shown(each.path),
        }));
        const files = new Set(references.map(({ path }) => path)).size;
        const lines = new Set(references.map(({ path, line }) => `${path}:${line}`)).size;
        const isShared = references.length === found.total && lines < found.total;
        const where = isShared ? `on ${amount(lines, 'line')} of` : 'in';
        return {
          content: { ...found, references, files },
          summary: `${amount(found.total, 'reference')} to ${name} ${where} ${amount(files, tests ? 'test file' : 'file')}${found.cut === undefined ? '' : ', and more'}`,
        };
      },
    },
    {
      name: 'imports',
      description:
        'What a source file imports, and which files import it: its dependencies and dependents, resolved to files of the workspace. For JavaScript, TypeScript, Python, Go, Rust, C, C++, Java, Kotlin and Ruby.',
      effect: 'read',
      input: v.object({
        path: v.pipe(
          v.string(),
          v.minLength(1, 'is empty'),
          v.description('the file, relative to the workspace'),
        ),
        direction: v.optional(
          v.pipe(
            v.picklist(['imports', 'importedBy']),
            v.description('only what it imports, or only what imports it; default both'),
          ),
        ),
      }),
      examples: [{ path: 'src/index.ts' }, { path: 'src/store.ts', direction: 'importedBy' }],
      run: (input) => {
        const place = paths.host(input.path);
        const path = paths.shown(place);
        const found = checked(() => findImports(fs, place.replace(/^work:/, '')));
        const files = new Set(found.importedBy.map((each) => each.path)).size;
        return {
          content: { path, ...directed(found, input.direction) },
          summary: `${path} imports ${amount(found.imports.length, 'module')} and is imported by ${amount(files, 'file')}`,
        };
      },
    },
    {
      name: 'map',
      description:
        'Of what the workspace is made, on one screen: its folders of code with their sizes, which of them imports which, and where programs and libraries begin. Use it first in a workspace that is not known.',
      effect: 'read',
      input: v.object({ path: folder, limit: limit(60, 'folders; default 24') }),
      examples: [{}, { path: 'src', limit: 40 }],
      run: ({ path, limit = 24 }) => {
        const found = mapWorkspace(fs, paths.host(path), limit);
        const size = `${amount(found.files, 'file')} of code`;
        return {
          content: found,
          summary: `${size} in ${amount(found.parts.length, 'part')}${found.cut === undefined ? '' : ', and more'}`,
        };
      },
    },
    {
      name: 'manifest',
      description:
        'What the manifests of a project say: its version, the engine it needs, a dependency and its version, workspaces, scripts, how it is built, run, tested and linted, licence, author. Reads package.json, pyproject.toml, setup.cfg, Cargo.toml, go.mod, pom.xml, build.gradle, mix.exs, Package.swift, CMakeLists.txt, Makefile, tox.ini, Dockerfile, CI files and .nvmrc; gives file and line.',
      effect: 'read',
      input: v.object({
        about: v.pipe(v.picklist(topics), v.description('what is wanted')),
        name: v.optional(
          v.pipe(
            v.string(),
            v.trim(),
            v.minLength(1, 'is empty'),
            v.description('of a dependency'),
          ),
        ),
        path: folder,
      }),
      examples: [{ about: 'test' }, { about: 'dependency', name: 'typescript' }],
      run: (input) => {
        const found = findManifest(fs, { ...input, place: paths.host(input.path) });
        const facts = found.facts.map((each) => ({ ...each, path: paths.shown(each.path) }));
        const unread = found.unread.map((path) => paths.shown(path));
        const habit = found.usual === undefined ? {} : { usual: found.usual };
        const cut =
          unread.length === 0
            ? {}
            : { cut: `not searched, as too large or no text: ${unread.slice(0, 5).join(', ')}` };
        const of = `${amount(found.total, 'line')} of ${amount(found.manifests.length, 'manifest')}`;
        const { versions = [] } = found;
        const lines = versions.length === 0 ? of : `${inVersions(versions)}; ${of}`;
        const every = versions.length === 0 ? {} : { versions };
        return {
          content: { facts, manifests: found.manifests.length, unread, ...habit, ...every, ...cut },
          summary:
            found.usual === undefined
              ? lines
              : `No task says it; usual here is ${found.usual}. ${lines}`,
        };
      },
    },
    {
      name: 'values',
      description:
        'Where the value of a setting is given: its default port, timeout, limit, host. Lines that have the name and a literal beside it, or a default a few lines on, the likeliest first. Use it when the value of something is wanted and not who uses it.',
      effect: 'read',
      input: v.object({
        names: v.pipe(
          v.array(v.pipe(v.string(), v.trim(), v.minLength(1, 'is empty'), v.maxLength(100))),
          v.minLength(1, 'is empty'),
          v.maxLength(10),
          v.description('what it may be called, each of one or several words'),
        ),
        about: v.optional(
          v.pipe(
            v.array(v.pipe(v.string(), v.trim(), v.minLength(1, 'is empty'), v.maxLength(100))),
            v.maxLength(10),
            v.description('words for what has it: places that speak of these come first'),
          ),
        ),
        path: folder,
        limit: limit(100, 'places; default 8'),
      }),
      examples: [{ names: ['port'] }, { names: ['request timeout', 'timeout'], path: 'src' }],
      run: (input) => {
        const place = paths.host(input.path);
        const found = findValues(fs, { ...input, place, limit: input.limit ?? 8 });
        const values = found.values.map((each) => ({ ...each, path: paths.shown(each.path) }));
        return {
          content: { values, total: found.total },
          summary: `${amount(found.total, 'place')} that may give ${input.names.join(' or ')} a value`,
        };
      },
    },
    {
      name: 'complexity',
      description:
        'The functions that are hardest to read, with lines of code, nesting and cyclomatic complexity, the most complex first. Use it to find what to simplify or to review first.',
      effect: 'read',
      input: v.object({
        path: folder,
        by: v.optional(
          v.pipe(
            v.picklist(['complexity', 'lines']),
            v.description('the most complex first, which is the default, or the longest'),
          ),
        ),
        limit: limit(1000, 'functions; default 20'),
      }),
      examples: [{}, { path: 'src/parser.ts', limit: 5 }, { by: 'lines' }],
      run: (input) => {
        const place = paths.host(input.path);
        const found = rankFunctions(fs, { place, limit: input.limit ?? 20, by: input.by });
        const functions = found.functions.map((each) => ({
          ...each,
          path: paths.shown(each.path),
        }));
        return {
          content: { ...found, functions },
          summary: `${amount(found.total, 'function')} in ${amount(found.files, 'file')}`,
        };
      },
    },
    {
      name: 'todos',
      description:
        'What is left or still to be done in the code: TODO, FIXME, HACK and XXX in comments, not in strings, with path and line.',
      effect: 'read',
      input: v.object({
        path: folder,
        type: v.optional(v.pipe(v.picklist(todoTypes), v.description('only markers of this kind'))),
      }),
      examples: [{}, { path: 'src', type: 'FIXME' }],
      run: (input) => {
        const types = input.type === undefined ? todoTypes : [input.type];
        const found = fs.scan(paths.host(input.path), {
          pattern: todoPattern(types),
          limit: maxTodoLines,
        });
        const todos = found.matches
          .map((match) => findTodo({ ...match, path: paths.shown(match.path) }, types))
          .filter((todo): todo is Todo => todo !== undefined);
        const files = new Set(todos.map((todo) => todo.path)).size;
        return {
          content: {
            ...{ todos, files, truncated: found.truncated },
            ...(found.truncated ? { cut: cutText(todos.length) } : {}),
          },
          summary: `${amount(todos.length, 'marker')} in ${amount(files, 'file')}`,
        };
      },
    },
    {
      name: 'passages',
      description:
        'The passages of the workspace that answer a question best, ranked, with path and lines. Takes a question or some words in plain language. Use it when it is not known which file or name to look for: where is, how does, what happens when, why.',
      effect: 'read',
      input: v.object({
        question: v.pipe(v.string(), v.description('as a person would ask it')),
        path: folder,
        documents: flag('only documents: README, docs, Markdown and the like'),
        limit: limit(50, 'passages; default 12'),
        regions: flag(
          'also gives the lines around, and more files, for a later ranking; limit has no effect',
        ),
      }),
      examples: [
        { question: 'Where is the retry limit set?' },
        { question: 'how are expired tokens refreshed', limit: 5 },
      ],
      run: (input) => {
        if (input.question.trim() === '')
          throw new ToolError('invalid-input', 'the question is empty');
        const root = paths.host(input.path);
        const kind = input.documents === true ? 'documents' : 'all';
        const found =
          input.regions === true
            ? findWide(fs, root, input.question)
            : findPassages(fs, root, input.question, input.limit ?? 12, kind);
        const count = new Set(found.passages.map((passage) => passage.path)).size;
        return {
          content: found,
          summary: `${amount(found.passages.length, 'passage')} in ${amount(count, 'file')}`,
        };
      },
    },
  ],
});

/** What a person can do when a search ended early. */
function cutText(matches: number): string {
  const text = notSearched(fs, paths.shown) ?? 'not all was searched';
  return fs.unsearched()?.reason === 'matches'
    ? `there are more than ${matches} matches; ${text}; narrow the pattern or the path`
    : `${text}; name a folder as path, or allow more with --timeout SECONDS`;
}

function directed(
  { imports, importedBy, ...rest }: Imports,
  direction: keyof Pick<Imports, 'imports' | 'importedBy'> | undefined,
): Partial<Imports> {
  const own = { imports: imports.map(shownImport), importedBy: importedBy.map(shownImport) };
  if (direction === undefined) return { ...own, ...rest };
  return direction === 'imports'
    ? { imports: own.imports, ...rest }
    : { importedBy: own.importedBy, ...rest };
}

function shownImport(line: ImportLine): ImportLine {
  const shown = (path: string): string => paths.shown(`work:${path}`);
  return { ...line, path: shown(line.path), resolved: line.resolved.map(shown) };
}

/** The caller corrects an invalid name. */
function checked<Value>(find: () => Value): Value {
  try {
    return find();
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new ToolError('invalid-input', thrown.message);
    throw thrown;
  }
}

/** `3 versions: ^8.1 in 20 manifests, * in 4, 7.0 in 1`. */
function inVersions(versions: readonly Version[]): string {
  const named = versions.slice(0, namedVersions).map(({ version, manifests }, at) => {
    const count = at === 0 ? amount(manifests, 'manifest') : manifests;
    return `${version} in ${count}`;
  });
  const more = versions.length - named.length;
  const rest = more > 0 ? [`${more} more`] : [];
  return `${amount(versions.length, 'version')}: ${[...named, ...rest].join(', ')}`;
}

function amount(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
