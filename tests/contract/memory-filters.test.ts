import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { MemoryFilter, MemoryRecord } from '../../src/contracts/memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { openStore } from '../../src/store/open-store.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { nowMs, never as signal, turn } from './memory.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-filters-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const minuteMs = 60_000;

const rows: MemoryRecord[] = Array.from({ length: 90 }, (_, at) =>
  turn(`heron ${at}`, {
    project: `/p${at % 3}`,
    session: `s${at % 4}`,
    source: `docs/${at % 5}.md`,
    run: `r${at % 6}`,
    kind: ['note', 'event', 'answer'][at % 3] ?? '',
    tags: [`a${at % 2}`, `b${at % 7}`],
    ts: nowMs - at * minuteMs,
  }),
);

/** What a person would say the filter means, looked for in each row. */
function holds(row: MemoryRecord, filter: MemoryFilter): boolean {
  const { project, session, source, run, kinds, notKinds = [], tags, sinceMs, beforeMs } = filter;
  return (
    (project === undefined || row.project === project) &&
    (session === undefined || row.session === session) &&
    (source === undefined || row.source === source) &&
    (run === undefined || row.run === run) &&
    (kinds === undefined || kinds.includes(row.kind)) &&
    !notKinds.includes(row.kind) &&
    (tags === undefined || tags.every((tag) => row.tags.includes(tag))) &&
    (sinceMs === undefined || row.ts >= sinceMs) &&
    (beforeMs === undefined || row.ts < beforeMs)
  );
}

function someFilter(random: () => number): MemoryFilter {
  const upTo = (count: number): number => Math.floor(random() * count);
  const one = (part: MemoryFilter): MemoryFilter => (random() < 0.3 ? part : {});
  return {
    ...one({ project: `/p${upTo(4)}` }),
    ...one({ session: `s${upTo(4)}` }),
    ...one({ source: `docs/${upTo(5)}.md` }),
    ...one({ run: `r${upTo(6)}` }),
    ...one({ kinds: ['note', 'answer'].slice(0, upTo(3)) }),
    ...one({ notKinds: ['event'] }),
    ...one({ tags: [`a${upTo(2)}`, `b${upTo(7)}`].slice(upTo(2)) }),
    ...one({ sinceMs: nowMs - upTo(90) * minuteMs }),
    ...one({ beforeMs: nowMs - upTo(90) * minuteMs }),
  };
}

it('search(), list() and count() of any filter and limit find what a look at each row finds', async () => {
  using store = openStore({ path: join(folder, 'cuervo.db') });
  await using memory = await openMemory({
    directory: join(folder, 'lancedb'),
    journal: store.memoryJournal,
    clock: { nowMs: () => nowMs },
  });
  let found = 0;
  const compare = async (seed: number): Promise<void> => {
    const random = seededRandom(seed);
    for (let round = 0; round < 60; round += 1) {
      const filter = someFilter(random);
      const limit = 1 + Math.floor(random() * 32);
      // equal but for their age, so that the newest are the best
      const wanted = rows.filter((row) => holds(row, filter)).map(({ text }) => text);
      const hits = await memory.search({ text: 'heron', limit, ...filter }, { signal });
      const listed = await memory.list(filter, { signal, limit });
      const names = { seed, round, filter, limit };
      expect([names, hits.map(({ text }) => text)]).toEqual([names, wanted.slice(0, limit)]);
      expect(listed.map(({ record }) => record.text)).toEqual(wanted.slice(0, limit));
      expect((await memory.count(filter, { signal })).interact).toBe(wanted.length);
      found += wanted.length;
    }
  };
  // few enough at a time to stay in the store
  await memory.remember(rows.slice(0, 30), { signal });
  const all = rows.splice(30);
  await compare(1);
  rows.push(...all);
  await memory.remember(all, { signal });
  await memory.flush({ signal });
  await compare(2);
  expect(found).toBeGreaterThan(200);
});
