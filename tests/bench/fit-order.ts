import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseQuestion } from '../../plugins/search/passages/parse-question.ts';
import { rankFiles } from '../../plugins/search/passages/rank-files.ts';
import { regionsOf } from '../../plugins/search/passages/regions.ts';
import { codeLikenesses } from '../../src/ask/likenesses-to.ts';
import { meaningSigns } from '../../src/ask/meaning-signs.ts';
import { loadEmbedder } from '../../src/memory/static/load-embedder.ts';
import { type AskQuestion, questionFile, readQuestions } from './ask-questions.ts';
import { hitRate } from './ask-score.ts';
import { fitChoices } from './fit-choices.ts';
import { fsOf } from './fs-of.ts';

const usage = `node tests/bench/fit-order.ts [--questions FILE --repos DIR]… [--embedder FILE]
  Fits the weights that order files by their signs, on the tuning halves and on further questions,
  and shows what they find in repositories that they were not fitted on. The reported halves are
  never read.
  --questions  as of bench:ask; may be given several times
  --repos      the folder that their \`repo\` is relative to; one for each file of questions
  --embedder   another table of word vectors`;

const root = resolve(import.meta.dirname, '../..');
const signNames = [
  'words',
  'kind',
  'lines',
  'near',
  'twin',
  'blocks',
  'outline',
  'nearest',
] as const;
/** Signs that count as a share of the best file's. */
const shares = new Set<string>(['blocks', 'outline', 'nearest']);
/** Repositories are left out by turns, so many at a time. */
const folds = 8;

type Case = { set: string; repo: string; signs: number[][]; right: boolean[] };

const { values } = parseArgs({
  options: {
    questions: { type: 'string', multiple: true, default: [] },
    repos: { type: 'string', multiple: true, default: [] },
    embedder: { type: 'string', default: resolve(root, 'src/memory/static/code-embedder.ste') },
    help: { type: 'boolean', default: false },
  },
});
let loaded: ReturnType<typeof loadEmbedder> | undefined;

function fitOrder(): void {
  const sets: [string, AskQuestion[]][] = [
    ['tune', readQuestions(questionFile(root, 'tune'), root)],
    ['tune-far', readQuestions(questionFile(root, 'tune-far'), root)],
    ['tune-use', readQuestions(questionFile(root, 'tune-use'), root)],
    ...values.questions.map((file, at): [string, AskQuestion[]] => [
      file.replace(/^.*\/|\.jsonl$/g, ''),
      readQuestions(resolve(file), resolve(values.repos[at] ?? values.repos[0] ?? '.')),
    ]),
  ];
  const cases = sets.flatMap(([set, questions]) => questions.flatMap((one) => toCase(set, one)));
  const repos = [...new Set(cases.map(({ repo }) => repo))].toSorted();
  const apart: number[] = new Array(cases.length).fill(-1);
  for (let fold = 0; fold < folds; fold += 1) {
    const left = new Set(repos.filter((_, at) => at % folds === fold));
    const { rank } = fitChoices(cases.filter(({ repo }) => !left.has(repo)));
    for (const [at, one] of cases.entries()) if (left.has(one.repo)) apart[at] = rank(one);
  }
  const all = fitChoices(cases);
  const asBefore = cases.map(({ right }) => right.indexOf(true));
  report('words alone', cases, asBefore);
  report('fitted, repositories left out', cases, apart);
  report('fitted on all', cases, cases.map(all.rank));
  for (const [at, name] of signNames.entries()) {
    console.log(`${name.padEnd(8)} ${(all.weights[at] as number).toFixed(2)}`);
  }
}

/** In the order that words give. */
function toCase(set: string, { repo, question, files }: AskQuestion): Case[] {
  const asked = parseQuestion(question);
  if (asked.terms.length === 0) return [];
  const { files: ranked } = rankFiles(fsOf(repo), 'work:', asked, question);
  const words = asked.terms.map(({ word }) => word);
  const likenesses = likenessesTo(question, words);
  const rows = ranked.flatMap((file) =>
    file.signs === undefined
      ? []
      : [{ ...file.signs, ...meaningSigns(regionsOf(file), likenesses), path: file.path }],
  );
  rows.sort((left, right) => right.words - left.words);
  const best = Object.fromEntries(
    signNames.map((name) => [name, Math.max(...rows.map((row) => row[name]), Number.MIN_VALUE)]),
  );
  const signs = rows.map((row) =>
    signNames.map((name) => (shares.has(name) ? row[name] / (best[name] as number) : row[name])),
  );
  return [{ set, repo, signs, right: rows.map(({ path }) => files.includes(path)) }];
}

function likenessesTo(
  question: string,
  words: readonly string[],
): NonNullable<ReturnType<typeof codeLikenesses>> {
  loaded ??= loadEmbedder(values.embedder);
  const embedder = loaded;
  const found = codeLikenesses(question, words, () => embedder, console.error);
  if (found === undefined) throw new Error(`${values.embedder} cannot be used`);
  return found;
}

function report(title: string, cases: readonly Case[], ranks: readonly number[]): void {
  console.log(title);
  for (const set of [...new Set(cases.map((one) => one.set)), 'all']) {
    const own = ranks.filter((_, at) => set === 'all' || cases[at]?.set === set);
    const shown = [1, 5].map((places) => hitRate(own, places).toFixed(3)).join(' / ');
    console.log(`  ${set.padEnd(12)} ${shown}  of ${own.length}`);
  }
}

if (values.help) console.log(usage);
else fitOrder();
