import { resolve } from 'node:path';
import { findWide } from '../../plugins/search/passages/find-passages.ts';
import { codeLikenesses } from '../../src/ask/likenesses-to.ts';
import { rankFiles } from '../../src/ask/rank-files.ts';
import { loadEmbedder } from '../../src/memory/static/load-embedder.ts';
import { fsOf } from './fs-of.ts';

const root = resolve(import.meta.dirname, '../..');
const embedder = loadEmbedder(resolve(root, 'src/memory/static/code-embedder.ste'));
const opened = new Map<string, ReturnType<typeof fsOf>>();

/** The files of a folder that answer a question, best first, by words and by likeness. */
export function rankedPaths(repo: string, question: string): string[] {
  const files = opened.get(repo) ?? fsOf(repo);
  opened.set(repo, files);
  const found = findWide(files, 'work:', question);
  const likenesses = codeLikenesses(question, found.words, () => embedder, console.error);
  if (likenesses === undefined) throw new Error('the embedder cannot be used');
  return rankFiles(found, likenesses).map(({ path }) => path);
}
