// Remembers 2,000 turns of FOLDER one by one in a process of its own, as a long session would, and
// prints {fragments, diskBytes, rssBytes}; the last is how much the process grew, LanceDB included.
// two-thousand-turns.ts FOLDER
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryEmbedder } from '../../../src/memory/memory-embedder.ts';
import { loadEmbedder } from '../../../src/memory/static/load-embedder.ts';
import { createRowMaker } from '../scale/made-rows.ts';
import { openBenchMemory } from '../scale/open-bench-memory.ts';

const turns = 2_000;
const [folder = ''] = process.argv.slice(2);
const { signal } = new AbortController();
const embedderPath = resolve(import.meta.dirname, '../../../src/memory/static/static-embedder.ste');
const records = createRowMaker(embedderPath, turns)
  .rows('interact', 0, turns)
  .map(({ record }) => record);
const embedder = memoryEmbedder(loadEmbedder(embedderPath));

await using opened = await openBenchMemory(folder, embedder);
const { memory } = opened;
const beforeBytes = process.memoryUsage.rss();
for (const record of records) {
  await memory.remember([record], { signal });
  await sleep(1);
}
await memory.flush({ signal });
const rssBytes = process.memoryUsage.rss() - beforeBytes;
const [interact] = await memory.stats({ signal });
if (interact?.rows !== turns) throw new Error(`${interact?.rows} of ${turns} turns are there`);
const { fragments, bytes } = interact;
process.stdout.write(`${JSON.stringify({ fragments, diskBytes: bytes, rssBytes })}\n`);
