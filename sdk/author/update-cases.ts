import { existsSync, readFileSync } from 'node:fs';
import type { CaseFile } from './find-cases.ts';
import { withFieldOf } from './json-edit.ts';
import type { Expectation } from './parse-cases.ts';

/**
 * Names of cases whose `expect` is part of a program and is changed by hand. A program's own cases
 * come before those beside it.
 */
export function expectInProgram({ path, answers, cases }: CaseFile): Set<string> {
  if (path === answers) return new Set();
  const kept = answersIn(answers);
  const own = cases.filter(({ name, expect }) => expect !== undefined && !(name in kept));
  return new Set(own.map(({ name }) => name));
}

/**
 * Writes expectations: into the file of cases where that is JSON, every other character as it was,
 * or into the answers beside it.
 */
export function updateCases(
  { path, answers }: CaseFile,
  fresh: ReadonlyMap<string, Expectation>,
  write: (path: string, text: string) => void,
): void {
  if (path === answers) {
    let text = readFileSync(path, 'utf8');
    const written = JSON.parse(text) as { name: string; expect?: object }[];
    for (const [at, { name, expect }] of written.entries()) {
      const found = fresh.get(name);
      if (found === undefined) continue;
      text = withFieldOf(text, at, 'expect', { ...keptFiles(expect), ...found });
    }
    write(path, text);
    return;
  }
  const all = { ...answersIn(answers), ...Object.fromEntries(fresh) };
  write(answers, `${JSON.stringify(all, null, 2)}\n`);
}

function answersIn(path: string): object {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as object) : {};
}

function keptFiles(expect: object | undefined): object {
  return expect !== undefined && 'files' in expect ? { files: expect.files } : {};
}
