import type { RankedFile } from './ranked-file.ts';
import type { FileText } from './read-hits.ts';
import { tuning } from './tuning.ts';

/** Lines of a file that were scored, as they stand there. */
export type Region = {
  /** 1-based */
  line: number;
  text: string;
};

/** What a later ranking may look at; `score` as far as words go. */
export type ScoredFile = {
  path: string;
  score: number;
  regions: Region[];
};

/** Limit for one file, so that all together stay well below theirs, in any script. */
const maxCharacters = 18_000;
const maxBytes = 22_000;

/**
 * A whole file if it is short, because parts without the words may say what it is about; else its
 * best windows, merged where they touch, in the order of the file.
 */
export function regionsOf(file: RankedFile): ScoredFile {
  const { path, score, text } = file;
  if (text === undefined) return { path, score, regions: [] };
  const regions = cutRegions(file, text, maxCharacters);
  const bytes = bytesOf(regions);
  const characters = regions.reduce((sum, region) => sum + region.text.length, 0);
  const fitting =
    bytes <= maxBytes
      ? regions
      : cutRegions(file, text, Math.floor((characters * maxBytes) / bytes));
  return { path, score, regions: fitting };
}

/** As JSON in UTF-8, at most: a character beyond ASCII counts three. */
function bytesOf(regions: readonly Region[]): number {
  const json = JSON.stringify(regions);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  return json.length + 2 * (json.match(/[^\x00-\x7f]/g)?.length ?? 0);
}

function cutRegions({ windows }: RankedFile, text: FileText, characters: number): Region[] {
  if (text.text.length <= characters) return [{ line: 1, text: text.text }];
  const regions: Region[] = [];
  let room = characters;
  let end = 0;
  for (const { line } of windows.toSorted((left, right) => left.line - right.line)) {
    const from = Math.max(line - 1, end);
    const to = Math.min(line - 1 + tuning.windowLines, text.starts.length);
    if (from >= to || room <= 0) continue;
    const lines = text.text.slice(text.starts[from], text.starts[to]).slice(0, room).toWellFormed();
    room -= lines.length;
    const last = regions.at(-1);
    if (last !== undefined && from === end) last.text += lines;
    else regions.push({ line: from + 1, text: lines });
    end = to;
  }
  return regions;
}
