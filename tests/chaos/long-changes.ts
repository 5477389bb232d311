import { changeMany } from './support/change-many.ts';
import { changes, killChanges } from './support/kill-changes.ts';

/**
 * The long form: kills each change of files at many random points, and has a program change 50,000
 * files. One line each; exit code 1 on any failure.
 *
 * `npm run test:changes:long -- [edit|undo|apply|files …] [--kills N] [--seed N] [--files N]`
 */
const args = process.argv.slice(2);
const numberOf = (name: string, otherwise: number): number => {
  const at = args.indexOf(name);
  return at < 0 ? otherwise : Number(args.splice(at, 2)[1]);
};
const attempts = numberOf('--kills', 50);
const seed = numberOf('--seed', Date.now() % 1_000_000);
const files = numberOf('--files', 50_000);
const isChosen = (name: string): boolean => args.length === 0 || args.includes(name);

function tell(line: string, failures: readonly string[]): void {
  console.log(`${line}, failures ${failures.length}`);
  for (const failure of failures.slice(0, 10)) console.log(`  ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}

for (const what of changes.filter(isChosen)) {
  const { killed, inBetween, failures } = await killChanges(what, { attempts, seed });
  tell(`${what}: seed ${seed}, killed ${killed}, in the middle ${inBetween}`, failures);
}
if (isChosen('files')) {
  const { changes: found, programMs, undoMs, failures } = await changeMany(files);
  const times = `program ${Math.round(programMs)} ms, undo ${Math.round(undoMs)} ms`;
  tell(`files: ${files}, changes ${found}, ${times}`, failures);
}
