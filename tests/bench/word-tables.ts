import { spawnSync } from 'node:child_process';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type QuestionHalf, questionFile, questionHalves, readQuestions } from './ask-questions.ts';
import { hitRate, rankOf } from './ask-score.ts';

const tables = ['program-words', 'related-words', 'replace-phrases'] as const;
const usage = `node tests/bench/word-tables.ts [--half NAME]…
  What the word tables of the search for passages are worth: the share of questions whose right file
  comes first, and among five, with all tables, without each, and without all. In this process,
  without the command line; ranked by words and by likeness, as an answer is.
  --half  ${questionHalves.join(', ')}; default the three reported ones`;

const root = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    half: { type: 'string', multiple: true, default: ['report', 'report-far', 'report-use'] },
    without: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

/** Modules are loaded once, so each choice of tables has a process of its own. */
function compare(): number {
  const choices = [[], ...tables.map((table) => [table]), tables];
  for (const without of choices) {
    const args = [...without, ''].flatMap((table) => ['--without', table]);
    const halves = values.half.flatMap((half) => ['--half', half]);
    const title = without.length === 0 ? 'all tables' : `without ${without.join(', ')}`;
    console.log(title);
    const { status } = spawnSync(process.execPath, [import.meta.filename, ...args, ...halves], {
      stdio: 'inherit',
    });
    if (status !== 0) return 1;
  }
  return 0;
}

/** @param without tables that are empty instead */
async function measure(without: readonly string[]): Promise<void> {
  const emptied: string[] = [];
  registerHooks({
    load: (url, context, next) => {
      const table = without.find((name) => url.endsWith(`/${name}.json`));
      if (table === undefined) return next(url, context);
      emptied.push(table);
      const source = table === 'related-words' ? '[]' : '{}';
      return { format: 'json', source, shortCircuit: true };
    },
  });
  const { rankedPaths } = await import('./ranked-paths.ts');
  if (emptied.length !== without.length) throw new Error(`no table ${without.join(', ')} is read`);
  const all: number[] = [];
  for (const half of values.half) {
    const questions = readQuestions(questionFile(root, half as QuestionHalf), root);
    const ranks = questions.map(({ repo, question, files }) =>
      rankOf(rankedPaths(repo, question), files),
    );
    all.push(...ranks);
    report(half, ranks);
  }
  report('all', all);
}

function report(name: string, ranks: readonly number[]): void {
  const shown = [1, 5].map((places) => hitRate(ranks, places).toFixed(3)).join(' / ');
  console.log(`  ${name.padEnd(12)} ${shown}  of ${ranks.length}`);
}

if (values.help) console.log(usage);
else if (values.without === undefined) process.exitCode = compare();
else await measure(values.without.filter((table) => table !== ''));
