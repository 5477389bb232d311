import { readImports } from './read-imports.ts';
import { repositoryFiles, type SourceFile, sourceFile } from './source-files.ts';

/**
 * The sources of `src`: tests, generated types and data are not counted.
 *
 * @param at root of the clone to read; this one unless named
 */
export function treeSources(at?: string): SourceFile[] {
  return repositoryFiles(at)
    .filter((path) => /^src\/.*\.ts$/.test(path) && !/\.test\.ts$|\/gen\/|\.d\.ts$/.test(path))
    .map((path) => sourceFile(path, at));
}

/** Text of `src` that is not TypeScript, such as tables of rules; generated schemas are left out. */
export function treeData(at?: string): SourceFile[] {
  return repositoryFiles(at)
    .filter((path) => /^src\/.*\.(?:json|toml|txt|cjs)$/.test(path) && !/\/schema\//.test(path))
    .map((path) => sourceFile(path, at));
}

export const linesOf = ({ text }: SourceFile): number => text.split('\n').length - 1;

/** The part of `src` that a file belongs to; `host` and `kernel` have parts of their own. */
export function partOf(path: string): string {
  const [, part = '', inner = '', rest] = path.split('/');
  const isDeep = (part === 'host' || part === 'kernel') && inner !== '';
  return isDeep ? `src/${part}/${rest === undefined ? '' : inner}` : `src/${part}`;
}

/** Part -> the most lines that it may have, and why a limit was raised. */
export type Budget = Readonly<Record<string, { lines: number; why: string }>>;

/** A sentence for each part above its limit, without one, or that is not there any more. */
export function budgetFaults(sources: readonly SourceFile[], budget: Budget): string[] {
  const parts = Map.groupBy(sources, ({ path }) => partOf(path));
  const above = [...parts].flatMap(([part, files]) => {
    const lines = files.map(linesOf).reduce((all, each) => all + each, 0);
    const limit = budget[part]?.lines;
    if (limit === undefined) return [`${part} has ${lines} lines and no limit`];
    return lines > limit ? [`${part} has ${lines} lines, limit ${limit}`] : [];
  });
  const gone = Object.keys(budget).filter((part) => !parts.has(part));
  return [...above, ...gone.map((part) => `${part} has a limit and no files`)];
}

/**
 * Groups of files that reach each other by imports, imports of types included (Tarjan's strongly
 * connected components).
 */
export function importCycles(sources: readonly SourceFile[]): string[][] {
  const known = new Map(
    sources.map((file) => [file.path, readImports(file).map(({ to }) => to)] as const),
  );
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  const visit = (path: string): void => {
    order.set(path, order.size);
    low.set(path, order.get(path)!);
    stack.push(path);
    for (const to of known.get(path) ?? []) {
      if (!known.has(to)) continue;
      if (!order.has(to)) visit(to);
      if (stack.includes(to)) low.set(path, Math.min(low.get(path)!, low.get(to)!));
    }
    if (low.get(path) !== order.get(path)) return;
    const cycle = stack.splice(stack.indexOf(path));
    if (cycle.length > 1) cycles.push(cycle.toSorted());
  };
  for (const path of known.keys()) if (!order.has(path)) visit(path);
  return cycles;
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const functionStart =
  /^(?<indent> *)(?:export )?(?:(?:async )?function\b|(?:const|let) \w+(?:: [^=]+)? = (?:async )?(?:function\b|(?:<[^>]*>)?\())/;

/**
 * Functions with more lines than `most`, from their first line to the brace that closes them. The
 * formatter puts that brace at the column in which the function begins.
 */
export function longFunctions(sources: readonly SourceFile[], most: number): string[] {
  return sources.flatMap(({ path, text }) => {
    const lines = text.split('\n');
    return lines.flatMap((line, start) => {
      const indent = functionStart.exec(line)?.groups?.indent;
      if (indent === undefined || line.endsWith(';')) return [];
      const closes = (at: string): boolean =>
        at.startsWith(`${indent}}`) && !/^ *\}(?:\)?: |, )/.test(at);
      const end = lines.findIndex((at, index) => index > start && closes(at));
      const count = end - start + 1;
      return count > most ? [`${path}:${start + 1} ${count} lines`] : [];
    });
  });
}
