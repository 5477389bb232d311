import { fuzzTargets } from './support/fuzz-targets.ts';
import { longMutations } from './support/long-mutations.ts';
import { type LongResult, longRaces } from './support/long-races.ts';

/**
 * The long form of the suite: races of 20,000 attempts and all fuzzing at 10,000, one line each
 * with its counts. Needs the build; exit code 1 on any failure.
 *
 * `npm run test:escape:long [-- races|fuzz|binaries …] [--runs N]`
 */
const args = process.argv.slice(2);
const at = args.indexOf('--runs');
const runs = at < 0 ? 10_000 : Number(args[at + 1]);
const chosen = args.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
const seed = 20_261_122;
/** What throws is a failure like any other, and the parts behind it still run. */
async function* guarded(name: string, run: () => AsyncGenerator<LongResult>) {
  try {
    yield* run();
  } catch (thrown) {
    const failures = [thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)];
    yield { name, counts: {}, failures };
  }
}

/** Each round has a seed of its own, so that a failure names a small one. */
const fuzzRound = 1000;

async function* fuzzAll(): AsyncGenerator<LongResult> {
  for (const { name, fuzz } of fuzzTargets) {
    const counts = { seed, read: 0, refused: 0 };
    const failures: string[] = [];
    for (let done = 0; done < runs; done += fuzzRound) {
      try {
        const found = await fuzz({ runs: Math.min(fuzzRound, runs - done), seed: seed + done });
        counts.read += found.read;
        counts.refused += found.refused;
      } catch (thrown) {
        failures.push(`seed ${seed + done}: ${thrown instanceof Error ? thrown.message : thrown}`);
      }
    }
    yield { name: `fuzz: ${name}`, counts, failures };
  }
}

const parts: Record<string, () => AsyncGenerator<LongResult>> = {
  races: () => longRaces(2 * runs),
  fuzz: fuzzAll,
  binaries: () => longMutations(runs, seed),
};

let failed = 0;
for (const [name, run] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  let startedMs = performance.now();
  for await (const { name: what, counts, failures } of guarded(name, run)) {
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    const numbers = Object.entries(counts).map(([key, value]) => `${key} ${value}`);
    console.log(`${what}: ${numbers.join(', ')}, failures ${failures.length}, ${seconds} s`);
    for (const failure of failures.slice(0, 10)) console.log(`  ${failure}`);
    failed += failures.length;
    startedMs = performance.now();
  }
}
console.log(failed === 0 ? 'nothing failed' : `${failed} failures`);
process.exitCode = failed === 0 ? 0 : 1;
