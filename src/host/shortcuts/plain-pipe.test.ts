import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createPipeWriter, takeChunks } from './plain-pipe.ts';

/** A process that gives back what it is given, late when it is told to wait first. */
function echo(waitMs = 0): ChildProcess {
  const program = `setTimeout(() => process.stdin.pipe(process.stdout), ${waitMs})`;
  return spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
}

const bytesOf = (seed: number, length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 31 + seed) % 251));

const known = process.versions.node;
/** A Node whose streams nobody looked into. */
const other = '99.0.0';

it('knows the Node that runs it: after an upgrade read README.md of this folder', () => {
  const plain = { push: () => true, on: () => plain } as unknown as Readable;
  const { push } = plain;
  takeChunks(plain, () => {}, other);
  expect(plain.push).toBe(push);
  takeChunks(plain, () => {}, known);
  expect(plain.push).not.toBe(push);
});

it.each([
  ['at once', 0, known],
  ['late', 300, known],
  ['at once, with another Node', 0, other],
  ['late, with another Node', 300, other],
])('brings all pieces in their order to one who reads %s', async (_, waitMs, node) => {
  const child = echo(waitMs);
  const pieces = [0, 1, 5, 300_000, 200_000, 70_000, 0, 9, 2, 20_000].map((length, seed) =>
    bytesOf(seed, length),
  );
  const texts = pieces.map((piece, index) => (index % 2 === 0 ? piece : piece.toString('latin1')));
  const all = Buffer.concat(pieces);
  const read: Buffer[] = [];
  const taken = new Promise<void>((resolve) => {
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      read.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes === all.length) resolve();
    };
    takeChunks(child.stdout as Readable, take, node);
  });
  const write = createPipeWriter(child.stdin as Writable, node);
  for (const piece of texts) write(piece);
  await taken;
  expect(Buffer.concat(read).equals(all)).toBe(true);
  child.kill();
});

it('goes on with whoever waits for a chunk before Node schedules anything', async () => {
  const child = echo();
  const { nextTick } = process;
  const ticks: unknown[] = [];
  const ticksBehindChunk = new Promise<number>((resolve) => {
    takeChunks(child.stdout as Readable, () => {
      process.nextTick = ((...given: Parameters<typeof nextTick>) => {
        ticks.push(given);
        nextTick(...given);
      }) as typeof nextTick;
      void Promise.resolve().then(() => resolve(ticks.length));
    });
  });
  try {
    createPipeWriter(child.stdin as Writable)(Buffer.from('one'));
    expect(await ticksBehindChunk).toBe(0);
  } finally {
    process.nextTick = nextTick;
    child.kill();
  }
});

it.each([known, other])(
  'tells its end, and swallows what is written behind it: %s',
  async (node) => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin?.on('error', () => {});
    takeChunks(child.stdout as Readable, () => {}, node);
    const write = createPipeWriter(child.stdin as Writable, node);
    await new Promise((resolve) => child.once('close', resolve));
    for (let piece = 0; piece < 20; piece += 1) write(bytesOf(piece, 100_000));
    expect(child.stdout?.readableEnded).toBe(true);
  },
);

it.each([
  ['breaks', ''],
  ['takes them all at once', 'process.stdin.resume()'],
])(
  'goes through hundreds of thousands of pieces for a pipe that %s in seconds',
  (_, reader) => {
    // In a process of its own, whose stack is as large as that of cuervo.
    const program = `
    import { spawn } from 'node:child_process';
    import { createPipeWriter } from ${JSON.stringify(join(import.meta.dirname, 'plain-pipe.ts'))};
    const child = spawn(process.execPath, ['-e', '${reader}'], { stdio: ['pipe', 'ignore', 'inherit'] });
    const write = createPipeWriter(child.stdin);
    const piece = Buffer.alloc(2);
    write(Buffer.alloc(1_000_000));
    for (let count = 0; count < 400_000; count += 1) write(piece);
    const look = setInterval(() => {
      if (child.stdin.bytesWritten < 1_000_000 + 2 * 400_000) return;
      clearInterval(look);
      child.kill();
    }, 5);`;
    // Seconds of processor time, which other processes do not use up.
    const limited = ['-c', 'ulimit -t 15; exec "$0" "$@"', process.execPath];
    const ran = spawnSync('sh', [...limited, '--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect(ran).toMatchObject({ stderr: '', status: 0 });
  },
  300_000,
);
