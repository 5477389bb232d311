import type { MemoryEmbedder, MemoryHit, Recalled } from '../../../src/contracts/memory.ts';
import { recalledHits } from '../../../src/memory/search/recalled-hits.ts';
import { openTold, toldProject } from './open-told.ts';
import { allNotes, type Half, readFactHalf, readUnanswered } from './read-pairs.ts';

/** How often the fact came first, and among three, of `of` questions. */
type Places = { first: number; three: number; of: number };

export type PairFigures = {
  search: Places;
  cosine: Places;
  /** facts that `ask` shows, under the first or either heading */
  ask: { sure: number; either: number; of: number };
  /** facts that `ask` shows, of those that a search has first */
  askFirst: number;
  /** questions without an answer that got one, under the first or either heading */
  unanswered: { sure: number; either: number; of: number };
};

/** What `ask` and a search look at, and what an answer shows at most. */
const searched = 32;
const shown = 3;
const { signal } = new AbortController();

/** Facts among 200 notes, asked for in other words; and questions that nothing answers. */
export async function measurePairs(
  half: Half,
  models: { embedder: MemoryEmbedder; meaning?: MemoryEmbedder },
): Promise<PairFigures> {
  await using told = await openTold(allNotes(), models);
  const search = async (text: string): Promise<MemoryHit[]> =>
    told.memory.search({ text, limit: searched, project: toldProject }, { signal });
  const pairs = readFactHalf(half);
  const found: { place: number; recalled: Recalled; fact: string }[] = [];
  for (const { fact, question } of pairs) {
    const hits = await search(question);
    const place = hits.findIndex(({ text }) => text === fact);
    found.push({ place, fact, recalled: recalledHits(hits, question, shown) });
  }
  const got: Recalled[] = [];
  const asked = readUnanswered(half);
  for (const { question } of asked) {
    got.push(recalledHits(await search(question), question, shown));
  }
  const holds = (hits: readonly MemoryHit[], fact: string) =>
    hits.some(({ text }) => text === fact);
  const isShown = ({ recalled, fact }: (typeof found)[number]) =>
    holds([...recalled.sure, ...recalled.perhaps], fact);
  const isSure = ({ recalled, fact }: (typeof found)[number]) => holds(recalled.sure, fact);
  return {
    search: placesOf(found.map(({ place }) => place)),
    cosine: placesOf(await cosinePlaces(half, models.meaning ?? models.embedder)),
    ask: {
      sure: found.filter(isSure).length,
      either: found.filter(isShown).length,
      of: pairs.length,
    },
    askFirst: found.filter((one) => one.place === 0 && isShown(one)).length,
    unanswered: {
      sure: got.filter(({ sure }) => sure.length > 0).length,
      either: got.filter(({ sure, perhaps }) => sure.length + perhaps.length > 0).length,
      of: asked.length,
    },
  };
}

/** The place of each fact by its cosine alone. */
async function cosinePlaces(half: Half, embedder: MemoryEmbedder): Promise<number[]> {
  const notes = allNotes();
  const pairs = readFactHalf(half);
  const vectors = await embedder.embed(notes, { signal });
  const questions = await embedder.embed(
    pairs.map(({ question }) => question),
    { signal, isQuery: true },
  );
  return pairs.map(({ fact }, at) => {
    const near = vectors.map((vector) => dot(vector, questions[at] as Float32Array));
    const own = near[notes.indexOf(fact)] as number;
    return near.filter((cosine) => cosine > own).length;
  });
}

function placesOf(places: readonly number[]): Places {
  const within = (count: number) => places.filter((place) => place >= 0 && place < count).length;
  return { first: within(1), three: within(3), of: places.length };
}

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] as number), 0);
}
