import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { maxSimReranker } from '../../src/memory/rerank/rerankers.ts';
import { vectorText } from '../../src/memory/texts.ts';
import { openSentenceModel } from '../../src/models/onnx/open-models.ts';
import { openVectorCache } from '../../src/store/open-vector-cache.ts';
import { unconfined as confine } from '../support/unconfined.ts';
import type { MemoryLine } from './memory-lines.ts';
import type { Collection } from './memory-sets.ts';

const { signal } = new AbortController();
const turns = 20;
const rounds = 15;
/** The reaches are for two threads; the product takes one core less than there is. */
const threads = 2;

/** Medians of what late interaction adds to a search, over turns of a conversation. */
export async function measureRerankTime(
  { rows, questions }: Collection,
  model: { name: string; folder: string },
): Promise<MemoryLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-rerank-'));
  try {
    const childPath = resolve(import.meta.dirname, '../../src/models/onnx/child.ts');
    await using sentences = await openSentenceModel({
      folder: model.folder,
      childPath,
      confine,
      threads,
    });
    using cache = openVectorCache(join(folder, 'vectors.db'));
    const reranker = maxSimReranker(sentences, cache, { deadlineMs: 60_000 });
    const pool = rows.slice(0, 32).map(({ record }) => record.context);
    const timed = async (round: number): Promise<number> => {
      const from = (round * turns) % Math.max(1, rows.length - turns);
      const texts = rows.slice(from, from + turns).map(({ record }) => vectorText(record));
      const startedMs = performance.now();
      await reranker.score(questions[round]?.text ?? 'when?', texts, { signal, pool });
      return performance.now() - startedMs;
    };
    await reranker.score('warm', ['up'], { signal, pool });
    const first: number[] = [];
    const kept: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      first.push(await timed(round));
      kept.push(await timed(round));
    }
    return [
      line(`rerank.${turns}-turns.${model.name}`, first, 180),
      line(`rerank.${turns}-turns-kept.${model.name}`, kept, 10),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function line(name: string, timesMs: readonly number[], mostMs: number): MemoryLine {
  const value = timesMs.toSorted((one, other) => one - other)[timesMs.length >> 1] ?? 0;
  return {
    name,
    value: Math.round(value * 10) / 10,
    unit: 'ms',
    runs: timesMs.length,
    reach: `<= ${mostMs}`,
    ok: value <= mostMs,
  };
}
