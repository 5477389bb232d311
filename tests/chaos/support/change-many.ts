import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace } from '../../support/place.ts';
import { treeState } from '../../support/tree-state.ts';

export type ManyReport = {
  files: number;
  /** rows of the run, of which each is one file or folder */
  changes: number;
  programMs: number;
  undoMs: number;
  failures: string[];
};

const filesPerFolder = 100;
const giveUpMs = 30 * 60 * 1000;

/**
 * Has a program append to many files, remove a tenth of them and make as many, and takes that back.
 *
 * @param files how many there are
 */
export async function changeMany(files: number): Promise<ManyReport> {
  using place = openPlace();
  const { work } = place;
  for (let index = 0; index < files; index += 1) {
    const folder = join(work, `d${Math.floor(index / filesPerFolder)}`);
    if (index % filesPerFolder === 0) mkdirSync(folder);
    writeFileSync(join(folder, `f${index}.txt`), `line ${index}\n`);
  }
  writeFileSync(
    join(work, 'do.sh'),
    `set -e
for f in d*/*.txt; do echo more >> "$f"; done
rm d*/*7.txt
mkdir made
for f in d*/*3.txt; do echo new > "made/\${f##*/}"; done`,
  );
  const before = treeState(work);
  const failures: string[] = [];
  const expect = (isTrue: boolean, what: string): void => {
    if (!isTrue) failures.push(what);
  };
  const run = ['run', 'shell.run', '{"command":"sh do.sh"}', '--json', '--timeout', '600'];
  const startedMs = performance.now();
  const ran = await place.cuervo([...run, '--allow', 'exec:sh'], { giveUpMs });
  const ranMs = performance.now();
  expect(ran.code === 0, `the program ended with ${ran.code}: ${ran.stderr.slice(0, 500)}`);
  expect(!ran.stderr.includes('cannot be undone'), ran.stderr.slice(0, 500));
  const after = treeState(work);
  const differing = Object.keys({ ...before, ...after }).filter(
    (path) => before[path] !== after[path],
  ).length;
  const [row] = (await place.cuervo(['undo', '--list', '--json'])).rows as { changes: number }[];
  const changes = row?.changes ?? 0;
  expect(changes === differing, `${differing} paths differ, ${changes} are listed`);
  expect(differing > files, `only ${differing} paths differ`);
  const undoneMs = performance.now();
  const undone = await place.cuervo(['undo', '--yes', '--json'], { giveUpMs });
  const endMs = performance.now();
  expect(undone.code === 0, `undo ended with ${undone.code}: ${undone.stderr.slice(0, 500)}`);
  const end = treeState(work);
  const wrong = Object.keys({ ...before, ...end }).filter((path) => before[path] !== end[path]);
  expect(wrong.length === 0, `not as before: ${wrong.slice(0, 5).join(', ')}`);
  return { files, changes, programMs: ranMs - startedMs, undoMs: endMs - undoneMs, failures };
}
