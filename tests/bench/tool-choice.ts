import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLikenesses } from '../../src/ask/likenesses-to.ts';
import type { Tool } from '../../src/contracts/tool.ts';
import { goalWords } from '../../src/lib/text/words.ts';
import { loadEmbedder } from '../../src/memory/static/load-embedder.ts';
import { chooseTools } from '../../src/questions/tools/choose-tools.ts';

/**
 * Prints how many of 60 goals get the right one of 200 tools first, and among the first three, and
 * the processor time of a choice.
 * Odd lines of the goals are for tuning, even ones are reported. `--misses` shows each miss.
 */
const root = join(import.meta.dirname, '../..');
const rows = (name: string): string[][] =>
  readFileSync(join(root, 'tests/bench/tools', name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));

const tools = rows('tools.tsv').map(
  ([name = '', description = '']): Tool => ({
    name,
    plugin: name.split('.', 1)[0] as string,
    pluginVersion: '1.0.0',
    digest: '0'.repeat(64),
    effect: 'read',
    description,
    inputSchema: { type: 'object' },
    examples: [],
  }),
);
const embedder = loadEmbedder(join(root, 'src/memory/static/static-embedder.ste'));
const likenessesTo = createLikenesses(() => embedder, console.error);
const times: number[] = [];

for (const half of ['tune', 'report']) {
  const goals = rows('goals.tsv').filter((_, index) => (index % 2 === 0) === (half === 'tune'));
  const places = goals.map(([goal = '', wanted]) => {
    const before = process.cpuUsage();
    const words = goalWords(goal);
    const chosen = chooseTools(words, tools, likenessesTo(goal, words));
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    const place = chosen.findIndex(({ tool }) => tool.name === wanted);
    if (place !== 0 && process.argv.includes('--misses')) {
      const first = chosen.slice(0, 3).map(({ tool }) => tool.name);
      console.log(`${half}: ${goal}: ${wanted} at ${place + 1}, before it ${first.join(', ')}`);
    }
    return place;
  });
  const share = (first: number): string =>
    (places.filter((place) => place >= 0 && place < first).length / goals.length).toFixed(2);
  console.log(`tools.${half}@1 ${share(1)}  tools.${half}@3 ${share(3)}  ${goals.length} goals`);
}

const median = times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;
console.log(
  `tools.ms ${median.toFixed(1)}  of a choice among ${tools.length}, no process is started`,
);
