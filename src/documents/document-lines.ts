import { KernelError } from '../contracts/error.ts';
import type { JsonObject, ToolOutput } from '../contracts/tool.ts';

/** The text of a document, in lines. */
export type DocumentText = {
  lines: readonly string[];
  /** the first line of each page, 1-based; undefined where the document does not know its pages */
  pages: readonly number[] | undefined;
  /** the rest of a very long document was left out */
  isCut: boolean;
};

export type FoundDocument = DocumentText & {
  /** relative to the workspace */
  path: string;
};

/** The page that a line stands on. */
export function pageOf({ pages }: Pick<DocumentText, 'pages'>, line: number): number | undefined {
  if (pages === undefined) return undefined;
  return Math.max(1, pages.findLastIndex((first) => first <= line) + 1);
}

/** As `file.read` shows at most. */
const maxLines = 2000;
const maxCharacters = 200_000;

/**
 * Lines of a document as `file.read` gives those of a text, with the lines that its pages
 * begin at.
 *
 * @param input of `file.read`
 * @throws {KernelError} `invalid-argument` for lines that it does not have
 */
export function readLines(document: FoundDocument, input: JsonObject): ToolOutput {
  const { path, lines } = document;
  const total = lines.length;
  const number = (name: string): number | undefined =>
    typeof input[name] === 'number' ? input[name] : undefined;
  const [around, last] = [number('around'), number('last')];
  const start =
    number('start') ??
    (last === undefined ? undefined : Math.max(1, total - last + 1)) ??
    (around === undefined ? 1 : Math.max(1, around - 10));
  const wanted = Math.min(total, number('end') ?? (around === undefined ? total : around + 20));
  if (start > total || start > wanted) {
    const detail = `file.read: ${JSON.stringify(path)} has ${total} lines as a text, and lines ${start} to ${wanted} were asked for`;
    throw new KernelError('invalid-argument', detail);
  }
  const kept: string[] = [];
  let characters = 0;
  for (let line = start; line <= wanted && kept.length < maxLines; line += 1) {
    const text = lines[line - 1] ?? '';
    characters += text.length + 1;
    if (characters > maxCharacters && kept.length > 0) break;
    kept.push((input.numbered === true ? `${line}: ${text}` : text).slice(0, maxCharacters));
  }
  const end = start + kept.length - 1;
  const left = `lines ${end + 1} to ${wanted} are left out; go on with start ${end + 1}`;
  const cut = document.isCut ? 'the rest of the document is left out' : undefined;
  const truncated = end < wanted ? left : cut;
  const page = pageOf(document, start);
  const { pages } = document;
  const isOne = page !== undefined && page === pageOf(document, end);
  const content = {
    ...{ path, start, end, totalLines: total, lines: kept.join('\n') },
    ...(isOne ? { page } : {}),
    ...(pages === undefined ? {} : { pages }),
    ...(truncated === undefined ? {} : { truncated }),
  };
  const place = pages === undefined ? '' : `, page ${page} of ${pages.length}`;
  return {
    content: JSON.stringify(content),
    summary: `${path}: lines ${start} to ${end} of ${total}${place}`,
  };
}
