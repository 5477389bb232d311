import { execFileSync } from 'node:child_process';

/**
 * Prints which titles of tests moved to another file since a commit, which are gone and which are
 * new: no proof is lost unseen when tests become slow ones. `npm run test:moved -- COMMIT`; exit
 * code 1 when there are fewer than before.
 */
const [before] = process.argv.slice(2);
if (before === undefined) {
  console.error('usage: npm run test:moved -- COMMIT');
  process.exit(2);
}

/** `it('…'`, `it.each(…)('…'` and halves of escape cases, as they stand in the sources */
const title =
  /^\s*(?:(?:it|test)\b[^'"`\n]*\(|\]\)\(|\[)?\s*(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1,\s*(?:\{[^}\n]*\}, )?(?:async )?(?:\(|function)/gm;

/** @returns title and file of each test that git has at a commit, or of the work tree */
function testsAt(commit: string): Map<string, string[]> {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const found = new Map<string, string[]>();
  const paths = git('ls-tree', '-r', '--name-only', commit)
    .split('\n')
    .filter((path) => /\.(?:test|contract)\.ts$/.test(path));
  for (const path of paths) {
    for (const [, , words = ''] of git('show', `${commit}:${path}`).matchAll(title))
      found.set(words, [...(found.get(words) ?? []), path]);
  }
  return found;
}

const [old, now] = [testsAt(before), testsAt('HEAD')];
const count = (tests: Map<string, string[]>): number =>
  [...tests.values()].reduce((sum, paths) => sum + paths.length, 0);
const moves = new Map<string, number>();
for (const [words, paths] of old) {
  const left = paths.filter((path) => !now.get(words)?.includes(path));
  const come = now.get(words)?.filter((path) => !paths.includes(path)) ?? [];
  for (const [at, path] of left.entries()) {
    if (come[at] === undefined) console.log(`gone   ${path}: ${words}`);
    else moves.set(`${path} -> ${come[at]}`, (moves.get(`${path} -> ${come[at]}`) ?? 0) + 1);
  }
}
for (const [way, many] of moves) console.log(`moved  ${way}: ${many}`);
for (const [words, paths] of now) {
  for (const path of old.has(words) ? [] : paths) console.log(`new    ${path}: ${words}`);
}
console.log(`${count(old)} titles before, ${count(now)} now`);
if (count(now) < count(old)) process.exitCode = 1;
