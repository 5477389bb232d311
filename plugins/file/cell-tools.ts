import { defineTool, fsWrite, paths, ToolError, v } from '@cuervo/sdk';
import { asToolError, changed, existing, expectHash, readWhole } from './change-file.ts';
import { editCell as changeCell } from './edit-cell.ts';
import { type Cell, findCell, readNotebook } from './read-notebook.ts';
import { showChange } from './show-change.ts';

/** Bytes of a notebook that is only read: pictures in outputs make many longer than an edit takes. */
const maxReadBytes = 8 * 1024 * 1024;
/** Cells of one list, lines and characters shown of each, characters of one that is read whole. */
const maxCells = 200;
const maxLines = 3;
const maxLine = 160;
const maxCharacters = 200_000;

const cell = v.pipe(
  v.union([v.pipe(v.number(), v.integer(), v.minValue(1)), v.pipe(v.string(), v.minLength(1))]),
  v.description('number of the cell, from 1, or its id'),
);

export const cells = defineTool({
  name: 'cells',
  description:
    'Lists the cells of a Jupyter notebook (.ipynb): number, id, type and first lines of each; or, with a cell, shows the whole source of that one. Outputs are only counted. Use it instead of read for notebooks.',
  effect: 'read',
  input: v.object({
    path: existing,
    cell: v.optional(cell),
    start: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.description('first cell of the list; default 1'),
      ),
    ),
  }),
  examples: [{ path: 'analysis.ipynb' }, { path: 'analysis.ipynb', cell: 3 }],
  run: (input) => {
    const place = paths.host(input.path);
    const shown = paths.shown(place);
    const { text, hash } = readWhole(place, undefined, maxReadBytes);
    const notebook = asToolError(() => readNotebook(text, shown));
    const { cell: wanted, start = 1 } = input;
    if (wanted !== undefined) {
      const found = asToolError(() => findCell(notebook, wanted));
      const { source } = found;
      const more =
        source.length > maxCharacters
          ? { truncated: `only the first ${maxCharacters} of ${source.length} characters` }
          : {};
      return {
        content: {
          path: shown,
          hash,
          ...shownCell(found, source.slice(0, maxCharacters)),
          ...more,
        },
        summary: `${shown}: cell ${found.number} of ${notebook.cells.length}`,
      };
    }
    const total = notebook.cells.length;
    if (start > Math.max(1, total)) {
      const message = `start ${start} is beyond the end: ${shown} has ${total} cells`;
      throw new ToolError('invalid-input', message);
    }
    const end = start + maxCells - 1;
    const list = notebook.cells
      .slice(start - 1, end)
      .map((each) => shownCell(each, firstLines(each)));
    const more =
      end < total
        ? {
            truncated: `cells ${end + 1} to ${total} are left out; go on with start ${end + 1}`,
          }
        : {};
    const content = { path: shown, hash, total, cells: list, ...more };
    return { content, summary: `${total} cells in ${shown}` };
  },
});

export const editCell = defineTool({
  name: 'edit-cell',
  description:
    'Changes one cell of a Jupyter notebook (.ipynb): its whole source, or an exact piece of it; or adds a cell beside it, or deletes it. Outputs and execution count of a changed code cell are cleared; metadata and all other cells stay. Use it instead of edit for notebooks; cells gives the numbers.',
  effect: 'write',
  input: v.object({
    path: existing,
    cell,
    source: v.optional(v.pipe(v.string(), v.description('the whole new source of the cell'))),
    old: v.optional(
      v.pipe(v.string(), v.minLength(1, 'is empty'), v.description('exact text in it now, once')),
    ),
    new: v.optional(v.pipe(v.string(), v.description('the text that replaces old'))),
    all: v.optional(v.pipe(v.boolean(), v.description('each time old is there, not only once'))),
    insert: v.optional(
      v.pipe(v.picklist(['before', 'after']), v.description('add source as a new cell there')),
    ),
    type: v.optional(
      v.pipe(v.picklist(['code', 'markdown']), v.description('of the new cell; default code')),
    ),
    delete: v.optional(v.pipe(v.boolean(), v.description('remove the cell'))),
    expectHash,
  }),
  examples: [
    { path: 'analysis.ipynb', cell: 3, old: 'bins=10', new: 'bins=50' },
    { path: 'analysis.ipynb', cell: 1, source: '# Results', insert: 'before', type: 'markdown' },
  ],
  run: (input) => {
    const place = paths.host(input.path);
    const shown = paths.shown(place);
    const { text, hash } = readWhole(place, input.expectHash);
    const edited = asToolError(() => changeCell(readNotebook(text, shown), input));
    fsWrite.writeText(place, edited.text, hash);
    // Lines of the source only: a line of an output may be a picture of megabytes.
    const { content, summary } = changed(place, showChange(edited.before, edited.after), false);
    const { number, id, type } = edited.cell;
    const cell = { number, ...(id === undefined ? {} : { id }), type };
    const cleared = edited.cleared === 0 ? '' : `, ${edited.cleared} outputs cleared`;
    return {
      content: { ...content, cell, outputsCleared: edited.cleared },
      summary: `${summary} (cell ${number}${cleared})`,
    };
  },
});

function shownCell({ number, id, type, source, outputs }: Cell, text: string) {
  const lines = source === '' ? 0 : source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
  const shownId = id === undefined ? {} : { id };
  const kept = type === 'code' ? { outputs } : {};
  return { number, ...shownId, type, lines, ...kept, source: text };
}

function firstLines({ source }: Cell): string {
  const lines = source.split('\n').slice(0, maxLines);
  return lines
    .map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line))
    .join('\n');
}
