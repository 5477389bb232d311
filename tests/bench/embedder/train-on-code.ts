import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeEmbedderFile, type EmbedderFile } from '../../../src/memory/static/embedder-file.ts';
import {
  codeEmbedderFileName,
  createTokenizer,
  embedderFileName,
} from '../../../src/memory/static/load-embedder.ts';
import { plainCode } from '../../../src/memory/texts.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { readComments, readPairs } from './contrast/read-pairs.ts';
import type { PieceCounts } from './contrast/train-batch.ts';
import { type PairPieces, trainRows } from './contrast/train-rows.ts';
import { principalAxes } from './distill/principal-axes.ts';
import { encodeEmbedderFile, packRows } from './write-embedder.ts';

/** The folder of the tables that ship. */
const tables = resolve(import.meta.dirname, '../../../src/memory/static');

const usage = `node tests/bench/embedder/train-on-code.ts --sources DIR [--out FILE]
  Trains a table of word vectors further, so that a comment is near the code it stands at.
  --sources     a folder whose folders are packages, with their sources; only vectors are learned
  --apart       folders whose comments are not learned: what the table is measured on
  --from        the table to begin with; default ${embedderFileName} in src/memory/static
  --out         default ${codeEmbedderFileName} in src/memory/static
  --most        pairs of one package (1500)
  --rounds      how often each pair is shown (2)
  --dimensions  of the vectors (192)
  --seed        of the order of pairs (1)`;

/** Pieces of code that are read: behind them a block of `ask` has ended, too. */
const maxCodePieces = 400;
const stepsShown = 100;
/** Beginnings of questions. One stands before each comment, so that none tells comments apart. */
const phrases = [
  ...['', 'where is it?', 'where does it?', 'how does it work?', 'how is it done?'],
  ...['which function?', 'which file?', 'which class does it?', 'which part of the code?'],
  ...['what happens when?', 'what decides whether?', 'what is responsible for?', 'what code?'],
  ...['where is the code that?', 'where is the logic for?', 'where are they?', 'when is it?'],
  ...[
    'how do we?',
    'how can i?',
    'why does it?',
    'who calls it?',
    'show me the',
    'find the code for',
  ],
];

function main(): number {
  const { values } = parseArgs({
    options: {
      sources: { type: 'string' },
      apart: { type: 'string', multiple: true, default: [] },
      from: { type: 'string', default: join(tables, embedderFileName) },
      out: { type: 'string', default: join(tables, codeEmbedderFileName) },
      most: { type: 'string', default: '1500' },
      rounds: { type: 'string', default: '2' },
      dimensions: { type: 'string', default: '192' },
      seed: { type: 'string', default: '1' },
    },
  });
  if (values.sources === undefined) {
    console.error(usage);
    return 2;
  }
  const table = decodeEmbedderFile(readFileSync(values.from));
  const [most, rounds, wanted, seed] = [
    values.most,
    values.rounds,
    values.dimensions,
    values.seed,
  ].map(toCount) as [number, number, number, number];
  const apart = new Set(values.apart.flatMap(readComments));
  const packages = piecesOf(readPairs(values.sources, { most, apart }), table);
  const count = packages.reduce((sum, { length }) => sum + length, 0);
  if (count === 0) throw new Error(`no comments with code below ${values.sources}`);
  console.error(`${count} comments of ${packages.length} packages`);
  const { dimensions } = table;
  const tokenize = createTokenizer(table.vocabulary);
  const rows = unpackRows(table);
  let [done, loss] = [0, 0];
  trainRows(rows, packages, rarityOf(packages, table.rows), {
    dimensions,
    rounds,
    phrases: phrases.map((phrase) => countPieces(tokenize(phrase))),
    random: seededRandom(seed),
    onStep: (step, steps, own) => {
      done = step + 1;
      loss += own / stepsShown;
      if (done % stepsShown > 0) return;
      console.error(`step ${done} of ${steps}: ${loss.toFixed(3)}`);
      loss = 0;
    },
  });
  if (done === 0) throw new Error('too few comments in each package: nothing was learned');
  const vocabulary = table.vocabulary.split('\n');
  const list = vocabulary.map((_, row) => rows.subarray(row * dimensions, (row + 1) * dimensions));
  const axes = principalAxes(list, dimensions, wanted);
  const packed = packRows(rows, { vocabulary, dimensions }, axes);
  const notice = `Trained further on ${count} comments and the code they stand at, of ${packages.length} packages, of which nothing is contained. Before that:\n${table.notice}`;
  writeFileSync(
    values.out,
    encodeEmbedderFile({ ...packed, vocabulary: table.vocabulary, notice }),
  );
  console.error(`wrote ${values.out}`);
  return 0;
}

function toCount(value: string): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`"${value}" is not a whole number above 0`);
  return count;
}

function piecesOf(
  packages: ReturnType<typeof readPairs>,
  { vocabulary }: EmbedderFile,
): PairPieces[][] {
  const tokenize = createTokenizer(vocabulary);
  return packages.map((pairs) =>
    pairs.map(({ comment, code }) => ({
      comment: countPieces(tokenize(comment)),
      code: countPieces(tokenize(plainCode(code)).slice(0, maxCodePieces)),
    })),
  );
}

function countPieces(ids: readonly number[]): PieceCounts {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return { ids: Int32Array.from(counts.keys()), counts: Float32Array.from(counts.values()) };
}

/** By row: the logarithm of one in how many pieces of code has it. */
function rarityOf(packages: readonly (readonly PairPieces[])[], rows: number): Float32Array {
  const holders = new Float32Array(rows);
  let all = 0;
  for (const { code } of packages.flat()) {
    all += 1;
    for (const id of code.ids) holders[id] = (holders[id] as number) + 1;
  }
  return holders.map((count) => Math.log(1 + all / (count + 1)));
}

function unpackRows({ rows, dimensions, scales, values }: EmbedderFile): Float32Array {
  const unpacked = new Float32Array(rows * dimensions);
  for (let at = 0; at < unpacked.length; at += 1) {
    unpacked[at] = (values[at] as number) * (scales[Math.floor(at / dimensions)] as number);
  }
  return unpacked;
}

process.exitCode = main();
