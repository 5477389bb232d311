import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../support/seeded-random.ts';
import { damageFiles } from './support/damage-files.ts';
import { killIndexers } from './support/kill-indexers.ts';
import { killWriters } from './support/kill-writers.ts';
import { writeTogether } from './support/write-together.ts';

/**
 * The long form of what `tests/chaos` does in short, one line each with its counts; exit code 1
 * when something was lost or doubled.
 *
 * `npm run test:chaos:long [-- SEED]`
 */
const seed = Number(process.argv[2] ?? 20_261_122);
const top = mkdtempSync(join(tmpdir(), 'cuervo-chaos-'));
try {
  const killed = await killWriters(mkdtempSync(join(top, 'kills-')), 200, seededRandom(seed));
  const { kills, acknowledged, lost, twice } = killed;
  report(`${kills} kills (seed ${seed}), ${acknowledged} turns acknowledged`, [...lost, ...twice]);
  const { rows, distinct } = await writeTogether(mkdtempSync(join(top, 'together-')), 1_000);
  report(
    `two processes, 1,000 equal keys: ${rows} rows, ${rows - distinct} duplicates`,
    rows === 1_000 && distinct === 1_000 ? [] : ['not 1,000 rows of 1,000 keys'],
  );
  const damaged = await damageFiles(mkdtempSync(join(top, 'damaged-')));
  report(`${damaged.tried} files of tables removed, cut or zeroed`, damaged.failed);
  for (const wanted of [
    { files: 1_000, kills: 100, withinMs: 120 },
    { files: 24_000, kills: 5, withinMs: 3_000 },
  ]) {
    const { cut, found, differ } = await killIndexers(wanted, seededRandom(seed));
    const { files, kills } = wanted;
    report(
      `an index of ${files} files, ${kills} kills, ${cut} of them before its end, ${found} files found`,
      [...differ, ...(cut === 0 || found === 0 ? ['nothing was tried'] : [])],
    );
  }
} finally {
  rmSync(top, { recursive: true, force: true });
}

function report(what: string, failures: readonly string[]): void {
  console.log(`${failures.length === 0 ? 'ok  ' : 'FAIL'} ${what}`);
  for (const failure of failures) console.log(`     ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}
