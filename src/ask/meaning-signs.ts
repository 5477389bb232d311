import type { Likeness } from '../contracts/likeness.ts';
import { cutBlocks } from './cut-blocks.ts';
import { definedNames } from './defined-names.ts';
import type { WideFile } from './rank-files.ts';

/** How alike a file is to a question, in several ways; none below 0. */
export type MeaningSigns = {
  /** the blocks that are most alike: one alone says less */
  blocks: number;
  /** the first names together: what the file is about */
  outline: number;
  /** how near one block comes to each of the question's words */
  nearest: number;
};

const blocksCounted = 3;
/** Names that are looked at together. */
const outlineNames = 60;

/** To the question as it was asked, and to each of its words alone, the rare ones more. */
export type Likenesses = { asked: Likeness; nearest: Likeness };

export function meaningSigns({ regions }: WideFile, { asked, nearest }: Likenesses): MeaningSigns {
  // A block is asked for both at once: its words are then taken apart once.
  const blocks = regions
    .flatMap(({ text }) => cutBlocks(text))
    .map((block) => ({ asked: asked(block), nearest: nearest(block) }));
  const text = regions.map((region) => region.text).join('\n');
  const names = definedNames(text, outlineNames);
  return {
    blocks: meanOfBest(
      blocks.map((block) => block.asked),
      blocksCounted,
    ),
    outline: names.length === 0 ? 0 : Math.max(0, asked(names.join(' '))),
    nearest: Math.max(0, ...blocks.map((block) => block.nearest)),
  };
}

/** What is missing to so many counts as 0. */
function meanOfBest(values: readonly number[], count: number): number {
  const best = values.toSorted((left, right) => right - left).slice(0, count);
  return Math.max(0, best.reduce((sum, one) => sum + one, 0) / count);
}
