import type { JsonObject, ToolOutput } from '../../contracts/tool.ts';
import { parseContent } from '../../lib/text/parse-json.ts';
import { type FoundDocument, pageOf } from './document-text.ts';

const defaultLimit = 200;

type Match = {
  path: string;
  line: number;
  column: number;
  text: string;
  before: readonly string[];
  after: readonly string[];
  page?: number;
};

type Found = {
  matches?: Match[];
  byFile?: { path: string; matches: number; blocks: unknown[] }[];
  counts?: { path: string; matches: number }[];
  total?: number;
  files: number;
};

/**
 * The result of a search for a plain text with the lines of documents that hold it.
 *
 * @param input of `search.grep`, whose pattern is plain
 */
export function addMatches(
  output: ToolOutput,
  input: JsonObject,
  documents: readonly FoundDocument[],
): ToolOutput {
  const found = parseContent(output.content) as Found;
  const { pattern, limit = defaultLimit, caseInsensitive } = input;
  if (typeof pattern !== 'string' || typeof found?.files !== 'number') return output;
  const before = found.matches?.length ?? found.total ?? 0;
  const fold = (text: string): string => (caseInsensitive === true ? text.toLowerCase() : text);
  const wanted = fold(pattern);
  let left = Math.max(0, Number(limit) - before);
  const byFile = documents.flatMap((document) => {
    const matches: Match[] = [];
    for (const [at, line] of document.lines.entries()) {
      const column = left > 0 ? fold(line).indexOf(wanted) : -1;
      if (column < 0) continue;
      left -= 1;
      const page = pageOf(document, at + 1);
      const around = (from: number, to: number) => document.lines.slice(Math.max(0, from), to);
      matches.push({
        ...{ path: document.path, line: at + 1, column: column + 1, text: line },
        before: around(at - Number(input.before ?? 0), at),
        after: around(at + 1, at + 1 + Number(input.after ?? 0)),
        ...(page === undefined ? {} : { page }),
      });
    }
    return matches.length === 0 ? [] : [{ path: document.path, matches }];
  });
  if (byFile.length === 0) return output;
  const all = byFile.flatMap(({ matches }) => matches);
  const files = found.files + byFile.length;
  const counts = byFile.map(({ path, matches }) => ({ path, matches: matches.length }));
  const total = before + all.length;
  const content = {
    ...found,
    ...(found.matches === undefined ? {} : { matches: [...found.matches, ...all] }),
    ...(found.counts === undefined ? {} : { counts: [...found.counts, ...counts] }),
    ...(found.byFile === undefined
      ? {}
      : { total, byFile: [...found.byFile, ...byFile.map(toBlocks)] }),
    files,
  };
  return {
    content: JSON.stringify(content),
    summary: `${total} ${total === 1 ? 'match' : 'matches'} in ${files} ${files === 1 ? 'file' : 'files'}`,
  };
}

/** A block for each line. */
function toBlocks({ path, matches }: { path: string; matches: readonly Match[] }) {
  const blocks = matches.map(({ line, text, before, after, page }) => ({
    line: line - before.length,
    endLine: line + after.length,
    hits: [line],
    text: [...before, text, ...after].join('\n'),
    ...(page === undefined ? {} : { page }),
  }));
  return { path, matches: matches.length, blocks };
}
