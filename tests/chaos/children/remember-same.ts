// Remembers `key 0` to `key COUNT - 1` in the memory of FOLDER, one call each, then moves all rows.
// remember-same.ts FOLDER COUNT
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { openStore } from '../../../src/store/open-store.ts';

const [folder = '', count = '0'] = process.argv.slice(2);
const { signal } = new AbortController();
using store = openStore({ path: join(folder, 'cuervo.db') });
await using memory = await openMemory({
  directory: join(folder, 'lancedb'),
  journal: store.memoryJournal,
  clock: { nowMs: Date.now },
  warn: (message) => {
    throw new Error(message);
  },
});
for (let number = 0; number < Number(count); number += 1) {
  const text = `key ${number}`;
  const record = { layer: 'interact', text, context: text, kind: 'note', tags: [] } as const;
  await memory.remember([{ ...record, project: '/p', ts: Date.now() }], { signal });
  await nextTurn();
}
while ((await memory.flush({ signal })).moved === undefined) await sleep(5);
