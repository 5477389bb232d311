import { changes, killChanges } from './support/kill-changes.ts';

/**
 * The long form: kills each change of files at many random points, one line each. Exit code 1 on
 * any failure.
 *
 * `node tests/chaos/long-kills.ts [edit|undo|apply …] [--kills N] [--seed N]`
 */
const args = process.argv.slice(2);
const numberOf = (name: string, otherwise: number): number => {
  const at = args.indexOf(name);
  return at < 0 ? otherwise : Number(args.splice(at, 2)[1]);
};
const attempts = numberOf('--kills', 50);
const seed = numberOf('--seed', Date.now() % 1_000_000);

for (const what of changes) {
  if (args.length > 0 && !args.includes(what)) continue;
  const { killed, inBetween, failures } = await killChanges(what, { attempts, seed });
  console.log(
    `${what}: seed ${seed}, killed ${killed}, in the middle ${inBetween}, failures ${failures.length}`,
  );
  for (const failure of failures.slice(0, 10)) console.log(`  ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}
