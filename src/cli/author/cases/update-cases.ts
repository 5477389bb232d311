import { existsSync, readFileSync } from 'node:fs';
import { writeFileWhole } from '../../../lib/files/write-file-whole.ts';
import type { CaseFile } from './find-cases.ts';
import type { Expectation } from './parse-cases.ts';

/**
 * Writes expectations: into the file of cases where that is JSON, with all else as it was, or into
 * the answers beside it.
 *
 * @returns names of cases that keep what their own file says
 */
export function updateCases(
  { path, answers, cases }: CaseFile,
  fresh: ReadonlyMap<string, Expectation>,
): string[] {
  if (path === answers) {
    const written = JSON.parse(readFileSync(path, 'utf8')) as { name: string; expect?: object }[];
    for (const one of written) {
      const expect = fresh.get(one.name);
      if (expect !== undefined) one.expect = { ...keptFiles(one.expect), ...expect };
    }
    writeFileWhole(path, `${JSON.stringify(written, null, 2)}\n`);
    return [];
  }
  const kept = existsSync(answers) ? (JSON.parse(readFileSync(answers, 'utf8')) as object) : {};
  writeFileWhole(
    answers,
    `${JSON.stringify({ ...kept, ...Object.fromEntries(fresh) }, null, 2)}\n`,
  );
  // What the program says itself counts before what is beside it.
  return cases
    .filter(({ name, expect }) => fresh.has(name) && expect !== undefined && !(name in kept))
    .map(({ name }) => name);
}

function keptFiles(expect: object | undefined): object {
  return expect !== undefined && 'files' in expect ? { files: expect.files } : {};
}
