// Remembers `turn N` in the memory of FOLDER, N from FROM on, until it is killed, and prints each N
// once its turn is acknowledged; in between it tends the tables, so that a kill can hit any of it.
// keep-remembering.ts FOLDER FROM
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { openStore } from '../../../src/store/open-store.ts';

const [folder = '', from = '0'] = process.argv.slice(2);
const { signal } = new AbortController();
using store = openStore({ path: join(folder, 'cuervo.db') });
await using memory = await openMemory({
  directory: join(folder, 'lancedb'),
  journal: store.memoryJournal,
  clock: { nowMs: Date.now },
});
for (let number = Number(from); ; number += 1) {
  const text = `turn ${number} of the heron`;
  const record = { layer: 'interact', text, context: text, kind: 'note', tags: [] } as const;
  await memory.remember([{ ...record, project: '/p', ts: Date.now() }], { signal });
  process.stdout.write(`${number}\n`);
  if (number % 7 === 0) await nextTurn();
  if (number % 50 === 49) await memory.optimize(Date.now(), { signal, force: true });
}
