import type { fs } from '@cuervo/sdk';
import { codeGlobs } from '../code/code-family.ts';
import { fileOf, folderOf } from '../code/resolve-import.ts';
import { escapePattern } from '../escape-pattern.ts';
import { leftOut, scanCut } from '../left-out.ts';
import { isTest } from '../passages/path-factor.ts';
import { type EntryPoint, findEntries } from './find-entries.ts';
import { namedFolder } from './named-folder.ts';
import { partsOf, partWith } from './parts-of.ts';

/** Files of code that are counted, and lines that import. */
const maxFiles = 50_000;
const maxLines = 10_000;
/** Packages of the workspace whose names its imports may say. */
const maxPackages = 60;
/** Names that are given of one part. */
const mostNames = 6;

export type Part = {
  /** a folder, relative to the workspace; `.` for files that stand in no other part */
  path: string;
  files: number;
  bytes: number;
  /** parts that its files import, the most imported first */
  uses: { path: string; imports: number }[];
  /** parts whose files import it */
  usedBy: number;
};

export type WorkspaceMap = {
  /** all code of the workspace */
  files: number;
  bytes: number;
  /** in the order of their paths */
  parts: Part[];
  /** where programs and libraries begin */
  entries: EntryPoint[];
  cut?: string;
};

export type MapHost = Pick<typeof fs, 'walk' | 'scan' | 'unsearched' | 'readMany'>;

/**
 * Of what a workspace is made: its folders of code, which of them imports which, and where it begins.
 * It goes by the lines of imports and by paths, so that no file is read.
 *
 * @param most parts that are given
 */
export function mapWorkspace(host: MapHost, place: string, most: number): WorkspaceMap {
  const walked = host.walk(place, { include: [...codeGlobs], limit: maxFiles + 1 });
  const files = walked
    .filter(({ kind }) => kind === 'file')
    .map(({ path, size }) => ({ path: plainPath(path), size }));
  const parts = new Map(
    partsOf(files, most).map((path): [string, Part] => [
      path,
      { path, files: 0, bytes: 0, uses: [], usedBy: 0 },
    ]),
  );
  const names = new Set(parts.keys());
  for (const { path, size } of files) {
    const part = parts.get(partWith(path, names));
    if (part === undefined) continue;
    part.files += 1;
    part.bytes += size;
  }
  const { entries, packages } = findEntries(host, place);
  const end = addUses(host, { place, parts, names, packages, files });
  const cuts = [
    ...(walked.length > maxFiles ? [`files behind the first ${maxFiles}`] : []),
    ...end,
  ];
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    parts: [...parts.values()],
    entries,
    ...leftOut(cuts, ' and ', '; give a narrower path'),
  };
}

const plainPath = (path: string): string => path.replace(/^work:/, '');

function addUses(
  host: MapHost,
  of: {
    place: string;
    parts: ReadonlyMap<string, Part>;
    names: ReadonlySet<string>;
    packages: ReadonlyMap<string, string>;
    files: readonly { path: string }[];
  },
): string[] {
  const { place, parts, names, packages } = of;
  if (parts.size < 2) return [];
  const folders = new Set(of.files.flatMap(({ path }) => [folderOf(path), withoutEnding(path)]));
  const { matches } = host.scan(place, {
    pattern: importPattern([...packages.keys()].slice(0, maxPackages)),
    limit: maxLines,
    walk: { include: [...codeGlobs] },
  });
  const end = scanCut(host, `imports behind the first ${maxLines} lines`);
  const counts = new Map<string, Map<string, number>>();
  for (const { path, text } of matches) {
    const from = plainPath(path);
    // What a test imports says little of how the parts hang together.
    if (isTest(from)) continue;
    const own = partWith(from, names);
    const named = namedFolder(from, text, { packages, folders });
    if (named === undefined) continue;
    const other = partWith(`${named}/`, names);
    if (other === own || !parts.has(other)) continue;
    const uses = counts.get(own) ?? new Map<string, number>();
    uses.set(other, (uses.get(other) ?? 0) + 1);
    counts.set(own, uses);
  }
  for (const [own, uses] of counts) {
    const part = parts.get(own);
    if (part === undefined) continue;
    const all = [...uses].map(([path, imports]) => ({ path, imports }));
    part.uses = all.toSorted((one, other) => other.imports - one.imports).slice(0, mostNames);
    for (const { path } of all) (parts.get(path) as Part).usedBy += 1;
  }
  return end;
}

const withoutEnding = (path: string): string =>
  `${folderOf(path)}/${fileOf(path).replace(/\..*$/, '')}`.replace(/^\//, '');

/** Lines that import something of the workspace: a path from here, or the name of one of its packages. */
function importPattern(packages: readonly string[]): string {
  const names = packages.map((name) => `${escapePattern(name)}(?:/[^'"]*)?['"]`);
  const quoted = `['"](?:\\.{1,2}(?:/|['"])|[@~]/${names.map((name) => `|${name}`).join('')})`;
  return [
    `(?:\\bfrom\\s*|\\bimport\\s*\\(?\\s*|\\brequire\\s*\\(\\s*|\\brequire_relative\\s*\\(?)${quoted}`,
    String.raw`^\s*(?:from\s+[\w.]+\s+import\b|import\s+(?:static\s+)?[a-z_]\w*(?:\.\w+)*\s*(?:;|,|as\b|$))`,
    String.raw`^\s*(?:pub\s+)?use\s+(?:crate|super)::`,
    String.raw`^\s*#\s*include\s*"`,
    String.raw`^\s*(?:import\s+)?(?:[\w.]+\s+)?"[\w.-]+\.[\w.-]+/[^"]+"\s*$`,
  ].join('|');
}
