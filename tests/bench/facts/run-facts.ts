import { basename, dirname } from 'node:path';
import type { MemoryEmbedder } from '../../../src/contracts/memory.ts';
import { measureFacts, ways } from '../facts-measure.ts';
import type { MemoryLine } from '../memory-lines.ts';
import { type BenchModels, findSentenceModel } from '../memory-models.ts';
import { measurePairs, type PairFigures } from './measure-pairs.ts';
import type { Half } from './read-pairs.ts';

type Bounds = { first: number; three: number };

const minilm = 'all-MiniLM-L6-v2';
/** Without a sentence model, and with one beside the table. */
const bounds = {
  static: { first: 0.25, three: 0.45 },
  [minilm]: { first: 0.48, three: 0.7 },
} satisfies Record<string, Bounds>;
/** `ask` shows at least these shares of what a search has first, and among its first three. */
const leastOfSearch = { first: 0.9, three: 0.75 };
/** Of 40 questions that nothing answers; half of them are on subjects of facts. */
const mostSure = 3;
const mostEither = 26;

/**
 * Facts that are asked for in other words, questions without an answer, and facts that move: as
 * lines, once with the table of word vectors alone and once with a sentence model beside it.
 */
export async function runFacts(models: BenchModels): Promise<MemoryLine[]> {
  const lines: MemoryLine[] = [];
  const table = await models.embedder('static');
  lines.push(...(await linesOf('static', { embedder: table }, bounds.static)));
  const folder = findSentenceModel(minilm);
  if (folder === undefined) {
    console.error(`skipped: there is no ${minilm}; name its folder with CUERVO_TEST_MODELS=DIR`);
    return lines;
  }
  const beside = { embedder: table, meaning: await models.embedder(minilm) };
  lines.push(...(await linesOf(minilm, beside, bounds[minilm], folder)));
  return lines;
}

async function linesOf(
  name: string,
  models: { embedder: MemoryEmbedder; meaning?: MemoryEmbedder },
  reaches: Bounds,
  folder?: string,
): Promise<MemoryLine[]> {
  const line = (
    what: string,
    value: number,
    of: number,
    reach?: string,
    ok = true,
  ): MemoryLine => ({
    name: `facts.${what}.${name}`,
    value,
    unit: what.includes('@') || what.startsWith('ask') ? 'share' : 'count',
    runs: of,
    reach: reach ?? 'reported',
    ok,
  });
  const least = (what: string, value: number, of: number, bound: number) =>
    line(what, value, of, `>= ${bound}`, value >= bound);
  const bounded = (half: Half, at: string, value: number, of: number, bound: number) =>
    half === 'report'
      ? least(`${half}.search${at}`, value, of, bound)
      : line(`${half}.search${at}`, value, of);
  const most = (what: string, value: number, of: number, bound: number) =>
    line(what, value, of, `<= ${bound}`, value <= bound);
  const halves: [Half, PairFigures][] = [];
  for (const half of ['tune', 'report'] as const) {
    console.error(`${name}: facts in other words, ${half} …`);
    halves.push([half, await measurePairs(half, models)]);
  }
  const shares = halves.flatMap(([half, { search, cosine }]) => [
    bounded(half, '@1', search.first / search.of, search.of, reaches.first),
    bounded(half, '@3', search.three / search.of, search.of, reaches.three),
    line(`${half}.cosine@1`, cosine.first / cosine.of, cosine.of),
    line(`${half}.cosine@3`, cosine.three / cosine.of, cosine.of),
  ]);
  const sum = (pick: (figures: PairFigures) => number) =>
    halves.reduce((all, [, figures]) => all + pick(figures), 0);
  const first = sum(({ search }) => search.first);
  const shownFirst = sum(({ askFirst }) => askFirst) / Math.max(1, first);
  const found = sum(({ search }) => search.three);
  const shown = sum(({ ask }) => ask.either) / Math.max(1, found);
  const ownCosine = (['first', 'three'] as const).every(
    (place) => sum(({ search }) => search[place]) >= sum(({ cosine }) => cosine[place]),
  );
  console.error(`${name}: facts that move …`);
  const moved = await measureFacts(folder === undefined ? {} : { models: modelsOf(folder) });
  for (const failure of moved.failures) console.error(`  ${failure}`);
  return [
    ...shares,
    line('search-over-cosine', Number(ownCosine), 1, '>= 1', ownCosine),
    line('ask-sure', sum(({ ask }) => ask.sure) / 60, 60),
    line('ask-either', sum(({ ask }) => ask.either) / 60, 60),
    least('ask-of-search@1', shownFirst, first, leastOfSearch.first),
    least('ask-of-search@3', shown, found, leastOfSearch.three),
    most(
      'unanswered-sure',
      sum(({ unanswered }) => unanswered.sure),
      40,
      mostSure,
    ),
    most(
      'unanswered-either',
      sum(({ unanswered }) => unanswered.either),
      40,
      mostEither,
    ),
    ...ways.map((way) =>
      // "no, it is at 10" names nothing that a search could put first without an answer
      least(`corrections.${way}`, moved.corrections[way], 40, way === 'unasked' ? 30 : 40),
    ),
    most('wrongly-ended', moved.wronglyEnded, 40, 0),
    most('kept-wrongly', moved.keptWrongly, 120, 0),
    most('replaced-wrongly', moved.replacedWrongly, 40, 0),
  ];
}

/** The folder that holds the model's: as `CUERVO_HOME/models` it offers the first by name. */
function modelsOf(folder: string): string {
  return basename(folder) === minilm ? dirname(folder) : folder;
}
