import type { fs } from '@cuervo/sdk';

/** What the search before did not look into, in words; undefined when it was whole. */
export function notSearched(
  host: Pick<typeof fs, 'unsearched'>,
  shown: (path: string) => string,
): string | undefined {
  const end = host.unsearched();
  if (end === undefined) return undefined;
  const path = shown(end.path);
  if (end.reason === 'depth') return `not searched: the folders below ${path}, which are too deep`;
  if (end.reason === 'file')
    return `not searched: the rest of ${path}, whose lines are too long for it`;
  if (end.reason === 'names')
    return `not searched: some of the files of ${path}, which has more than a search looks at`;
  const why = end.reason === 'time' ? ': it ran out of time (a slow disk or a large tree)' : '';
  return `not searched: everything from ${path} on${why}`;
}

/** The same for a list of what was left out. @param behind said where there were too many matches */
export function scanCut(host: Pick<typeof fs, 'unsearched'>, behind: string): string[] {
  const end = host.unsearched();
  if (end === undefined) return [];
  if (end.reason === 'matches') return [behind];
  return [notSearched(host, (path) => path.replace(/^work:(?![^/]*:)/, '')) ?? behind];
}

/** What a limit kept from the answer, in words; nothing where there is nothing to say. */
export function leftOut(
  cuts: readonly string[],
  between: string,
  advice: string,
): { cut?: string } {
  return cuts.length === 0 ? {} : { cut: `left out: ${cuts.join(between)}${advice}` };
}
