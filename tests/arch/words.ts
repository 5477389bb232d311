import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { repositoryFiles } from './source-files.ts';

/** The pages of a person: those of docs/ and of the top level; the changelog grows with releases. */
export function pageNames(): string[] {
  return repositoryFiles()
    .filter((path) => /^(?:docs\/)?[^/]+\.md$/.test(path) && path !== 'CHANGELOG.md')
    .sort();
}

/** Words that somebody wrote: without what `npm run gen` writes between its marks. */
export function writtenWords(text: string): number {
  if (text.includes('<!-- Written by npm run gen')) return 0;
  const written = text.replace(/<!-- (\w+): [\w ]+ -->[\s\S]*?<!-- end of \1 -->/g, '');
  return written.split(/\s+/).filter((word) => word !== '').length;
}

/** `npm run words`: words of each page, and how many of them are not generated. */
if (import.meta.main) {
  const root = resolve(import.meta.dirname, '../..');
  const pages = pageNames().map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, all: text.split(/\s+/).filter(Boolean).length, written: writtenWords(text) };
  });
  const row = (name: string, all: number, written: number): void =>
    console.log(name.padEnd(30), String(all).padStart(7), String(written).padStart(8));
  console.log(`${'page'.padEnd(30)}     all  written`);
  for (const { path, all, written } of pages) row(path, all, written);
  const sum = (of: 'all' | 'written'): number => pages.reduce((total, page) => total + page[of], 0);
  row(`${pages.length} pages`, sum('all'), sum('written'));
}
