// A process that uses the memory of FOLDER, one step per argument, and prints a line after each:
//   remember:PREFIX:FROM:TO   records `PREFIX heron N` one call each        remembered
//   search:TEXT               prints the texts found, as JSON
//   flush                     prints {moved, pending}; tried again while another process is at it
//   stuck-flush               hangs for ever between index and journal      written
//   loaded                    whether LanceDB's library is in this process  true or false
//   wait                      until a line comes on standard input          waiting
// use-memory.ts FOLDER STEP…
import { once } from 'node:events';
import { join } from 'node:path';
import { KernelError } from '../../../src/contracts/error.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { openStore } from '../../../src/store/open-store.ts';

const [folder, ...steps] = process.argv.slice(2);
const { signal } = new AbortController();
const say = (line: unknown) =>
  process.stdout.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);

using store = openStore({ path: join(folder!, 'cuervo.db') });
let stuck = false;
const journal = {
  ...store.memoryJournal,
  remove: (seqs: readonly number[]) => {
    if (stuck) {
      say('written');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    store.memoryJournal.remove(seqs);
  },
};
await using memory = await openMemory({
  directory: join(folder!, 'lancedb'),
  journal,
  clock: { nowMs: Date.now },
  warn: (message) => say(`warning: ${message}`),
});

for (const step of steps) {
  const [verb, ...rest] = step.split(':');
  try {
    await run(verb!, rest);
  } catch (thrown) {
    const { code, message, hint } = KernelError.from(thrown, 'internal');
    say({ code, message, hint });
  }
}

async function run(verb: string, [text, from, to]: string[]): Promise<void> {
  if (verb === 'remember') {
    for (let n = Number(from); n < Number(to); n++) {
      const said = `${text} heron ${n}`;
      const record = {
        layer: 'interact',
        text: said,
        context: said,
        kind: 'note',
        tags: [],
      } as const;
      await memory.remember([{ ...record, project: '/p', ts: Date.now() }], { signal });
    }
    say('remembered');
  } else if (verb === 'search') {
    const hits = await memory.search({ text: text!, limit: 32 }, { signal });
    say(hits.map((hit) => hit.text));
  } else if (verb === 'flush' || verb === 'stuck-flush') {
    stuck = verb === 'stuck-flush';
    for (;;) {
      const flushed = await memory.flush({ signal });
      if (flushed.moved !== undefined) return void say(flushed);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } else if (verb === 'loaded') {
    const report = process.report.getReport() as { sharedObjects: string[] };
    say(report.sharedObjects.some((path) => /lancedb.*\.node$/.test(path)));
  } else if (verb === 'wait') {
    say('waiting');
    process.stdin.resume();
    await once(process.stdin, 'data');
    process.stdin.pause();
  }
}
