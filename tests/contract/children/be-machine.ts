// A process as a machine of its own: its home is FOLDER, and it shares memory with others by
// STORAGE, as JSON. One step per argument, and a line after each:
//   add:PREFIX:FROM:TO   adds `PREFIX heron N` to assets, moved in batches of ten     added
//   search:TEXT          prints the texts found, as JSON
//   wait                 until a line comes on standard input                         waiting
// be-machine.ts FOLDER STORAGE STEP…
import { once } from 'node:events';
import { join } from 'node:path';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { openStore } from '../../../src/store/open-store.ts';

const [folder = '', storage = '{}', ...steps] = process.argv.slice(2);
const { signal } = new AbortController();
const say = (line: string) => process.stdout.write(`${line}\n`);
using store = openStore({ path: join(folder, 'cuervo.db') });
await using memory = await openMemory({
  directory: join(folder, 'lancedb'),
  shared: JSON.parse(storage),
  journal: store.memoryJournal,
  clock: { nowMs: Date.now },
});
for (const step of steps) {
  const [verb, text = '', from, to] = step.split(':');
  if (verb === 'add') {
    for (let number = Number(from); number < Number(to); number += 1) {
      const said = `${text} heron ${number}`;
      const record = {
        layer: 'assets',
        text: said,
        context: said,
        kind: 'note',
        tags: [],
      } as const;
      await memory.remember([{ ...record, project: '/p', source: 'a.md', ts: 0 }], { signal });
      if (number % 10 === 9) await memory.flush({ signal });
    }
    await memory.flush({ signal });
    say('added');
  } else if (verb === 'search') {
    const hits = await memory.search({ text, limit: 32 }, { signal });
    say(JSON.stringify(hits.map((hit) => hit.text)));
  } else if (verb === 'wait') {
    say('waiting');
    process.stdin.resume();
    await once(process.stdin, 'data');
    process.stdin.pause();
  }
}
