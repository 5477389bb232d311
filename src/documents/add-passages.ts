import type { JsonObject, ToolOutput } from '../contracts/tool.ts';
import { largest } from '../lib/numbers.ts';
import { parseContent } from '../lib/text/parse-json.ts';
import { stemWord } from '../lib/text/words.ts';
import { type FoundDocument, pageOf } from './document-lines.ts';

/** Lines of a passage. */
const windowLines = 12;
/** Passages of one document. */
const maxPassages = 3;
/** The least share of the question's words that a passage holds. */
const leastShare = 0.3;

type Passage = {
  path: string;
  line: number;
  endLine: number;
  text: string;
  score: number;
  hits: number[];
  page?: number;
};

type Findings = {
  passages: { path: string; score: number; text?: string }[];
  words?: unknown;
  total?: number;
  files?: { path: string; score: number; regions: { text: string }[] }[];
};

/**
 * The result of a search for passages with those of documents, each scored by the share of the
 * question's words that it holds beside the best passage of a file.
 */
export function addPassages(output: ToolOutput, documents: readonly FoundDocument[]): ToolOutput {
  const found = parseContent(output.content) as Findings;
  if (!Array.isArray(found?.passages) || !Array.isArray(found.words)) return output;
  const words = found.words.filter((word) => typeof word === 'string').map(stemWord);
  const shareOf = (text: string): number =>
    words.length === 0 ? 0 : heldBy(text, words).size / words.length;
  const best = found.passages.toSorted((one, other) => other.score - one.score)[0];
  const shareOfBest = best === undefined ? 0 : shareOf(String(best.text ?? ''));
  const unit = best === undefined || shareOfBest === 0 ? 1 : best.score / shareOfBest;
  const byDocument = documents.map((document) => ({
    document,
    passages: ofDocument(document, words).map((each) => ({ ...each, score: each.score * unit })),
  }));
  const added = byDocument.filter(({ passages }) => passages.length > 0);
  if (added.length === 0) return output;
  const passages = [...found.passages, ...added.flatMap((each) => each.passages)].toSorted(
    (one, other) => other.score - one.score,
  );
  const files = added.map(({ document: { path }, passages: own }) => ({
    path,
    score: largest(own.map(({ score }) => score)),
    regions: own.map(({ text }) => ({ text })),
  }));
  const content = {
    ...found,
    passages,
    total: (found.total ?? found.passages.length) + passages.length - found.passages.length,
    ...(found.files === undefined ? {} : { files: [...found.files, ...files] }),
  };
  const shown = new Set(passages.map(({ path }) => path)).size;
  const amount = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`;
  return {
    content: JSON.stringify(content),
    summary: `${amount(passages.length, 'passage')} in ${amount(shown, 'file')}`,
  };
}

/** By the words that ask for more than the document itself: `spec.pdf` names it. Else by all of them. */
function ofDocument(document: FoundDocument, words: readonly string[]): Passage[] {
  const named = heldBy(document.path, words);
  const others = words.filter((word) => !named.has(word));
  const found = others.length === 0 ? [] : passagesOf(document, others);
  return found.length > 0 ? found : passagesOf(document, words, named);
}

/** The stretches of lines that hold the most of the words, none twice, best first. */
function passagesOf(
  document: FoundDocument,
  words: readonly string[],
  named: ReadonlySet<string> = new Set(),
): Passage[] {
  const held = document.lines.map((line) => heldBy(line, words));
  const hits = held.flatMap(({ size }, at) => (size > 0 ? [at] : []));
  // A passage does not go over a page.
  const pages = document.pages ?? [];
  const starts = hits.map((at) => {
    const page = pageOf(document, at + 1) ?? 0;
    const end = Math.min(
      at + windowLines,
      held.length,
      (pages[page] ?? Number.POSITIVE_INFINITY) - 1,
    );
    const inside = new Set(named);
    for (const line of held.slice(at, end)) for (const word of line) inside.add(word);
    // A line above says what the words belong to.
    return { at, end, first: Math.max(at - 1, (pages[page - 1] ?? 1) - 1, 0), inside };
  });
  const chosen: typeof starts = [];
  for (const start of starts.toSorted((one, other) => other.inside.size - one.inside.size)) {
    if (chosen.length === maxPassages || start.inside.size / words.length < leastShare) break;
    if (chosen.every(({ at }) => Math.abs(at - start.at) >= windowLines)) chosen.push(start);
  }
  return chosen.map(({ at, end, first, inside }) => {
    const text = document.lines.slice(first, end).join('\n').trimEnd();
    const page = pageOf(document, at + 1);
    return {
      ...{ path: document.path, line: first + 1, text, score: inside.size / words.length },
      endLine: first + text.split('\n').length,
      hits: hits.filter((hit) => hit >= first && hit < end).map((hit) => hit + 1),
      ...(page === undefined ? {} : { page }),
    };
  });
}

/** Which of the words a text holds, each in any of its endings. */
function heldBy(text: string, words: readonly string[]): Set<string> {
  const own = new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord));
  return new Set(words.filter((word) => own.has(word)));
}

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
