import { execFileSync } from 'node:child_process';
import { openPlace } from '../support/place.ts';
import { english, type FirstHourRow, german, spanish } from './questions/first-hour.ts';

/** A project that nobody has seen, with a history and a change that is not committed. */
const files = {
  'package.json': JSON.stringify({
    name: 'fruit-stand',
    version: '1.2.0',
    type: 'module',
    scripts: {
      test: 'node --test',
      lint: 'echo lint is clean',
      build: 'echo built in dist',
      start: 'node src/main.js',
    },
  }),
  'README.md':
    '# Fruit stand\n\nCounts what fruit costs, with tax.\n\n## Start\n\nRun `npm start`.\n',
  'docs/prices.md': '# Prices\n\nApples cost 2, pears cost 3.\n',
  'src/tax.js': 'export const taxRate = 0.07;\n',
  'src/cart.js':
    "import { taxRate } from './tax.js';\n\nexport function total(prices) {\n  return prices.reduce((sum, each) => sum + each, 0);\n}\n\nexport function withTax(sum) {\n  return sum * (1 + taxRate);\n}\n",
  'src/main.js': "import { total } from './cart.js';\n\nconsole.log('total:', total([2, 3, 7]));\n",
  'test/cart.test.js':
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { total, withTax } from '../src/cart.js';\n\ntest('total adds', () => assert.equal(total([1, 2]), 3));\ntest('tax is added', () => assert.ok(withTax(100) > 106));\n",
};

type Outcome = 'right' | 'refused' | 'missed' | 'wrong';

async function outcomeOf({ text, right, refused }: FirstHourRow): Promise<[Outcome, string]> {
  using place = openPlace(files);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org', ...args], {
      cwd: place.work,
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Add a price list');
  place.write({
    'notes/ideas.md': '- sell plums\n',
    'src/cart.js': `${files['src/cart.js']}export const discount = 0;\n`,
  });
  const allow = ['exec:npm', 'exec:node', 'exec:git', 'fs-write:work'];
  const flags = allow.flatMap((each) => ['--allow', each]);
  const { code, stdout, stderr } = await place.cuervo(['ask', '-q', ...flags, text]);
  const error = /^error: .*$/m.exec(stderr)?.[0] ?? '';
  const shown = stdout.split('\n').filter((line) => line.trim() !== '');
  const line = `${code} ${(error || shown.slice(0, 2).join(' / ')).slice(0, 110)}`;
  if (code === 0) return [right?.test(stdout) === true ? 'right' : 'wrong', line];
  const said = error + (/^hint: .*$/m.exec(stderr)?.[0] ?? '');
  return [refused?.test(said) === true ? 'refused' : 'missed', line];
}

const counts: Record<Outcome, number> = { right: 0, refused: 0, missed: 0, wrong: 0 };
for (const [language, rows] of Object.entries({ english, german, spanish })) {
  for (const row of rows) {
    const [outcome, line] = await outcomeOf(row);
    counts[outcome] += 1;
    console.log(`| ${language} | ${row.text} | ${outcome} | ${line.replaceAll('|', '\\|')} |`);
  }
}
console.log(JSON.stringify(counts));
