import { splitLines } from '../lib/text/decode-text.ts';
import { cutText } from './texts.ts';

/** A piece of a document, with the lines it stands in. */
export type Chunk = {
  text: string;
  /** from 1; both belong to it */
  startLine: number;
  endLine: number;
  /** headings above it, outermost first; only in Markdown */
  headings: readonly string[];
};

export type DocumentKind = 'markdown' | 'code' | 'text';

/** About as much as a person reads at once, and as much of a text as an embedder uses. */
const maxLines = 40;
const maxCharacters = 1_600;
/** A smaller piece says too little to be found by. */
const minCharacters = 200;

/**
 * Cuts a document where its structure does: Markdown at headings, code before a line at the left
 * margin, and every kind at a blank line if there is one. A line longer than a chunk is cut into
 * several that name the same line. Blank lines at the ends belong to no chunk.
 */
export function chunkText(document: string, kind: DocumentKind): Chunk[] {
  const lines = splitLines(document);
  const chunks: Chunk[] = [];
  const headings: { depth: number; title: string }[] = [];
  let open: { from: number; lines: string[]; characters: number; headings: string[] } = fresh(0);
  let fenced = false;

  function fresh(from: number): typeof open {
    return { from, lines: [], characters: 0, headings: headings.map(({ title }) => title) };
  }
  const close = (): void => {
    addChunk(chunks, open);
    open = fresh(open.from + open.lines.length);
  };

  for (const [at, line] of lines.entries()) {
    if (kind === 'markdown' && /^\s{0,3}(```|~~~)/.test(line)) fenced = !fenced;
    const heading = kind === 'markdown' && !fenced ? /^(#{1,6})\s+(.+?)\s*#*$/.exec(line) : null;
    if (heading !== null) {
      close();
      const depth = (heading[1] as string).length;
      while ((headings.at(-1)?.depth ?? 0) >= depth) headings.pop();
      headings.push({ depth, title: heading[2] as string });
      open = fresh(at);
    } else if (open.characters >= minCharacters && beginsBlock(kind, lines, at)) {
      if (open.lines.length >= maxLines / 2 || open.characters >= maxCharacters / 2) close();
    }
    if (open.lines.length >= maxLines || open.characters + line.length > maxCharacters) {
      splitAtBest(kind);
    }
    open.lines.push(line);
    open.characters += line.length + 1;
  }
  close();
  return chunks;

  /** Cuts the open chunk before the best line for a new one; the rest stays open. */
  function splitAtBest(of: DocumentKind): void {
    const count = open.lines.length;
    let best = count;
    for (let at = count - 1; at > count / 2; at -= 1) {
      if (beginsBlock(of, lines, open.from + at)) {
        best = at;
        break;
      }
    }
    const rest = open.lines.slice(best);
    open.lines = open.lines.slice(0, best);
    close();
    open.lines = rest;
    open.characters = rest.reduce((sum, line) => sum + line.length + 1, 0);
  }
}

/** Whether a new block begins at this line. */
function beginsBlock(kind: DocumentKind, lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  const isAfterBlank = (lines[at - 1] ?? '').trim() === '';
  if (line.trim() === '' || !isAfterBlank) return false;
  return kind !== 'code' || /^\S/.test(line);
}

function addChunk(
  chunks: Chunk[],
  { from, lines, headings }: { from: number; lines: readonly string[]; headings: string[] },
): void {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1) return;
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const startLine = from + first + 1;
  const endLine = from + last + 1;
  const text = lines.slice(first, last + 1).join('\n');
  if (text.length <= 2 * maxCharacters) {
    chunks.push({ text, startLine, endLine, headings });
    return;
  }
  // a single line, or a few lines, that were never wrapped
  for (let rest = text; rest !== ''; ) {
    const part = cutText(rest, maxCharacters);
    rest = rest.slice(part.length);
    if (part.trim() !== '') chunks.push({ text: part, startLine, endLine, headings });
  }
}

const codeEndings =
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|c|cc|cpp|h|hpp|cs|rb|php|swift|scala|sh|sql|lua|zig|wit|proto|ex|exs|hs|ml|clj|vue|svelte)$/i;

export function documentKind(name: string): DocumentKind {
  if (/\.(?:md|mdx|markdown)$/i.test(name)) return 'markdown';
  return codeEndings.test(name) ? 'code' : 'text';
}
