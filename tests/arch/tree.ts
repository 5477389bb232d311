import {
  filesByFolder,
  importCycles,
  linesOf,
  longFunctions,
  median,
  treeData,
  treeSources,
} from './measure-tree.ts';

/**
 * `npm run tree`: files and lines of `src` by part, tests and generated types left out.
 * `npm run tree -- FOLDER` measures another clone, to compare two states.
 */
const at = process.argv[2];
const sources = treeSources(at);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const row = (name: string, files: number, lines: number, middle: number): string =>
  `${name.padEnd(30)} ${String(files).padStart(5)} ${String(lines).padStart(7)} ${String(middle).padStart(7)}`;

const partOf = (path: string): string => {
  const [, part = '', inner = '', rest] = path.split('/');
  if (inner === '') return `src/${part}`;
  const isDeep = part === 'host' || part === 'kernel';
  return isDeep ? `src/${part}/${rest === undefined ? '' : inner}` : `src/${part}`;
};

console.log(`${'part'.padEnd(30)} files   lines  median`);
const parts = Map.groupBy(sources, ({ path }) => partOf(path));
for (const [part, files] of [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const lines = files.map(linesOf);
  console.log(row(part, files.length, sum(lines), median(lines)));
}
const all = sources.map(linesOf);
console.log(row('src', sources.length, sum(all), median(all)));
const product = sources.filter(({ path }) => !path.startsWith('src/build/')).map(linesOf);
console.log(row('src without src/build', product.length, sum(product), median(product)));
const data = treeData(at).map(linesOf);
console.log(row('data (.toml .json .txt .cjs)', data.length, sum(data), median(data)));

const largest = [...filesByFolder(sources)]
  .toSorted(([, a], [, b]) => b.length - a.length)
  .slice(0, 3)
  .map(([folder, files]) => `${folder} ${files.length}`);
console.log(`largest folders: ${largest.join(', ')}`);
const root = sources.find(({ path }) => path === 'src/kernel.ts');
console.log(`src/kernel.ts: ${root === undefined ? 'missing' : linesOf(root)} lines`);
const cycles = importCycles(sources);
console.log(`import cycles: ${cycles.length}`);
for (const cycle of cycles) console.log(`  ${cycle.join(' ')}`);
const long = longFunctions(sources, 150);
console.log(`functions above 150 lines: ${long.length}`);
for (const each of long) console.log(`  ${each}`);
