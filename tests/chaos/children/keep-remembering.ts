// Remembers `turn N` in the memory of FOLDER, N from FROM on, until it is killed, and prints each N
// once its turn is acknowledged; in between it replaces and promotes facts, and tends, prunes and
// rebuilds the tables, so that a kill can hit any of it.
// keep-remembering.ts FOLDER FROM
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MemoryRow } from '../../../src/contracts/memory.ts';
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
const tend = [
  () => memory.optimize(Date.now(), { signal, force: true }),
  () => memory.rebuild({ signal }),
  () => memory.prune(Date.now(), { signal }),
];
let told: MemoryRow | undefined;
for (let number = Number(from); ; number += 1) {
  const text = `turn ${number} of the heron`;
  const kind = number % 10 === 0 ? 'fact' : 'question';
  const record = { layer: 'interact', text, context: text, kind, tags: [] } as const;
  const row = { ...record, project: '/p', ts: Date.now() };
  const [id = ''] = await memory.remember([row], { signal });
  process.stdout.write(`${number}\n`);
  if (kind === 'fact') {
    if (told !== undefined) {
      // the newer one takes the place of the older one, as a correction does
      const older = { id: told.id, record: { ...told.record, replacedBy: id } };
      const newer = { id, record: { ...row, replaces: [told.id] } };
      await memory.rewrite([older, newer], { signal, run: `r${number}` });
      told = newer;
    } else told = { id, record: row };
    await memory.promote([{ id, reason: 'a fact' }], { signal });
  }
  if (number % 7 === 0) await nextTurn();
  if (number % 50 === 49) await tend[Math.floor(number / 50) % tend.length]?.();
}
