import { codeGlobs } from '../code/code-family.ts';
import { escapePattern } from '../escape-pattern.ts';
import type { PassageFs } from './passage-fs.ts';
import { isSource } from './path-factor.ts';
import type { Report } from './read-report.ts';
import { ownRoot } from './walked-files.ts';

/** What a text says of a file without its words. */
export type Mentioned = {
  /** 1-based; of the first name that it defines */
  line: number;
  /** how likely a path that is mentioned means it, 0 to 1 */
  place: number;
  /** how much of the mentioned names it defines, 0 to 1; a name that many files define says little */
  names: number;
  /** 1-based; where a trace stands in it */
  frame?: number;
};

/** Definitions that are looked at. */
const maxMatches = 3000;
/** What each further place, and each further name, counts less. */
const placeDecay = 0.8;
const nameDecay = 8;

/** Files that define names, or whose path is meant by a part of one. */
export function findMentioned(
  files: PassageFs,
  root: string,
  { names, places, lines }: Pick<Report, 'names' | 'places' | 'lines'>,
  exclude: readonly string[],
): ReadonlyMap<string, Mentioned> {
  const found = new Map<string, Mentioned>();
  const of = (path: string): Mentioned => {
    const known = found.get(path) ?? { line: 1, place: 0, names: 0 };
    found.set(path, known);
    return known;
  };
  for (const { path, worth, place } of placed(files, root, places, exclude)) {
    const known = of(path);
    const frame = lines.get(place);
    if (frame !== undefined && known.frame === undefined) known.frame = frame;
    known.place = Math.max(known.place, worth);
  }
  for (const { path, line, worth } of definers(files, root, names, exclude)) {
    const known = of(path);
    if (known.names === 0) known.line = line;
    known.names = Math.min(1, known.names + worth);
  }
  return found;
}

/** Files whose path ends as a mentioned one does, in at least two parts where that has two. */
function placed(
  files: PassageFs,
  root: string,
  places: readonly string[],
  exclude: readonly string[],
): { path: string; worth: number; place: string }[] {
  const wanted = places.map((place) => ({ place, parts: partsOf(place) }));
  const include = [...new Set(wanted.flatMap(({ parts }) => globsOf(parts)))];
  if (include.length === 0) return [];
  const paths = listing(files, root, include, exclude);
  return wanted.flatMap(({ parts, place }, at) => {
    const shared = paths.map((path) => ({ path, count: sharedEnd(partsOf(path), parts) }));
    const most = Math.max(0, ...shared.map(({ count }) => count));
    if (most < Math.min(2, parts.length)) return [];
    const best = shared.filter(({ count }) => count === most);
    const isFile = /\.\w+$/.test(place);
    const worth = ((isFile ? 1 : 0.6) * placeDecay ** at) / best.length;
    return best.map(({ path }) => ({ path, worth, place }));
  });
}

function listing(
  files: PassageFs,
  root: string,
  include: readonly string[],
  exclude: readonly string[],
): string[] {
  try {
    const walked = files.walk(root, { include: [...include], exclude: [...exclude] });
    return walked
      .filter(({ kind }) => kind === 'file')
      .map(({ path }) => path.replace(ownRoot, ''))
      .filter(isSource);
  } catch {
    return [];
  }
}

/** `a/b.py` -> `a`, `b`; a package is named by its folder. */
function partsOf(path: string): string[] {
  return path
    .replace(/\.\w+$/, '')
    .replace(/\/(?:__init__|index|mod)$/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
}

function globsOf(parts: readonly string[]): string[] {
  const last = parts.at(-1);
  if (last === undefined || !/^[\w.@+-]+$/.test(last)) return [];
  return [`**/${last}.*`, `**/${last}/__init__.py`, `**/${last}/index.*`];
}

function sharedEnd(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < other.length && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}

function definers(
  files: PassageFs,
  root: string,
  names: readonly string[],
  exclude: readonly string[],
): { path: string; line: number; worth: number }[] {
  const plain = names.filter((name) => /^[A-Za-z_$][\w$]{2,}$/.test(name));
  if (plain.length === 0) return [];
  const any = plain.map(escapePattern).join('|');
  const pattern = [
    String.raw`\b(?:class|def|function\*?|interface|type|enum|struct|trait|fn|func|const|let|var|module|object)\s+(?:\([^)]*\)\s*)?(?:${any})\b`,
    String.raw`^\s+(?:(?:async|static|public|private|protected|get|set)\s+)*(?:${any})\s*\([^;]*\{\s*$`,
    String.raw`\b(?:${any})\s*[:=]\s*(?:async\s*)?(?:function\b|\()`,
  ].join('|');
  const finder = new RegExp(String.raw`\b(?:${any})\b`, 'g');
  const places = new Map<string, Map<string, number>>();
  for (const { path: full, line, text } of matching(files, root, pattern, exclude)) {
    const path = full.replace(ownRoot, '');
    if (!isSource(path)) continue;
    for (const [name] of text.matchAll(finder)) {
      const known = places.get(name) ?? new Map<string, number>();
      if (!known.has(path)) known.set(path, line);
      places.set(name, known);
      break;
    }
  }
  return plain.flatMap((name, at) => {
    const holders = [...(places.get(name) ?? [])];
    const worth = 1 / (1 + at / nameDecay) / holders.length;
    return holders.map(([path, line]) => ({ path, line, worth }));
  });
}

function matching(
  files: PassageFs,
  root: string,
  pattern: string,
  exclude: readonly string[],
): readonly { path: string; line: number; text: string }[] {
  try {
    // Definitions stand in code; the rest of a tree may be most of it.
    const walk = { include: [...codeGlobs, '*.vue', '*.svelte'], exclude: [...exclude] };
    return files.scan(root, { pattern, limit: maxMatches, walk }).matches;
  } catch {
    return [];
  }
}
