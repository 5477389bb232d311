import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const halves = ['tune', 'report', 'tune-far', 'report-far', 'tune-use', 'report-use'] as const;

type Question = {
  repo: string;
  question: string;
  files: string[];
  lines?: [number, number];
  form?: string;
};
type Entry = Question & { where: string };

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '';

const isLineRange = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((line) => Number.isInteger(line));

/** Three in the halves; questions about other repositories may have more. */
const mostFiles = 7;

const isQuestion = (value: unknown): value is Question => {
  if (typeof value !== 'object' || value === null) return false;
  const { repo, question, files, lines, form, ...rest } = value as Record<string, unknown>;
  const answered = Array.isArray(files) && files.length >= 1 && files.length <= mostFiles;
  return (
    isText(repo) &&
    isText(question) &&
    answered &&
    files.every(isText) &&
    (lines === undefined || isLineRange(lines)) &&
    (form === undefined || form === 'where' || form === 'how') &&
    Object.keys(rest).length === 0
  );
};

const elsewhere = [
  'elsewhere',
  'elsewhere-later',
  'packages',
  'unseen-tune',
  'unseen-report',
] as const;

const read = (half: (typeof halves)[number] | (typeof elsewhere)[number]): Entry[] =>
  readFileSync(new URL(`${half}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      const where = `${half}.jsonl:${index + 1}`;
      const value: unknown = JSON.parse(line);
      if (!isQuestion(value)) throw new Error(`${where} is no question: ${line}`);
      return { ...value, where };
    });

const pathOf = ({ repo }: Entry, file: string): string => join(root, repo, file);

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const countBy = <T>(items: T[], key: (item: T) => string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
};

const repeated = (counts: Map<string, number>, limit: number): string[] =>
  [...counts].filter(([, count]) => count > limit).map(([key]) => key);

describe.each([
  ['tune', 'report', 3],
  ['tune-far', 'report-far', 2],
  ['tune-use', 'report-use', 2],
] as const)('the questions of %s and %s', (tuneHalf, reportHalf, mostOfFile) => {
  const tune = read(tuneHalf);
  const report = read(reportHalf);
  const entries = [...tune, ...report];

  it('names only files that exist', () => {
    const missing = entries.flatMap((entry) =>
      entry.files
        .map((file) => pathOf(entry, file))
        .filter((path) => !isFile(path))
        .map((path) => `${entry.where}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('names line ranges that lie within the first file', () => {
    const outside = entries.filter((entry) => {
      if (entry.lines === undefined) return false;
      const [first, last] = entry.lines;
      const text = readFileSync(pathOf(entry, entry.files[0]!), 'utf8');
      const lineCount = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
      return first < 1 || last < first || last > lineCount;
    });
    expect(outside.map(({ where }) => where)).toEqual([]);
  });

  it('has no question that more than three files answer', () => {
    const loose = entries.filter(({ files }) => files.length > 3);
    expect(loose.map(({ where }) => where)).toEqual([]);
  });

  it('asks nothing twice', () => {
    const counts = countBy(entries, ({ repo, question }) => `${repo}: ${question.toLowerCase()}`);
    expect(repeated(counts, 1)).toEqual([]);
  });

  it(`has no file that answers more than ${mostOfFile} questions`, () => {
    const answers = entries.flatMap((entry) => entry.files.map((file) => pathOf(entry, file)));
    expect(
      repeated(
        countBy(answers, (path) => path),
        mostOfFile,
      ),
    ).toEqual([]);
  });

  it('splits every repository evenly and holds at least 60 questions', () => {
    expect(entries.length).toBeGreaterThanOrEqual(60);
    const tuned = countBy(tune, ({ repo }) => repo);
    const reported = countBy(report, ({ repo }) => repo);
    for (const { repo } of entries) {
      const difference = (tuned.get(repo) ?? 0) - (reported.get(repo) ?? 0);
      expect(Math.abs(difference), repo).toBeLessThanOrEqual(1);
    }
  });
});

describe('the questions about other repositories', () => {
  const entries = elsewhere.flatMap(read);
  const reported = [...read('report'), ...read('report-far'), ...read('report-use')];

  it('are none that the reported half asks, nor about what it asks about', () => {
    const asked = new Set(reported.map(({ question }) => question.toLowerCase()));
    const repos = new Set(reported.map(({ repo }) => repo));
    const shared = entries.filter(
      ({ repo, question }) => asked.has(question.toLowerCase()) || repos.has(repo),
    );
    expect(entries.length).toBeGreaterThanOrEqual(500);
    expect(shared.map(({ where }) => where)).toEqual([]);
  });

  it('ask nothing twice', () => {
    const counts = countBy(entries, ({ repo, question }) => `${repo}: ${question.toLowerCase()}`);
    expect(repeated(counts, 1)).toEqual([]);
  });
});
