import type { Likenesses } from '../contracts/embedder.ts';
import { largest } from '../lib/numbers.ts';
import { cutBlocks } from './cut-blocks.ts';
import { definedNames } from './defined-names.ts';
import type { WideFile } from './wide-file.ts';

/** How alike a file is to a question, in several ways; none below 0. */
export type MeaningSigns = {
  /** the blocks that are most alike: one alone says less */
  blocks: number;
  /** the first names together: what the file is about */
  outline: number;
  /** the mean nearness to the question's words, for one block together with the file's outline */
  nearest: number;
};

const blocksCounted = 3;
/** Names that are looked at together. */
const outlineNames = 60;
/** The description of a file: its path, some names it defines and its first lines. */
const headNames = 12;
const headLines = 15;
/** Import lines say nothing about the file. */
const importing = /^\s*(?:import|from|use |package|\} from)\b/;

export function meaningSigns(
  { path, regions }: WideFile,
  { asked, nearest }: Likenesses,
): MeaningSigns {
  const text = regions.map((region) => region.text).join('\n');
  const names = definedNames(text, outlineNames);
  const head = nearest([path, ...names.slice(0, headNames), firstLines(text)].join('\n'));
  // A block is asked for both at once: its words are then taken apart once.
  const blocks = regions
    .flatMap((region) => cutBlocks(region.text))
    .map((block) => ({ asked: asked(block), nearest: meanOfLarger(nearest(block), head) }));
  return {
    blocks: meanOfBest(
      blocks.map((block) => block.asked),
      blocksCounted,
    ),
    outline: names.length === 0 ? 0 : Math.max(0, asked(names.join(' '))),
    nearest: largest(
      blocks.map((block) => block.nearest),
      0,
    ),
  };
}

function firstLines(text: string): string {
  const own = text.split('\n').filter((line) => !importing.test(line));
  return own.slice(0, headLines).join('\n');
}

/** The mean over all words of the larger value: a block or the outline may match a word. */
function meanOfLarger(left: readonly number[], right: readonly number[]): number {
  const sum = left.reduce((total, one, at) => total + Math.max(one, right[at] ?? 0), 0);
  return sum / Math.max(1, left.length);
}

/** A list shorter than this is filled with 0. */
function meanOfBest(values: readonly number[], count: number): number {
  const best = values.toSorted((left, right) => right - left).slice(0, count);
  return Math.max(0, best.reduce((sum, one) => sum + one, 0) / count);
}
