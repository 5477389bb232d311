import { readFileSync } from 'node:fs';
import { adder } from './guests/trapper/guest.ts';
import { buildGuest } from './support/build-guest.ts';
import { inspectMutations } from './support/inspect-mutations.ts';
import { copyProgram, everyType, exactAdder } from './support/wat-world.ts';

/**
 * The long form of what `mutated-binaries.test.ts` does in short: ten thousand changed binaries
 * through `inspect`, in rounds of other seeds, with the counts of each. A number as argument says
 * how many. Needs the build; exit code 1 when one crashed, hung or took too much memory.
 */
const total = Number(process.argv[2] ?? 10_000);
const roundSize = 500;
const maxReadMs = 2_000;
const maxChildBytes = 300 * 1024 * 1024;

const originals = {
  plugin: readFileSync(await adder(10)),
  engine: readFileSync(await buildGuest('mixer')),
  functions: await everyType(),
  exact: await exactAdder(),
  program: await copyProgram(),
};
let bad = 0;
for (let done = 0; done < total; done += roundSize) {
  const seed = 20_261_122 + done;
  const count = Math.min(roundSize, total - done);
  const startedMs = performance.now();
  const { crashes, memory, readMs, ...counts } = await inspectMutations(originals, { count, seed });
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
  console.log(
    `seed ${seed}: ${JSON.stringify(counts)}, ${crashes.length} crashes, read in at most ` +
      `${readMs.toFixed(1)} ms, ${megabytes(memory.own)} MB here, ` +
      `${megabytes(memory.child)} MB in a child, ${seconds} s`,
  );
  for (const crash of crashes) console.log(`  ${crash}`);
  if (crashes.length + counts.late > 0 || readMs > maxReadMs || memory.child > maxChildBytes)
    bad += 1;
}
console.log(bad === 0 ? `${total} changed binaries, none harmful` : `${bad} rounds failed`);
process.exitCode = bad === 0 ? 0 : 1;
