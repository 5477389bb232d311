// Remembers turns one by one in a process of its own, as a long session would, and prints
// {fragments, diskBytes, rssBytes}; the last is how much the process grew since memory was opened:
// LanceDB and the embedder, which are loaded meanwhile, are part of it.
// Arguments: the bundle, a home, a file with a record a line.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [bundle, home, file] = process.argv.slice(2);
const { signal } = new AbortController();
const records = readFileSync(file, 'utf8')
  .split('\n')
  .map((line) => JSON.parse(line));
const { openKernel } = await import(pathToFileURL(bundle).href);
const kernel = await openKernel({ home, workspace: home, model: 'none' });
const memory = await kernel.memory();
const beforeBytes = process.memoryUsage.rss();
for (const record of records) {
  await memory.remember([record], { signal });
  await sleep(1);
}
await memory.flush({ signal });
const rssBytes = process.memoryUsage.rss() - beforeBytes;
const [{ rows, fragments, bytes }] = await memory.stats({ signal });
if (rows !== records.length) throw new Error(`${rows} of ${records.length} turns are there`);
process.stdout.write(`${JSON.stringify({ fragments, diskBytes: bytes, rssBytes })}\n`);
await kernel[Symbol.asyncDispose]();
