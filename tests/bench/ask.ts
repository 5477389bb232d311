import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { askFiles, type IndexedHomes, openIndexedHomes } from './ask-files.ts';
import {
  type AskQuestion,
  type QuestionHalf,
  questionFile,
  questionHalves,
  readQuestions,
} from './ask-questions.ts';
import { type AskLine, askLines, rankOf } from './ask-score.ts';
import { type FileIndex, indexFiles } from './bm25-files.ts';
import { commitQuestions } from './commit-questions.ts';
import { measureEveryday } from './everyday.ts';

const usage = `npm run bench:ask -- [--json] [--check] [--questions FILE] [--repos DIR] [--half NAME] [--index] [--embedder DIR] [--everyday] [--commits REPO] [--count N] [--verbose]
  --questions  lines {"repo": DIR, "question": …, "files": […]}; default all in tests/bench/questions
  --repos      the folder that their DIR is relative to; default the current one
  --half       only one of these: ${questionHalves.join(', ')}
  --index      the same questions once more, with an index of each folder
  --everyday   instead: questions of every day, and whether the first screen answers them
  --commits    instead: subjects of commits of a repository, asked in the tree before each
  --count      so many of them; default 20
  --embedder   folder of a sentence model that makes the vectors of the index
  --json       one object a line instead of a table
  --verbose    each question with what was shown, on stderr; never of a reported half
  --check      exit 1 when a figure is out of reach`;

const root = resolve(import.meta.dirname, '../..');
const indexes = new Map<string, FileIndex>();

type QuestionSet = { suffix: string; questions: AskQuestion[]; verbose: boolean };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      questions: { type: 'string' },
      repos: { type: 'string', default: '.' },
      half: { type: 'string' },
      index: { type: 'boolean', default: false },
      embedder: { type: 'string' },
      everyday: { type: 'boolean', default: false },
      commits: { type: 'string' },
      count: { type: 'string', default: '20' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { half } = values;
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (half !== undefined && !isHalf(half)) {
    console.error(`there is no half "${half}"\n${usage}`);
    return 2;
  }
  if (values.everyday) return everyday(values);
  const { embedder } = values;
  using homes = openIndexedHomes(embedder === undefined ? undefined : resolve(embedder));
  const indexed = values.index || embedder !== undefined ? homes : undefined;
  const lines: AskLine[] = [];
  using trees = openFolder();
  const sets =
    values.commits === undefined
      ? chooseSets(values, half)
      : [commitSet(values.commits, Number(values.count), values.verbose, trees.path)];
  for (const set of sets) {
    const found = await measure(set, indexed);
    lines.push(...found);
    if (values.json) for (const line of found) console.log(JSON.stringify(line));
  }
  if (!values.json) console.log(formatLines(lines));
  return values.check && lines.some(({ ok }) => !ok) ? 1 : 0;
}

function commitSet(repo: string, count: number, verbose: boolean, into: string): QuestionSet {
  return { suffix: '.commits', questions: commitQuestions(resolve(repo), count, into), verbose };
}

function openFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'cuervo-bench-ask-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

async function everyday(values: {
  half?: string;
  json: boolean;
  verbose: boolean;
}): Promise<number> {
  for (const half of ['tune', 'report'] as const) {
    if (values.half !== undefined && values.half !== half) continue;
    const tell = (
      asked: { repo: string; question: string },
      screen: string,
      missing: readonly string[],
    ) => {
      if (missing.length > 0)
        console.error(
          `${asked.repo}: ${asked.question}\n  missing ${missing.join(' | ')}\n${screen}\n`,
        );
    };
    const isTold = values.verbose && half === 'tune';
    for (const line of await measureEveryday(root, half, isTold ? tell : undefined)) {
      if (values.json) console.log(JSON.stringify(line));
      else console.log(`${line.name.padEnd(28)}${line.value} of ${line.runs}`);
    }
  }
  return 0;
}

function chooseSets(
  { questions: file, repos, verbose }: { questions?: string; repos: string; verbose: boolean },
  half: QuestionHalf | undefined,
): QuestionSet[] {
  if (file !== undefined) {
    const forms = Map.groupBy(readQuestions(resolve(file), resolve(repos)), ({ form }) => form);
    const isTold = verbose && !file.includes('report');
    return [...forms].map(([form, questions]) => ({
      suffix: form === undefined ? '' : `.${form}`,
      questions,
      verbose: isTold,
    }));
  }
  const halves = half === undefined ? questionHalves : [half];
  return halves.map((name) => ({
    suffix: suffixOf[name],
    questions: readQuestions(questionFile(root, name), root),
    verbose: verbose && !name.startsWith('report'),
  }));
}

const suffixOf: Readonly<Record<QuestionHalf, string>> = {
  report: '',
  tune: '.tune',
  'report-far': '.far',
  'tune-far': '.far.tune',
  'report-use': '.use',
  'tune-use': '.use.tune',
};

function isHalf(name: string): name is QuestionHalf {
  return (questionHalves as readonly string[]).includes(name);
}

async function measure(
  { suffix, questions, verbose }: QuestionSet,
  homes: IndexedHomes | undefined,
): Promise<AskLine[]> {
  const ranks = { ask: [] as number[], bm25: [] as number[], index: [] as number[] };
  const indexTimes: number[] = [];
  let lost = 0;
  const errors: string[] = [];
  const times: number[] = [];
  for (const [index, asked] of questions.entries()) {
    if (process.stderr.isTTY) process.stderr.write(`\r${index + 1}/${questions.length} `);
    const { files, error, durationMs } = await askFiles(asked);
    if (error !== undefined) errors.push(error);
    times.push(durationMs);
    const rank = rankOf(files, asked.files);
    ranks.ask.push(rank);
    if (homes !== undefined) {
      const again = await askFiles(asked, await homes.of(asked.repo));
      if (again.error !== undefined) errors.push(again.error);
      indexTimes.push(again.durationMs);
      const found = rankOf(again.files, asked.files);
      ranks.index.push(found);
      if (rank >= 0 && rank < 5 && (found < 0 || found >= 5)) lost += 1;
    }
    ranks.bm25.push(rankOf(indexOf(asked.repo).rank(asked.question), asked.files));
    if (verbose) {
      console.error(
        `${rank} ${asked.question}\n    wanted ${asked.files.join(' ')}\n    shown  ${files.join(' ')}`,
      );
    }
  }
  const { index: withIndex, ...without } = ranks;
  const [first, ...rest] = askLines(
    { ...without, ...(homes === undefined ? {} : { index: withIndex }) },
    suffix,
  );
  if (first === undefined) return [];
  const failed = errors.length === 0 ? '' : `; ${errors.length} failed: ${errors[0]}`;
  return [{ ...first, note: `${median(times)} ms a question${failed}` }, ...rest].map((line) =>
    line.name === `ask.index.hit5${suffix}`
      ? { ...line, note: `${median(indexTimes)} ms a question; ${lost} left the first five` }
      : line,
  );
}

function median(times: readonly number[]): number {
  return Math.round(times.toSorted((left, right) => left - right)[times.length >> 1] ?? 0);
}

function indexOf(repo: string): FileIndex {
  const known = indexes.get(repo) ?? indexFiles(repo);
  indexes.set(repo, known);
  return known;
}

function formatLines(lines: readonly AskLine[]): string {
  const rows = lines.map(({ name, value, runs, reach, ok, note }) =>
    [
      name.padEnd(20),
      value.toFixed(3),
      `of ${runs}`.padEnd(7),
      reach.padEnd(9),
      reach === 'reported' ? '' : ok ? 'ok' : 'OUT',
      note ?? '',
    ]
      .join('  ')
      .trimEnd(),
  );
  return rows.join('\n');
}

process.exitCode = await main();
