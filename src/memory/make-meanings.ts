import type { MemoryEmbedder, MemoryRow } from '../contracts/memory.ts';
import type { MemoryRows } from '../contracts/memory-store.ts';
import { vectorText } from './texts.ts';

const batchRows = 32;
const pageRows = 500;
/** How many of the newest and oldest rows are checked for missing vectors. */
const sampleRows = 200;

type Ports = {
  book: Pick<MemoryRows, 'said'>;
  meaning(): Promise<MemoryEmbedder | undefined>;
};

/**
 * Makes the vectors of a sentence model for what was said, the newest first, so that searches find
 * them made. An interruption keeps what there is.
 *
 * @param options.limit the most vectors that are made
 * @returns how many were made, and by which model; undefined where there is no such model
 */
export async function makeMeanings(
  { book, meaning }: Ports,
  { signal, limit = Number.POSITIVE_INFINITY }: { signal: AbortSignal; limit?: number },
): Promise<{ made: number; model: string } | undefined> {
  const use = await meaning();
  if (use?.kept === undefined) return undefined;
  let made = 0;
  for (let offset = 0; ; offset += pageRows) {
    const page = book.said({ order: 'newest', offset, limit: pageRows });
    const missing = textsWithout(use, page);
    for (let at = 0; at < missing.length && made < limit; at += batchRows) {
      signal.throwIfAborted();
      const batch = missing.slice(at, at + Math.min(batchRows, limit - made));
      await use.embed(batch, { signal });
      made += batch.length;
    }
    if (page.length < pageRows || made >= limit) return { made, model: use.name };
  }
}

/**
 * How many rows lack a vector, among the newest ones and else among the oldest; looking at all rows
 * would cost too much.
 */
export async function missingMeanings({ book, meaning }: Ports): Promise<number> {
  // No error here where the model cannot be opened: searches report that.
  const use = await meaning().catch(() => undefined);
  if (use?.kept === undefined) return 0;
  const newest = book.said({ order: 'newest', offset: 0, limit: sampleRows });
  const missing = textsWithout(use, newest).length;
  if (missing > 0 || newest.length < sampleRows) return missing;
  return textsWithout(use, book.said({ order: 'oldest', offset: 0, limit: sampleRows })).length;
}

function textsWithout(use: MemoryEmbedder, rows: readonly MemoryRow[]): string[] {
  const texts = [...new Set(rows.map(({ record }) => vectorText(record)))];
  const kept = use.kept?.(texts) ?? [];
  return texts.filter((_, at) => kept[at] === undefined);
}
