/**
 * How long runs take again, on the recorded answers of the host:
 *
 *     npm run build && node tests/bench/replay.ts [FILES]
 *
 * Each run is made twice in one kernel, and the second is replayed, so that the start of plugins is
 * in neither of the times.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kernel, openKernel } from '../../src/index.ts';
import { generateTree } from './tree/generate-tree.ts';

const files = Number(process.argv[2] ?? 5000);
const replays = 5;
const answerMs = 50;

const server = createServer((_, response) => {
  setTimeout(
    () => response.setHeader('content-type', 'text/plain').end('words '.repeat(500)),
    answerMs,
  );
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const script = `
for (let i = 0; i < 20; i++) tools.file.read({ path: '.gitignore' });
for (let i = 0; i < 5; i++) tools.search.grep({ pattern: 'retryLimit' + i });
for (let i = 0; i < 5; i++) tools.web.fetch({ url: '${origin}/' + i });
`;
type Case = [name: string, run: (kernel: Kernel) => ReturnType<Kernel['ask']>];
const cases: Case[] = [
  ['a program of 1 s', (kernel) => kernel.run('shell.run', { command: 'sleep 1' })],
  [`a page that takes ${answerMs} ms`, (kernel) => kernel.run('web.fetch', { url: `${origin}/` })],
  ['a search, nothing found', (kernel) => kernel.run('search.grep', { pattern: 'zyxwvu' })],
  ['a small file', (kernel) => kernel.run('file.read', { path: '.gitignore' })],
  ['a script of 30 calls', (kernel) => kernel.run('script.run', { code: script })],
  ['a question', (kernel) => kernel.ask('where is the retry limit computed?')],
];

const home = mkdtempSync(join(tmpdir(), 'cuervo-bench-replay-'));
try {
  await using kernel = await openKernel({
    ...{ home, workspace: generateTree(files), model: 'none' },
    record: true,
    allow: ['fs:work', 'exec:sleep', `http:${origin}`, 'tools:*'],
  });
  for (const [name, run] of cases) {
    let id = '';
    for (const _ of ['first', 'again'])
      for await (const event of run(kernel)) {
        if (event.type === 'error') throw new Error(`${name}: ${event.message}`);
        id = event.run ?? '';
      }
    const lines: string[] = [];
    for (let at = 0; at < replays; at += 1) lines.push(await replayed(kernel, id));
    process.stdout.write(`${name.padEnd(26)} ${lines.join('; ')}\n`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
  server.close();
}

async function replayed(kernel: Kernel, run: string): Promise<string> {
  const { signal } = new AbortController();
  const { alike, startMs, steps } = await kernel.journal.replay(run, { signal });
  const why = steps.flatMap((step) => (step.outcome === 'alike' ? [] : [step.why ?? step.outcome]));
  if (!alike) return `not alike: ${why.join(', ')}`;
  let now = 0;
  let then = 0;
  for (const { step, recordedMs = 0, replayedMs = 0 } of steps) {
    now += replayedMs;
    // What a script called was part of its time.
    if (!step.includes('.')) then += recordedMs;
  }
  return `${now} for ${then} ms, start ${startMs}`;
}
