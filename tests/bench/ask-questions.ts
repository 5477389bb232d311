import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A question with the files that answer it; any of them is a hit. */
export type AskQuestion = {
  /** absolute folder to ask in */
  repo: string;
  question: string;
  /** relative to `repo` */
  files: string[];
  /** how it asks, for figures of each form: `where`, or `how` for how, what and why */
  form?: string;
  /** first and last of those that answer, in the first file */
  lines?: [number, number];
};

/** @throws {Error} that names the file and line of what is no question */
export function readQuestions(file: string, root: string): AskQuestion[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [toQuestion(line, `${file}:${index + 1}`, root)],
    );
}

function toQuestion(line: string, where: string, root: string): AskQuestion {
  const fault = new Error(`${where} is no {"repo", "question", "files"}: ${line.slice(0, 200)}`);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw fault;
  }
  if (typeof value !== 'object' || value === null) throw fault;
  const { repo, question, files, form, lines } = value as Record<string, unknown>;
  if (typeof repo !== 'string' || typeof question !== 'string' || !Array.isArray(files))
    throw fault;
  if (files.length === 0 || files.some((path) => typeof path !== 'string')) throw fault;
  const named = typeof form === 'string' ? { form } : {};
  const placed = Array.isArray(lines) ? { lines: lines as [number, number] } : {};
  return { repo: resolve(root, repo), question, files: files as string[], ...named, ...placed };
}

/**
 * Halves: what is published, and what weights may be chosen on. Those of `far` avoid the words of
 * the code, those of `use` ask about one detail each, as who uses the program or changes it.
 */
export const questionHalves = [
  'report',
  'tune',
  'report-far',
  'tune-far',
  'report-use',
  'tune-use',
] as const;

export type QuestionHalf = (typeof questionHalves)[number];

export function questionFile(root: string, half: QuestionHalf): string {
  return join(root, 'tests/bench/questions', `${half}.jsonl`);
}
