import { randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../../src/contracts/tool.ts';
import { type Kernel, openKernel } from '../../../src/kernel.ts';
import { buildGuest } from './build-guest.ts';
import { whileSwapping } from './while-swapping.ts';

/** What a long run found: one line of a report. */
export type LongResult = { name: string; counts: Record<string, number>; failures: string[] };

/** Host calls that one tool call may make are limited; a little below that. */
const callsPerRun = 990;
/** On a machine that does other things as well. */
const callTimeoutMs = 600_000;

type Field = { dir: string; work: string; outside: string; secret: string; kernel: Kernel };

/**
 * Races between guests and somebody who swaps names for links, in a kernel with real plugin
 * processes, and folders larger than any guest may see.
 *
 * @param attempts of each race; at least that many are made
 */
export async function* longRaces(attempts: number): AsyncGenerator<LongResult> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-long-')));
  const [work, outside, home] = ['work', 'outside', 'home'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [work, outside, home]) mkdirSync(folder);
  const secret = `outside-${randomBytes(12).toString('hex')}`;
  try {
    const allow = ['fs:work', 'fs-write:work'];
    const signal = new AbortController().signal;
    {
      await using kernel = await openKernel({ home, workspace: work });
      for (const name of ['link-follower', 'file-writer', 'giant-reader']) {
        const install = { signal, grants: [], consent: async () => true };
        await kernel.plugins.install(await buildGuest(name), install);
      }
    }
    await using kernel = await openKernel({ home, workspace: work, allow, callTimeoutMs });
    const field = { dir, work, outside, secret, kernel };
    yield await raceReads(field, attempts);
    yield await raceFolders(field, attempts);
    yield await raceWrites(field, attempts);
    yield await crowdedFolder(field, 50 * attempts);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function contentOf(kernel: Kernel, tool: string, input: JsonObject): Promise<unknown> {
  for await (const event of kernel.run(tool, input)) {
    if (event.type === 'result') return JSON.parse(event.content);
    if (event.type === 'error') throw new Error(`${tool}: ${event.code}: ${event.message}`);
  }
  throw new Error(`${tool} gave nothing`);
}

function put(folder: string, path: string, content: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

type Raced = { seen: Record<string, number>; leaked: string[]; files: number };

async function raceReads({ work, outside, secret, kernel }: Field, attempts: number) {
  const file = put(work, 'racing/file.txt', 'side-inside\n');
  const link = join(work, 'link');
  symlinkSync(put(outside, 'racing.txt', `side-${secret}\n`), link);
  const counts = { attempts: 0, inside: 0, refused: 0 };
  const failures: string[] = [];
  const input = { path: 'racing/file.txt', folder: 'racing', mark: 'outside-', scans: 0 };
  await whileSwapping([file, link], async () => {
    while (counts.attempts < attempts) {
      const raced = (await contentOf(kernel, 'link-follower.race', {
        ...input,
        reads: callsPerRun,
      })) as Raced;
      counts.attempts += callsPerRun;
      counts.inside += raced.seen.read ?? 0;
      counts.refused += callsPerRun - (raced.seen.read ?? 0);
      failures.push(...raced.leaked);
    }
  });
  return withBothSides({ name: 'link swapped during a read', counts, failures });
}

async function raceFolders({ work, outside, secret, kernel }: Field, attempts: number) {
  put(work, 'moving/deep/er/file.txt', 'side-inside\n');
  put(outside, 'elsewhere/deep/er/file.txt', `side-${secret}\n`);
  symlinkSync(join(outside, 'elsewhere'), join(work, 'moving-link'));
  const counts = { attempts: 0, inside: 0, refused: 0 };
  const failures: string[] = [];
  const reads = callsPerRun >> 1;
  const input = { path: 'moving/deep/er/file.txt', folder: 'moving', mark: 'outside-' };
  await whileSwapping([join(work, 'moving'), join(work, 'moving-link')], async () => {
    while (counts.attempts < attempts) {
      const raced = (await contentOf(kernel, 'link-follower.race', {
        ...input,
        reads,
        scans: reads,
      })) as Raced;
      const inside = (raced.seen.read ?? 0) + raced.files;
      counts.attempts += 2 * reads;
      counts.inside += inside;
      counts.refused += 2 * reads - inside;
      failures.push(...raced.leaked);
    }
  });
  return withBothSides({ name: 'folder replaced under an open handle', counts, failures });
}

async function raceWrites({ work, outside, kernel }: Field, attempts: number) {
  put(outside, 'swapped/keep.txt', 'outside');
  mkdirSync(join(work, 'swap'));
  symlinkSync(join(outside, 'swapped'), join(work, 'swap-link'));
  const calls = [
    { call: 'text', path: 'swap/keep.txt' },
    { call: 'rename', path: 'swap/keep.txt', to: 'swap/moved.txt' },
    { call: 'remove', path: 'swap/moved.txt' },
  ];
  const times = Math.floor(callsPerRun / calls.length);
  const counts = { attempts: 0, inside: 0, refused: 0 };
  const failures: string[] = [];
  await whileSwapping([join(work, 'swap'), join(work, 'swap-link')], async () => {
    while (counts.attempts < attempts && failures.length === 0) {
      const input = { calls, times };
      const outcomes = (await contentOf(kernel, 'file-writer.try-all', input)) as { ok: boolean }[];
      counts.attempts += outcomes.length;
      counts.inside += outcomes.filter(({ ok }) => ok).length;
      counts.refused += outcomes.filter(({ ok }) => !ok).length;
      const names = readdirSync(join(outside, 'swapped')).join();
      if (names !== 'keep.txt') failures.push(`outside there is now ${names}`);
      else if (readFileSync(join(outside, 'swapped/keep.txt'), 'utf8') !== 'outside')
        failures.push('the file outside has another text');
    }
  });
  return withBothSides({ name: 'link swapped during a write', counts, failures });
}

/** A race in which one side never came says nothing. */
function withBothSides(result: LongResult & { counts: { inside: number; refused: number } }) {
  const { inside, refused } = result.counts;
  if (inside < 100 || refused < 100)
    result.failures.push(`one side was hardly there: ${inside} inside, ${refused} refused`);
  return result;
}

async function crowdedFolder({ work, kernel }: Field, entries: number): Promise<LongResult> {
  const folder = join(work, 'crowd');
  mkdirSync(folder);
  for (let index = 0; index < entries; index += 1)
    closeSync(openSync(join(folder, `f${index}`), 'w'));
  const failures: string[] = [];
  const walk = { path: 'crowd', limit: 4_294_967_295 };
  const walked = (await contentOf(kernel, 'giant-reader.walk', walk)) as { entries: number };
  if (walked.entries > 100_000) failures.push(`a walk gave ${walked.entries} entries`);
  try {
    await contentOf(kernel, 'giant-reader.list', { path: 'crowd' });
    failures.push('a list of all of them was given');
  } catch (thrown) {
    if (!String(thrown).includes('more than 10000 entries')) failures.push(String(thrown));
  }
  const counts = { entries, walked: walked.entries };
  return { name: 'crowded folder', counts, failures };
}
