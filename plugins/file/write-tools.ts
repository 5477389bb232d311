import { defineTool, fs, fsWrite, HostError, paths, ToolError, v } from '@cuervo/sdk';
import {
  asToolError,
  changed,
  existing,
  expectHash,
  maxEditBytes,
  path,
  readWhole,
} from './change-file.ts';
import { counted } from './counted.ts';
import { splitLines } from './cut-lines.ts';
import { inFormOf, type Replacement, replaceLines, replaceText } from './edit-text.ts';
import { showChange } from './show-change.ts';

const maxEdits = 100;

const lineNumber = v.pipe(v.number(), v.integer(), v.minValue(1));
const replacement = {
  old: v.pipe(v.string(), v.description('the exact text that is there now, once')),
  new: v.pipe(v.string(), v.description('the text in its place')),
  all: v.optional(v.pipe(v.boolean(), v.description('each time it is there, not only once'))),
};

export const write = defineTool({
  name: 'write',
  description:
    'Creates a file, or replaces all of one, with a text. Makes the folders above it. To change a part of a file use edit.',
  effect: 'write',
  input: v.object({
    path,
    text: v.pipe(v.string(), v.description('all of the file')),
    expectHash,
  }),
  examples: [{ path: 'notes/today.md', text: '# Today\n' }],
  run: (input) => {
    const place = paths.host(input.path);
    const before = textIfThere(place);
    if (before === undefined && input.expectHash === undefined) makeParents(place);
    const { text, kept } = inFormOf(before?.text ?? '', input.text);
    fsWrite.writeText(place, text, input.expectHash);
    const form = [...kept.map((each) => `kept ${each}`), ...(before?.said ?? [])].join(', ');
    const done = changed(place, showChange(before?.text ?? '', text), before === undefined);
    if (form === '') return done;
    return { content: { ...done.content, form }, summary: `${done.summary}; ${form}` };
  },
});

export const edit = defineTool({
  name: 'edit',
  description:
    'Changes a part of one file: replaces an exact piece of its text by another. The piece must stand in the file once: give enough of the lines around it. The first choice for a change; for several at once use multi-edit.',
  effect: 'write',
  input: v.object({ path: existing, ...replacement, expectHash }),
  examples: [{ path: 'src/index.ts', old: 'const retries = 3;', new: 'const retries = 5;' }],
  run: (input) => {
    const place = paths.host(input.path);
    const file = readWhole(place, input.expectHash);
    const { text } = asToolError(() => replaceText(file.text, input, paths.shown(place)));
    fsWrite.writeText(place, text, file.hash);
    return changed(place, showChange(file.text, text), false);
  },
});

export const editLines = defineTool({
  name: 'edit-lines',
  description:
    'Replaces whole lines, start to end, of a file by a text. Use it instead of edit when the lines are long or stand there twice, and their numbers are known from reading; give the hash that came with them.',
  effect: 'write',
  input: v.object({
    path: existing,
    start: v.pipe(lineNumber, v.description('first line, from 1')),
    end: v.pipe(lineNumber, v.description('last line, inclusive')),
    text: v.pipe(v.string(), v.description('instead of these lines; empty removes them')),
    expectHash,
  }),
  examples: [{ path: 'src/index.ts', start: 3, end: 4, text: 'const retries = 5;' }],
  run: (input) => {
    const { start, end, text: lines } = input;
    if (start > end)
      throw new ToolError('invalid-input', `start ${start} is after end ${end}; use insert`);
    return editWith(input, (text, shown) => replaceLines(text, { start, end, lines }, shown));
  },
});

export const insert = defineTool({
  name: 'insert',
  description:
    'Adds new lines to a file before a line, or at its end when no line is given. Removes nothing.',
  effect: 'write',
  input: v.object({
    path: existing,
    line: v.optional(v.pipe(lineNumber, v.description('before this one; default the end'))),
    text: v.pipe(v.string(), v.minLength(1, 'is empty'), v.description('the lines')),
    expectHash,
  }),
  examples: [{ path: 'src/index.ts', line: 1, text: "import { join } from 'node:path';" }],
  run: (input) =>
    editWith(input, (text, shown) => {
      const start = input.line ?? splitLines(text).length + 1;
      return replaceLines(text, { start, end: start - 1, lines: input.text }, shown);
    }),
});

export const multiEdit = defineTool({
  name: 'multi-edit',
  description:
    'Several changes at once, in one file or in many, all or none: each as with edit, an exact piece and the text in its place; later ones see what earlier ones did. Use it to rename something or to change what belongs together.',
  effect: 'write',
  input: v.object({
    edits: v.pipe(
      v.array(v.object({ path: existing, ...replacement })),
      v.minLength(1, 'is empty'),
      v.maxLength(maxEdits, `holds more than ${maxEdits}`),
      v.description('in the order in which they are made'),
    ),
  }),
  examples: [
    {
      edits: [
        { path: 'src/a.ts', old: 'oldName', new: 'newName', all: true },
        { path: 'src/b.ts', old: "from './old.ts'", new: "from './new.ts'" },
      ],
    },
  ],
  run: ({ edits }) => {
    const files = edited(edits);
    writeAll(files);
    const changes = files.map(({ place, before, after }) => ({
      path: paths.shown(place),
      ...showChange(before, after),
    }));
    const added = changes.reduce((sum, change) => sum + change.added, 0);
    const removed = changes.reduce((sum, change) => sum + change.removed, 0);
    return {
      content: { files: changes },
      summary: `${counted(changes.length, 'file')} changed, ${counted(added, 'line')} added, ${removed} removed`,
    };
  },
});

export const move = defineTool({
  name: 'move',
  description: 'Renames or moves a file. A name that is taken is a conflict.',
  effect: 'write',
  input: v.object({
    from: existing,
    to: v.pipe(v.string(), v.description('the new path, relative to the workspace')),
  }),
  examples: [{ from: 'src/old.ts', to: 'src/new.ts' }],
  run: (input) => {
    const [from, to] = [paths.host(input.from), paths.host(input.to)];
    // Looked at first: no folder is made for a file that is missing.
    fs.stat(from);
    makeParents(to);
    fsWrite.rename(from, to);
    const content = { from: paths.shown(from), to: paths.shown(to) };
    return { content, summary: `${content.from} is ${content.to} now` };
  },
});

export const remove = defineTool({
  name: 'delete',
  description: 'Deletes a file, or a folder that is empty. Its content is kept for an undo.',
  effect: 'write',
  input: v.object({ path: existing }),
  examples: [{ path: 'src/old.ts' }],
  run: (input) => {
    const place = paths.host(input.path);
    fsWrite.remove(place);
    return { content: { path: paths.shown(place) }, summary: `${paths.shown(place)} is removed` };
  },
});

type EditedFile = { place: string; hash: string; before: string; after: string };

/** All replacements, made in memory; nothing is written before each of them was found. */
function edited(edits: readonly (Replacement & { path: string })[]): EditedFile[] {
  const files = new Map<string, EditedFile>();
  for (const [index, each] of edits.entries()) {
    const place = paths.host(each.path);
    const file = files.get(place) ?? open(place);
    const explain = (message: string) => `edit ${index + 1}: ${message}; nothing was changed`;
    file.after = asToolError(() => replaceText(file.after, each, paths.shown(place)).text, explain);
    files.set(place, file);
  }
  return [...files.values()];
}

function open(place: string): EditedFile {
  const { text, hash } = readWhole(place);
  return { place, hash, before: text, after: text };
}

/** Writes every file or, when one fails, puts those back that were written. */
function writeAll(files: readonly EditedFile[]): void {
  const written: EditedFile[] = [];
  try {
    for (const file of files) {
      fsWrite.writeText(file.place, file.after, file.hash);
      written.push(file);
    }
  } catch (thrown) {
    for (const { place, before } of written) fsWrite.writeText(place, before);
    throw thrown;
  }
}

function editWith(
  input: { path: string; expectHash?: string | undefined },
  change: (text: string, shown: string) => string,
) {
  const place = paths.host(input.path);
  const file = readWhole(place, input.expectHash);
  const text = asToolError(() => change(file.text, paths.shown(place)));
  fsWrite.writeText(place, text, file.hash);
  return changed(place, showChange(file.text, text), false);
}

/** The old text for the shown difference. A file that is not UTF-8 is replaced without one. */
function textIfThere(place: string): { text: string; said?: string[] } | undefined {
  try {
    if (/\.ipynb$/i.test(place)) return { text: fs.readText(place, maxEditBytes).text };
    const { text, encoding } = fs.readAnyText(place, maxEditBytes);
    if (encoding === undefined) return { text };
    return { text: '', said: [`its encoding was ${encoding} and is UTF-8 now`] };
  } catch (thrown) {
    if (!(thrown instanceof HostError)) throw thrown;
    if (thrown.code === 'not-found') return undefined;
    if (thrown.code === 'invalid' || thrown.code === 'limit') return { text: '' };
    throw thrown;
  }
}

function makeParents(place: string): void {
  const slash = place.lastIndexOf('/');
  if (slash > 0) fsWrite.createDir(place.slice(0, slash));
}
