import { definePlugin, fs, HostError, paths, ToolError, v } from '@cuervo/sdk';
import { blockAround } from './block-around.ts';
import { cells, editCell } from './cell-tools.ts';
import { counted } from './counted.ts';
import { cutLines, splitLines } from './cut-lines.ts';
import { fitTree } from './draw-tree.ts';
import { sizeSummary } from './folder-parts.ts';
import { aside, isGlob, matchNames, namesHidden } from './match-names.ts';
import { fileLines, folderSize, largestFiles } from './measure.ts';
import { notAll, walkEnd } from './walk-end.ts';
import { edit, editLines, insert, move, multiEdit, remove, write } from './write-tools.ts';

/** Bytes of a file that are read for its lines. */
const maxReadBytes = 8 * 1024 * 1024;
/** The same of a file that is not UTF-8. */
const maxOtherBytes = 4 * 1024 * 1024 - 1;
/** Entries that one walk looks at. */
const maxEntries = 100_000;
const maxStats = 200;

const path = v.pipe(v.string(), v.description('relative to the workspace, e.g. src/index.ts'));
const folder = v.optional(
  v.pipe(v.string(), v.description('folder, relative to the workspace; default the workspace')),
);
const lineNumber = v.pipe(v.number(), v.integer(), v.minValue(1));

export default definePlugin({
  name: 'file',
  version: '0.1.0',
  description: 'Reads, looks for and changes files of the workspace.',
  licence: 'Apache-2.0',
  wants: [
    { capability: 'fs', why: 'reads and lists the files of the workspace' },
    { capability: 'fs-write', why: 'writes, edits, moves and removes files that it is told to' },
  ],
  tools: [
    {
      name: 'read',
      description:
        'Reads and shows the text of a file: all of it, its first lines or those from start to end, or the definition around a line. Use it when the path is known; with a line from a search, give it as around. The hash is for edits that follow.',
      effect: 'read',
      input: v.object({
        path,
        start: v.optional(v.pipe(lineNumber, v.description('first line, from 1; default 1'))),
        end: v.optional(
          v.pipe(lineNumber, v.description('last line, inclusive; default the last one')),
        ),
        around: v.optional(
          v.pipe(lineNumber, v.description('a line: the definition that holds it is read')),
        ),
        last: v.optional(v.pipe(lineNumber, v.description('only so many lines at the end'))),
        numbered: v.optional(v.pipe(v.boolean(), v.description('put its number before each line'))),
      }),
      examples: [
        { path: 'README.md' },
        { path: 'src/index.ts', start: 5, end: 7 },
        { path: 'src/index.ts', around: 42 },
      ],
      run: (input) => {
        const place = paths.host(input.path);
        const file = fs.readAnyText(place, maxReadBytes);
        const shown = paths.shown(place);
        const { around, start, end, last } = input;
        const ranges = [around, last, start ?? end].filter((each) => each !== undefined);
        if (ranges.length > 1) {
          const words = 'use one of around, last, and start with end';
          throw new ToolError('invalid-input', words);
        }
        if (last !== undefined && file.truncated)
          throw new ToolError('limit', `${shown} is too long to be read to its end; search it`);
        const rows = splitLines(file.text);
        const range =
          around !== undefined
            ? blockAround(rows, around)
            : last !== undefined
              ? { start: Math.max(1, rows.length - last + 1) }
              : {};
        const cut = checked(() => cutLines(file.text, { ...input, ...range, path: shown }));
        const hash = file.hash ?? fs.readText(place, 0).hash;
        const written = file.encoding === undefined ? {} : { encoding: file.encoding };
        const content = { path: shown, hash, ...written, ...cut };
        const lines = `lines ${cut.start} to ${cut.end} of ${cut.totalLines}`;
        const summary = `${shown}: ${cut.totalLines === 0 ? 'no lines' : lines}`;
        if (!file.truncated || content.truncated !== undefined) return { content, summary };
        const truncated = `only the first ${file.encoding === undefined ? maxReadBytes : maxOtherBytes} bytes of the file were read`;
        return { content: { ...content, truncated }, summary };
      },
    },
    {
      name: 'list',
      description:
        'Names, kinds and sizes of what lies directly in one folder, ignored and hidden files included. For folders below it use tree.',
      effect: 'read',
      input: v.object({ path: folder }),
      examples: [{}, { path: 'src' }],
      run: (input) => {
        const place = paths.host(input.path);
        const entries = fs.listDir(place).map((entry) => ({
          path: paths.shown(entry.path),
          kind: entry.kind,
          size: entry.size,
        }));
        return {
          content: { path: paths.shown(place), entries },
          summary: `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'} in ${paths.shown(place)}`,
        };
      },
    },
    {
      name: 'tree',
      description:
        'The structure of the workspace or of one folder as an indented tree with the number of files in each folder. Leaves out what .gitignore names. Use it to see how a project is laid out.',
      effect: 'read',
      input: v.object({
        path: folder,
        depth: v.optional(
          v.pipe(
            v.number(),
            v.integer(),
            v.minValue(1),
            v.maxValue(20),
            v.description('levels that are shown; default 3'),
          ),
        ),
        lines: v.optional(
          v.pipe(
            v.number(),
            v.integer(),
            v.minValue(1),
            v.maxValue(400),
            v.description('fewer levels, but one, where it would have more lines'),
          ),
        ),
      }),
      examples: [{}, { path: 'src', depth: 2 }],
      run: (input) => {
        const place = paths.host(input.path);
        const prefix = place.endsWith(':') ? place : `${withRoot(place)}/`;
        const entries = fs.walk(place, { limit: maxEntries }).map((entry) => ({
          path: entry.path.slice(prefix.length),
          isDirectory: entry.kind === 'directory',
        }));
        const tree = fitTree(entries, input.depth ?? 3, input.lines);
        const more = walkEnd();
        return {
          content: { path: paths.shown(place), ...tree, ...more },
          summary: `${counted(tree.files, 'file')} in ${counted(tree.folders, 'folder')}${notAll(more)}`,
        };
      },
    },
    {
      name: 'stat',
      description:
        'Whether a path is there, its kind, size and time of change; of one path or of a list, e.g. of those that find gave. Reads no text, but to count lines.',
      effect: 'read',
      input: v.object({
        path: v.optional(
          v.pipe(v.string(), v.description('relative to the workspace; default the workspace')),
        ),
        paths: v.optional(v.pipe(v.array(v.string()), v.description('several paths at once'))),
        count: v.optional(
          v.pipe(
            v.boolean(),
            v.description(
              'of one path: its lines; of a folder the files, bytes and lines below it',
            ),
          ),
        ),
        globs: v.optional(
          v.pipe(
            v.array(v.string()),
            v.description('with count or largest, only files that one of these names'),
          ),
        ),
        largest: v.optional(
          v.pipe(
            v.picklist(['bytes', 'lines']),
            v.description('of a folder: its largest files, by bytes or by lines'),
          ),
        ),
        limit: v.optional(
          v.pipe(
            v.number(),
            v.integer(),
            v.minValue(1),
            v.maxValue(100),
            v.description('with largest: files; default 10'),
          ),
        ),
      }),
      examples: [{ path: 'package.json' }, { paths: ['src', 'README.md'] }, { largest: 'bytes' }],
      run: (input) => {
        if (input.largest !== undefined) {
          const place = paths.host(input.path ?? '.');
          const wish = { by: input.largest, limit: input.limit ?? 10 };
          const found = largestFiles(place, input.globs ?? [], wish);
          const which = input.largest === 'lines' ? 'longest' : 'largest';
          return {
            content: found,
            summary: `the ${which} of ${counted(found.total, 'file')}`,
          };
        }
        if (input.count === true) return measured(input.path ?? '.', input.globs ?? []);
        const one = input.path ?? (input.paths === undefined ? '.' : undefined);
        const asked = [...(one === undefined ? [] : [one]), ...(input.paths ?? [])];
        const entries = asked.slice(0, maxStats).map((one) => statOf(one, asked.length === 1));
        const more =
          asked.length > maxStats
            ? { truncated: `${asked.length - maxStats} paths are left out` }
            : {};
        return { content: { entries, ...more }, summary: summaryOf(entries) };
      },
    },
    {
      name: 'find',
      description:
        'Finds a file by a part of its name (parse grants), best first, or by a glob: whether there is one called so, and where. Use it when the name of a file is roughly known and its folder is not; for all files of a kind use search.files. Leaves out what .gitignore names, and names that begin with a dot unless the pattern has one (.github/*.yml).',
      effect: 'read',
      input: v.object({
        pattern: v.pipe(
          v.string(),
          v.trim(),
          v.minLength(1, 'is empty'),
          v.description('a glob, or a part of the name'),
        ),
        path: folder,
        limit: v.optional(
          v.pipe(
            v.number(),
            v.integer(),
            v.minValue(1),
            v.maxValue(1000),
            v.description('paths; default 100'),
          ),
        ),
      }),
      examples: [
        { pattern: 'readme' },
        { pattern: 'parse config', path: 'src' },
        { pattern: '*.toml' },
      ],
      run: (input) => {
        const found = findPaths(paths.host(input.path), input.pattern);
        const end = walkEnd();
        const limit = input.limit ?? 100;
        const shown = found.slice(0, limit);
        const more =
          found.length > limit
            ? `${found.length - limit} more; ask for a narrower pattern`
            : undefined;
        const cut = [end.truncated, more].filter((each) => each !== undefined).join('; ');
        return {
          content: {
            ...{ paths: shown, total: found.length },
            ...(cut === '' ? {} : { truncated: cut }),
          },
          summary: `${counted(found.length, 'file')} for ${input.pattern}${notAll(end)}`,
        };
      },
    },
    write,
    edit,
    editLines,
    insert,
    multiEdit,
    cells,
    editCell,
    move,
    remove,
  ],
});

/** The caller corrects an invalid range. */
function checked<Value>(cut: () => Value): Value {
  try {
    return cut();
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new ToolError('invalid-input', thrown.message);
    throw thrown;
  }
}

function findPaths(place: string, pattern: string): string[] {
  const walked = (include: string[]) =>
    fs.walk(place, { limit: maxEntries, include, hidden: namesHidden(pattern) });
  const shown = (entries: ReturnType<typeof walked>, wanted: string): string[] =>
    entries.filter(({ kind }) => kind === wanted).map(({ path }) => paths.shown(path));
  const globbed = isGlob(pattern)
    ? shown(walked([pattern.replace(/^work:|^\.\//, '')]), 'file')
    : [];
  // Among many files the project's own should be shown.
  const found = [
    ...globbed.filter((each) => !aside.test(each)),
    ...globbed.filter((each) => aside.test(each)),
  ];
  // `[id].tsx` is a name as well, where no file is called `i.tsx` or `d.tsx`.
  const isName = !isGlob(pattern) || (found.length === 0 && !/[*?]/.test(pattern));
  if (!isName) return found;
  const all = walked([]);
  const files = matchNames(shown(all, 'file'), pattern);
  // A link is looked at where nothing else is called so: it may lead to a folder, or nowhere.
  return files.length > 0 ? files : matchNames(shown(all, 'link'), pattern);
}

function withRoot(path: string): string {
  return path.includes(':') ? path : `work:${path}`;
}

/** How big a file or a folder is. */
function measured(path: string, globs: readonly string[]) {
  const place = paths.host(path);
  const stat = statOf(path, true);
  if (stat.kind === 'directory') {
    const size = folderSize(place, globs);
    const content = { path: stat.path, kind: stat.kind, ...size };
    return { content, summary: sizeSummary(stat.path, size) };
  }
  const entry = { ...stat, ...fileLines(place) };
  return { content: { entries: [entry] }, summary: sizeSummary(entry.path, entry) };
}

type Stat = { path: string; kind: string; size?: number; modified?: string };

/** @param isOnly then its failure is that of the call; in a list it is one of its entries */
function statOf(path: string, isOnly: boolean): Stat {
  try {
    const entry = fs.stat(paths.host(path));
    return {
      path: paths.shown(entry.path),
      kind: entry.kind,
      size: entry.size,
      modified: isoTime(entry.modifiedMs),
    };
  } catch (thrown) {
    if (isOnly || !(thrown instanceof HostError)) throw thrown;
    return { path: paths.shown(paths.host(path)), kind: thrown.code };
  }
}

function summaryOf(entries: readonly Stat[]): string {
  const [first] = entries;
  if (entries.length === 1 && first !== undefined)
    return `${first.path}: ${first.kind}, ${first.size} bytes`;
  return counted(entries.length, 'path');
}

/** By arithmetic: `Date` needs the clock, and this plugin does not. */
function isoTime(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  const seconds = Math.floor(ms / 1000) - days * 86_400;
  const [year, month, day] = civilDate(days);
  const two = (value: number) => String(value).padStart(2, '0');
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map(two)
    .join(':');
  return `${year}-${two(month)}-${two(day)}T${time}Z`;
}

/** Days since 1970 as a Gregorian date; after Howard Hinnant's `civil_from_days`. */
function civilDate(days: number): [number, number, number] {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) /
      365,
  );
  const ofYear =
    ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day];
}
