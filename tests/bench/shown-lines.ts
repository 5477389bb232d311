import { resolve } from 'node:path';
import { cutPassages } from '../../plugins/search/passages/cut-passages.ts';
import { parseQuestion } from '../../plugins/search/passages/parse-question.ts';
import { rankFiles } from '../../plugins/search/passages/rank-files.ts';
import { tuning } from '../../plugins/search/passages/tuning.ts';
import { passageText } from '../../src/lib/text/passage-text.ts';
import { questionFile, readQuestions } from './ask-questions.ts';
import { fsOf } from './fs-of.ts';

/**
 * `node tests/bench/shown-lines.ts`: how often lines that answer are among those shown of the right
 * file, first and among its first three passages, for some weights of `tuning.decides`. Questions
 * of the tuning halves only.
 */
const weights = [0, tuning.decides, 2 * tuning.decides];
/** Lines that an answer shows of its first passage. */
const shownLines = 8;

function measureShown(): void {
  const root = resolve(import.meta.dirname, '../..');
  const counts = weights.map(() => ({ first: 0, three: 0 }));
  let asked = 0;
  for (const half of ['tune', 'tune-far', 'tune-use'] as const) {
    for (const { repo, question, files, lines } of readQuestions(questionFile(root, half), root)) {
      const parsed = parseQuestion(question);
      const ranking = rankFiles(fsOf(repo), 'work:', parsed, question);
      const file = ranking.files.find(({ path }) => path === files[0]);
      if (file === undefined || lines === undefined) continue;
      asked += 1;
      const [from, to] = lines;
      for (const [at, weight] of weights.entries()) {
        tuning.decides = weight;
        const right = cutPassages(file, ranking.weights, 3).map((passage) =>
          numbersIn(passageText(passage, question, shownLines)).some(
            (line) => line >= from && line <= to,
          ),
        );
        const count = counts[at] as (typeof counts)[number];
        if (right[0] === true) count.first += 1;
        if (right.includes(true)) count.three += 1;
      }
    }
  }
  for (const [at, { first, three }] of counts.entries()) {
    const shares = [first, three].map((count) => (count / asked).toFixed(3)).join(' / ');
    console.log(`decides ${weights[at]}: ${shares}  of ${asked}`);
  }
}

/** Of the lines of a passage as it is shown. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/^[> ] +(\d+)(?: |$)/gm)].map(([, number]) => Number(number));
}

measureShown();
