import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { runChild } from '../../contract/children/run-child.ts';

/** What was seen over all kills; `lost` and `twice` are to be empty. */
export type KilledWriters = {
  kills: number;
  acknowledged: number;
  lost: string[];
  twice: string[];
};

const { signal } = new AbortController();
const longestLifeMs = 400;

/**
 * Kills a process that remembers turns, `kills` times at a random point, and looks after each kill
 * for every turn that any of them had acknowledged.
 *
 * @param random 0 to 1, for the points
 */
export async function killWriters(
  folder: string,
  kills: number,
  random: () => number,
): Promise<KilledWriters> {
  const seen: KilledWriters = { kills: 0, acknowledged: 0, lost: [], twice: [] };
  let from = 0;
  for (; seen.kills < kills; seen.kills += 1) {
    const child = runChild('../../chaos/children/keep-remembering.ts', [folder, String(from)]);
    await child.printed('\n');
    await sleep(random() * longestLifeMs);
    child.process.kill('SIGKILL');
    const { stdout, signal: endedBy, stderr } = await child.ended;
    if (endedBy !== 'SIGKILL') throw new Error(`the writer ended by itself: ${stderr}`);
    // the last line may have been cut
    const said = stdout.slice(0, stdout.lastIndexOf('\n')).split('\n');
    from = Number(said.at(-1)) + 1;
    seen.acknowledged = from;
    const texts = await textsOf(folder);
    const distinct = new Set(texts);
    for (let number = 0; number < from; number += 1) {
      if (!distinct.has(`turn ${number} of the heron`)) seen.lost.push(`turn ${number}`);
    }
    if (distinct.size !== texts.length) seen.twice.push(`after kill ${seen.kills + 1}`);
    // a turn that was written and not yet acknowledged may be there, too
    from = Math.max(from, distinct.size);
  }
  return seen;
}

/** All that is in memory, once it has been opened again and moved to the table. */
async function textsOf(folder: string): Promise<string[]> {
  using store = openStore({ path: join(folder, 'cuervo.db') });
  await using memory = await openMemory({
    directory: join(folder, 'lancedb'),
    journal: store.memoryJournal,
    clock: { nowMs: Date.now },
  });
  const texts: string[] = [];
  for await (const { record } of memory.rows({}, { signal })) texts.push(record.text);
  const [hit] = await memory.search({ text: texts[0] ?? '', limit: 1 }, { signal });
  if (hit === undefined) throw new Error('the first turn is in memory and not found');
  return texts;
}
