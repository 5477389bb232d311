import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Budget,
  importCycles,
  linesOf,
  longFunctions,
  median,
  partOf,
  treeData,
  treeSources,
} from './measure-tree.ts';

/**
 * `npm run tree`: files and lines of `src` by part beside their limits, tests and generated types
 * left out. `npm run tree -- FOLDER` measures another clone, to compare two states;
 * `npm run tree -- --lower` writes limits of 3 % above today's lines where that is less.
 */
const isLowering = process.argv[2] === '--lower';
const at = isLowering ? undefined : process.argv[2];
const room = 1.03;
const budgetFile = join(at ?? join(import.meta.dirname, '../..'), 'tests/arch/budget.json');
const budget: Budget = existsSync(budgetFile) ? JSON.parse(readFileSync(budgetFile, 'utf8')) : {};
const sources = treeSources(at);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const row = (name: string, files: number, lines: readonly number[]): string =>
  [
    name.padEnd(30),
    String(files).padStart(5),
    String(sum(lines)).padStart(7),
    String(median(lines)).padStart(7),
    String(budget[name]?.lines ?? '').padStart(7),
  ].join(' ');

console.log(`${'part'.padEnd(30)} files   lines  median   limit`);
const parts = [...Map.groupBy(sources, ({ path }) => partOf(path))].toSorted(([a], [b]) =>
  a < b ? -1 : 1,
);
for (const [part, files] of parts) console.log(row(part, files.length, files.map(linesOf)));
console.log(row('src', sources.length, sources.map(linesOf)));
const data = treeData(at);
console.log(row('data (.toml .json .txt .cjs)', data.length, data.map(linesOf)));
const root = sources.find(({ path }) => path === 'src/kernel.ts');
console.log(`src/kernel.ts: ${root === undefined ? 'missing' : linesOf(root)} lines`);
const cycles = importCycles(sources);
console.log(`import cycles: ${cycles.length}`);
for (const cycle of cycles) console.log(`  ${cycle.join(' ')}`);
const long = longFunctions(sources, 150);
console.log(`functions above 150 lines: ${long.length}`);
for (const each of long) console.log(`  ${each}`);

if (isLowering) {
  const lowered = parts.map(([part, files]) => {
    const lines = Math.ceil(sum(files.map(linesOf)) * room);
    const known = budget[part];
    return [
      part,
      known !== undefined && known.lines <= lines
        ? known
        : { lines, why: 'size of the day plus 3 %' },
    ];
  });
  writeFileSync(budgetFile, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
}
