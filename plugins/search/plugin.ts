import { definePlugin, fs, paths, ToolError, v } from '@cuervo/sdk';
import { findTodo, type Todo, todoPattern, todoTypes } from './find-todos.ts';
import { groupMatches } from './group-matches.ts';
import { findPassages, findWide } from './passages/find-passages.ts';
import { findSymbols } from './symbols/find-symbols.ts';
import { symbolKinds } from './symbols/symbol-rules.ts';

const maxTodoLines = 5000;

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
        const more = truncated ? ', and more' : '';
        const cut = truncated
          ? { cut: `there are more than ${matches.length} matches; narrow the pattern or the path` }
          : {};
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
        const truncated = entries.length > most;
        return {
          content: { paths: found, truncated },
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
        limit: limit(1000, 'definitions; default 50'),
      }),
      examples: [
        { name: 'parseConfig' },
        { name: 'retry', kind: 'function', path: 'src' },
        { path: 'src/index.ts' },
      ],
      run: (input) => {
        const place = paths.host(input.path);
        const found = checked(() => findSymbols(fs, { ...input, place, limit: input.limit ?? 50 }));
        const symbols = found.symbols.map((each) => ({ ...each, path: paths.shown(each.path) }));
        const files = new Set(symbols.map(({ path }) => path)).size;
        return {
          content: { ...found, symbols, files },
          summary: `${amount(symbols.length, 'definition')} in ${amount(files, 'file')}${found.cut === undefined ? '' : ', and more'}`,
        };
      },
    },
    {
      name: 'todos',
      description:
        'What is left to do: TODO, FIXME, HACK and XXX in comments, not in strings, with path and line.',
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
          content: { todos, files, truncated: found.truncated },
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
        limit: limit(50, 'passages; default 12'),
        regions: flag(
          'also gives the lines around, and more files, for a ranking that follows; limit is not looked at',
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
        const found =
          input.regions === true
            ? findWide(fs, root, input.question)
            : findPassages(fs, root, input.question, input.limit ?? 12);
        const files = new Set(found.passages.map((passage) => passage.path)).size;
        return {
          content: found,
          summary: `${amount(found.passages.length, 'passage')} in ${amount(files, 'file')}`,
        };
      },
    },
  ],
});

/** A name that is none is the caller's to mend. */
function checked<Value>(find: () => Value): Value {
  try {
    return find();
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new ToolError('invalid-input', thrown.message);
    throw thrown;
  }
}

function amount(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
