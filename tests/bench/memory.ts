import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { MemoryEmbedder, MemoryReranker } from '../../src/contracts/memory.ts';
import type { BenchLine } from './bench-line.ts';
import { runFacts } from './facts/run-facts.ts';
import { formatTable } from './format-table.ts';
import { type MemoryLine, memoryLines } from './memory-lines.ts';
import { measureCollection } from './memory-measure.ts';
import {
  type BenchModels,
  findSentenceModel,
  openBenchModels,
  sentenceModels,
} from './memory-models.ts';
import { measureRerankTime } from './memory-rerank-time.ts';
import { readSets } from './memory-sets.ts';
import { measureRebuild } from './scale/measure-rebuild.ts';
import { defaultRows, runScale } from './scale/run-scale.ts';

const usage = `npm run bench:memory -- [--json] [--check] [--data DIR] [--embedder NAME]… [--tune]
       npm run bench:memory -- --facts [--json] [--check]
       npm run bench:memory -- --rebuild [--rows N] [--json] [--check]
       npm run bench:memory -- --scale [--rows N]… [--keep DIR] [--json] [--check]
  --data      folder whose folders hold texts with questions; default ../shared/data
  --embedder  only this one: static, or a sentence model's folder, by its name in
              CUERVO_TEST_MODELS (default ../shared/models) or as a path; vectors are kept in the
              folder for temporary files, so that a second run is quick
  --facts     facts that are asked for in other words, questions without an answer, and facts
              that are corrected, instead
  --rebuild   time to make the tables of 100,000 rows anew, and searches meanwhile, instead
  --scale     speed and size instead, over made rows: 5,000, 20,000 and 50,000, or as many as
              --rows N says, once for each size; 1000000 takes some ten minutes and 4 GB
  --keep      folder in which made tables stay; those that are there are measured as they are
  --tune      also the shares of the vectors from 0 to 1
  --json      one object a line instead of a table
  --check     exit 1 when a figure is out of reach`;

const root = resolve(import.meta.dirname, '../..');
/** Candidates that late interaction looks at. */
const depths = [10, 20] as const;
const shares = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1];

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      tune: { type: 'boolean', default: false },
      facts: { type: 'boolean', default: false },
      scale: { type: 'boolean', default: false },
      rebuild: { type: 'boolean', default: false },
      rows: { type: 'string', multiple: true },
      keep: { type: 'string' },
      data: { type: 'string' },
      embedder: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.scale) {
    const rows = values.rows?.map(Number) ?? defaultRows;
    if (!rows.every((count) => Number.isInteger(count) && count >= 100)) {
      console.error(`--rows takes whole numbers from 100\n${usage}`);
      return 2;
    }
    const { ok } = await runScale({ rows, json: values.json, keep: values.keep });
    return values.check && !ok ? 1 : 0;
  }
  if (values.rebuild) {
    const made: BenchLine[] = [];
    for (const rows of values.rows?.map(Number) ?? [100_000]) {
      made.push(...(await measureRebuild(rows)));
    }
    if (values.json) for (const line of made) console.log(JSON.stringify(line));
    else console.log(formatTable(made));
    return values.check && made.some(({ ok }) => !ok) ? 1 : 0;
  }
  if (values.facts) {
    await using models = openBenchModels();
    const lines = await runFacts(models);
    if (values.json) for (const line of lines) console.log(JSON.stringify(line));
    else console.log(formatLines(lines));
    return values.check && lines.some(({ ok }) => !ok) ? 1 : 0;
  }
  const embedders = values.embedder ?? ['static', ...sentenceModels.filter(isThere)];
  const unknown = embedders.find((name) => name !== 'static' && !isThere(name));
  if (unknown !== undefined) {
    console.error(`there is no embedder "${unknown}"\n${usage}`);
    return 2;
  }
  const directory = resolve(values.data ?? join(root, '../shared/data'));
  const sets = readSets(directory);
  if (sets.length === 0) {
    console.error(
      `skipped: no texts with questions in ${directory}; name a folder with --data DIR`,
    );
    return 0;
  }
  await using models = openBenchModels();
  const lines: MemoryLine[] = [];
  for (const name of embedders) {
    const embedder = await models.embedder(name);
    const { rerankers, meanings } = await rerankersFor(name, models);
    const options = { rerankers, meanings, ...(values.tune ? { alphas: shares } : {}) };
    for (const { name: set, collections } of sets) {
      const measured = [];
      for (const [at, collection] of collections.entries()) {
        console.error(`${name}: ${set} ${at + 1}/${collections.length} …`);
        measured.push(await measureCollection(collection, embedder, options));
      }
      // words alone do not depend on the embedder
      const found = memoryLines(set, name, measured).filter(
        (line) => !lines.some((said) => said.name === line.name),
      );
      lines.push(...found);
      if (values.json) for (const line of found) console.log(JSON.stringify(line));
    }
  }
  const conversation = sets
    .flatMap(({ collections }) => collections)
    .find(({ rows }) => rows[0]?.record.layer === 'interact');
  for (const name of embedders) {
    const folder = findSentenceModel(name);
    if (folder === undefined || conversation === undefined) continue;
    const found = await measureRerankTime(conversation, { name, folder });
    lines.push(...found);
    if (values.json) for (const line of found) console.log(JSON.stringify(line));
  }
  if (!values.json) console.log(formatLines(lines));
  return values.check && lines.some(({ ok }) => !ok) ? 1 : 0;
}

function isThere(name: string): boolean {
  return findSentenceModel(name) !== undefined;
}

/** By every model over static vectors, beside which its own stand; else by the model itself. */
async function rerankersFor(
  embedder: string,
  models: BenchModels,
): Promise<{
  rerankers: Map<string, MemoryReranker>;
  meanings: Map<string, MemoryEmbedder>;
}> {
  const rerankers = new Map<string, MemoryReranker>();
  const meanings = new Map<string, MemoryEmbedder>();
  for (const model of embedder === 'static' ? sentenceModels : [embedder]) {
    for (const depth of depths) {
      const reranker = await models.reranker(model, depth);
      if (reranker === undefined) continue;
      const arm = `fused+maxsim${depth}.${model}`;
      rerankers.set(arm, reranker);
      if (embedder === 'static') meanings.set(arm, await models.embedder(model));
    }
  }
  return { rerankers, meanings };
}

function formatLines(lines: readonly MemoryLine[]): string {
  const widest = Math.max(...lines.map(({ name }) => name.length));
  const rows = lines.map(({ name, value, unit, runs, reach, ok }) =>
    [
      name.padEnd(widest),
      formatValue(value, unit),
      `of ${runs}`.padEnd(7),
      reach.padEnd(8),
      reach === 'reported' ? '' : ok ? 'ok' : 'OUT',
    ]
      .join('  ')
      .trimEnd(),
  );
  return rows.join('\n');
}

function formatValue(value: number, unit: string): string {
  if (unit === 'ms') return value.toFixed(1).padStart(6);
  return unit === 'count' ? String(value).padStart(6) : value.toFixed(4);
}

process.exitCode = await main();
