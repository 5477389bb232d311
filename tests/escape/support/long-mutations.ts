import { readFileSync } from 'node:fs';
import { copyProgram, everyType, exactAdder } from '../../support/wat-world.ts';
import { adder } from '../guests/trapper/guest.ts';
import { buildGuest } from './build-guest.ts';
import { inspectMutations } from './inspect-mutations.ts';
import type { LongResult } from './long-races.ts';

const roundSize = 500;
const maxReadMs = 2_000;
const maxChildBytes = 300 * 1024 * 1024;

/** Changed binaries through what `inspect` and `install` do, in rounds of other seeds. */
export async function* longMutations(total: number, firstSeed: number): AsyncGenerator<LongResult> {
  const originals = {
    plugin: readFileSync(await adder(10)),
    engine: readFileSync(await buildGuest('mixer')),
    functions: await everyType(),
    exact: await exactAdder(),
    program: await copyProgram(),
  };
  for (let done = 0; done < total; done += roundSize) {
    const seed = firstSeed + done;
    const count = Math.min(roundSize, total - done);
    const found = await inspectMutations(originals, { count, seed });
    const { crashes, memory, readMs, late, installable, unread, refused } = found;
    const failures = [...crashes];
    if (late > 0) failures.push(`${late} were ended by a deadline`);
    if (readMs > maxReadMs) failures.push(`one was read for ${Math.round(readMs)} ms`);
    if (memory.child > maxChildBytes) failures.push(`a child took ${memory.child} bytes`);
    const counts = {
      ...{ seed, installable, unread, refused, late, readMs: Math.ceil(readMs) },
      childMegabytes: Math.ceil(memory.child / 1024 / 1024),
    };
    yield { name: 'mutated binaries', counts, failures };
  }
}
