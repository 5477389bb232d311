import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../../src/lib/sha256.ts';
import { plainCode } from '../../../../src/memory/texts.ts';

const prose = /\.(?:txt|md|mdx|rst|adoc)$/i;
const code = /\.(?:[cm]?[jt]sx?|py|go|rs|java|c|h|cc|cpp|hpp|rb|sh)$/i;
const left = /\.min\.|[\\/](?:\.git|__pycache__)[\\/]/;
const maxFileCharacters = 200_000;
const shortest = 24;
const longest = 420;

/**
 * Short texts to learn from: paragraphs of prose, and blocks of code with their comments.
 *
 * @param folders every text and source file below them is read
 * @param most texts, of each folder an equal share; of more, those with the smallest hashes are
 *   taken, the same each time
 */
export function readTexts(folders: readonly string[], most: number): string[] {
  const share = Math.ceil(most / folders.length);
  return [...new Set(folders.flatMap((folder) => textsBelow(folder, share)))];
}

function textsBelow(folder: string, most: number): string[] {
  const byHash = new Map<string, string>();
  for (const entry of globSync('**/*', { cwd: folder, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || left.test(path) || !(prose.test(path) || code.test(path))) continue;
    const text = readFileSync(path, 'utf8').slice(0, maxFileCharacters);
    for (const piece of prose.test(path) ? paragraphs(text) : blocks(text))
      byHash.set(sha256(piece), piece);
  }
  return [...byHash]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, most)
    .map(([, text]) => text);
}

function paragraphs(text: string): string[] {
  return text
    .split(/\n\s*\n|^#+ .*$/m)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part.length >= shortest)
    .map((part) => part.slice(0, longest));
}

/** Lines up to the next empty one, as words. */
function blocks(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map(plainCode)
    .filter((part) => part.length >= shortest && /[a-z]{3} [a-z]{3}/i.test(part))
    .map((part) => part.slice(0, longest));
}
