import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { embedderFileName } from '../../../src/memory/static/load-embedder.ts';
import { fitRows, type SparseText } from './distill/fit-rows.ts';
import { openTeacher, type Teacher } from './distill/open-teacher.ts';
import { principalAxes } from './distill/principal-axes.ts';
import { readTexts } from './distill/read-texts.ts';
import { encodeEmbedderFile, packRows } from './write-embedder.ts';

/** The folder of the tables that ship. */
const tables = resolve(import.meta.dirname, '../../../src/memory/static');

const usage = `node tests/bench/embedder/distill.ts --teacher DIR --texts DIR [--texts DIR …] [--out FILE]
  --teacher     a sentence model: tokenizer.json (BERT, uncased), onnx/model_quantized.onnx, LICENSE
  --texts       folders of texts and code; only vectors are learned from them
  --out         default ${embedderFileName} in src/memory/static
  --runtime     folder in which onnxruntime-node is installed; default the current one
  --most        texts that are used (100000)
  --dimensions  of the vectors (256)
  --threads     (1)`;

/** Pieces of a text that the teacher sees. */
const maxPieces = 64;
const batchSize = 32;
/** Smooth inverse frequency: a piece weighs a / (a + its share of all pieces). */
const frequencyScale = 1e-3;
const pull = 30;
const steps = 12;

type Learned = { texts: SparseText[]; targets: Float32Array[]; share: Float64Array };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      teacher: { type: 'string' },
      texts: { type: 'string', multiple: true },
      out: { type: 'string', default: join(tables, embedderFileName) },
      runtime: { type: 'string', default: '.' },
      most: { type: 'string', default: '100000' },
      dimensions: { type: 'string', default: '256' },
      threads: { type: 'string', default: '1' },
    },
  });
  if (values.teacher === undefined || values.texts === undefined) {
    console.error(usage);
    return 2;
  }
  const teacher = await openTeacher(
    values.teacher,
    resolve(values.runtime),
    Number(values.threads),
  );
  const texts = readTexts(values.texts, Number(values.most));
  if (texts.length === 0) throw new Error(`no texts below ${values.texts.join(', ')}`);
  const rows = await firstRows(teacher);
  const learned = await learn(teacher, texts);
  fitRows(rows, learned.texts, learned.targets, {
    dimensions: teacher.dimensions,
    pull,
    steps,
    onStep: (step, left) => console.error(`step ${step}: ${left.toFixed(4)}`),
  });
  const axes = principalAxes(learned.targets, teacher.dimensions, Number(values.dimensions));
  const weight = (row: number) => weightOf(learned.share[row] as number);
  const packed = packRows(rows, teacher, axes, weight);
  const notice = noticeOf(values.teacher, texts.length);
  writeFileSync(
    values.out,
    encodeEmbedderFile({ ...packed, vocabulary: teacher.vocabulary.join('\n'), notice }),
  );
  console.error(`wrote ${values.out}`);
  return 0;
}

/** The state of each piece alone, at its own place, without what all have in common. */
async function firstRows(teacher: Teacher): Promise<Float32Array> {
  const { dimensions, vocabulary } = teacher;
  const rows = new Float32Array(vocabulary.length * dimensions);
  const mean = new Float64Array(dimensions);
  for (let from = 0; from < vocabulary.length; from += 512) {
    const batch = vocabulary.slice(from, from + 512).map((_, at) => [from + at]);
    for (const [at, states] of (await teacher.states(batch)).entries()) {
      const own = states[1] as Float32Array;
      rows.set(own, (from + at) * dimensions);
      for (let index = 0; index < dimensions; index += 1)
        mean[index] = (mean[index] as number) + (own[index] as number);
    }
  }
  for (let at = 0; at < rows.length; at += 1)
    rows[at] = (rows[at] as number) - (mean[at % dimensions] as number) / vocabulary.length;
  return rows;
}

async function learn(teacher: Teacher, texts: readonly string[]): Promise<Learned> {
  const pieces = texts.map((text) => teacher.tokenize(text).slice(0, maxPieces));
  // Texts of like length go together: what is filled up costs as much as what is read.
  pieces.sort((one, other) => one.length - other.length);
  const counts = new Float64Array(teacher.vocabulary.length);
  for (const ids of pieces) for (const id of ids) counts[id] = (counts[id] as number) + 1;
  const all = counts.reduce((sum, count) => sum + count, 0);
  const share = counts.map((count) => count / all);
  const targets: Float32Array[] = [];
  const startedMs = performance.now();
  for (let from = 0; from < pieces.length; from += batchSize) {
    for (const states of await teacher.states(pieces.slice(from, from + batchSize)))
      targets.push(meanOf(states));
    if (from % (batchSize * 200) === 0) {
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      console.error(`${from} of ${pieces.length} texts, ${seconds} s`);
    }
  }
  return { texts: pieces.map((ids) => toSparse(ids, share)), targets, share };
}

function meanOf(states: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array((states[0] as Float32Array).length);
  for (const state of states)
    for (let at = 0; at < mean.length; at += 1)
      mean[at] = (mean[at] as number) + (state[at] as number);
  const length = Math.hypot(...mean) || 1;
  return mean.map((value) => value / length);
}

function weightOf(share: number): number {
  return frequencyScale / (frequencyScale + share);
}

function toSparse(ids: readonly number[], share: Float64Array): SparseText {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const root = Math.sqrt(ids.length);
  return {
    pieces: Int32Array.from(counts.keys()),
    values: Float32Array.from(
      counts,
      ([id, count]) => (count * weightOf(share[id] as number)) / root,
    ),
  };
}

function noticeOf(teacher: string, texts: number): string {
  const licence = readFileSync(join(teacher, 'LICENSE'), 'utf8');
  return `A table of word-piece vectors, distilled from the sentence model ${basename(resolve(teacher))} over ${texts} short texts, of which nothing is contained. A derived work of the model and of its vocabulary (BERT, uncased, Apache-2.0); it may be passed on under the model's licence with this notice.\n\n${licence}`;
}

process.exitCode = await main();
