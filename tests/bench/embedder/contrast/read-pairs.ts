import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../../src/lib/sha256.ts';
import { type Pair, pairsIn } from './pairs-in.ts';

const source = /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt)$/i;
/** Written by programs, or about code rather than code, or of another package. */
const left =
  /(?:^|\/)(?:tests?|__tests__|spec|fixtures?|examples?|bench(?:marks?)?|testdata|_?vendor(?:ed)?|third_party|patched|deps|node_modules)\/|\.min\.|\.d\.[cm]?ts$|[._](?:test|spec)\.|_pb|\.pb\.|generated/i;
const maxFileCharacters = 400_000;
const maxLineCharacters = 2000;

/**
 * Pairs of each package, none of whose comments comes twice.
 *
 * @param folder whose folders are packages
 * @param options.most of one package; of more, those with the smallest hashes, the same each time
 * @param options.apart comments that are left out
 */
export function readPairs(
  folder: string,
  { most, apart }: { most: number; apart: ReadonlySet<string> },
): Pair[][] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => pairsOfPackage(join(folder, name), most, apart));
}

/** All comments that stand at code below a folder, tests and vendored packages among it. */
export function readComments(folder: string): string[] {
  return globSync('**/*', { cwd: folder })
    .filter((path) => source.test(path))
    .flatMap((path) => pairsOfFile(join(folder, path), path).map(({ comment }) => comment));
}

function pairsOfPackage(folder: string, most: number, apart: ReadonlySet<string>): Pair[] {
  const byComment = new Map<string, Pair>();
  for (const path of globSync('**/*', { cwd: folder })) {
    if (!source.test(path) || left.test(path.replaceAll('\\', '/'))) continue;
    for (const pair of pairsOfFile(join(folder, path), path)) byComment.set(pair.comment, pair);
  }
  return [...byComment]
    .filter(([comment]) => !apart.has(comment))
    .map(([comment, pair]) => ({ hash: sha256(comment), pair }))
    .sort((one, other) => (one.hash < other.hash ? -1 : 1))
    .slice(0, most)
    .map(({ pair }) => pair);
}

function pairsOfFile(file: string, path: string): Pair[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return []; // a folder whose name ends like a source file's
  }
  const [first = ''] = text.split('\n', 1);
  if (text.length > maxFileCharacters || first.length > maxLineCharacters) return [];
  if (/generated/i.test(text.slice(0, 300))) return [];
  return pairsIn(text, path.endsWith('.py') ? 'python' : 'other');
}
