import { sharedNames } from '../../contracts/name-lists.ts';
import { foldPath } from '../../contracts/protected-names.ts';
import { withheldNames } from './withheld-attributes.ts';

const magic = ':(exclude,top,icase,glob)';

/**
 * Pathspecs that keep git out of everything withheld. A lifted name is looked into where
 * it is a plain name; of a lifted pattern nothing is, because pathspecs only leave out.
 *
 * @param entries of `entriesBelow`
 */
export function withheldPathspecs(entries: readonly string[]): string[] {
  const tagged = (tag: string): string[] =>
    entries.filter((entry) => entry.startsWith(tag)).map((entry) => entry.slice(tag.length));
  const lifted = [...sharedNames, ...tagged(':lift ')]
    .filter((name) => !/[*?/[\\]/.test(name))
    .map(foldPath);
  const names = withheldNames.flatMap((name) => without(name, lifted));
  return [
    ...names.flatMap((name) => [`**/${name}`, `**/${name}/**`]),
    ...tagged(':add ').flatMap(spellings),
  ]
    .map((pattern) => `${magic}${pattern}`)
    .concat(
      entries
        .filter((entry) => !entry.startsWith(':'))
        .map((path) => `:(exclude,top,icase,literal)${path}`),
    );
}

function spellings(pattern: string): string[] {
  const body = pattern
    .replace(/^\//, '')
    .replace(/(?:\/\*\*)?\/?$/, '')
    .replace(/[[\]]/g, '\\$&');
  const isTied = pattern.replace(/\/$/, '').includes('/');
  const start = isTied ? '' : '**/';
  return [`${start}${body}`, `${start}${body}/**`];
}

/**
 * Patterns that together name what a pattern names, less some plain names. Only a pattern that
 * begins or ends with its one `*` can be taken apart.
 */
function without(pattern: string, names: readonly string[]): string[] {
  if (!pattern.includes('*')) return names.includes(pattern) ? [] : [pattern];
  const isSuffix = pattern.startsWith('*');
  const turn = (text: string): string => (isSuffix ? [...text].reverse().join('') : text);
  const fixed = turn(pattern.replace('*', ''));
  const kept = names.map(turn).filter((name) => name.startsWith(fixed));
  const isOneStar = pattern.indexOf('*') === pattern.lastIndexOf('*') && !/[?/[]/.test(pattern);
  const isPlain = kept.every((name) => /^[\w.-]+$/.test(name));
  if (kept.length === 0 || !isOneStar || !isPlain) return [pattern];
  const atEdge = isSuffix || pattern.endsWith('*');
  return atEdge
    ? allBut(fixed, kept).map((parts) => (isSuffix ? parts.reverse() : parts).join(''))
    : [pattern];
}

/** Paths that begin with a text, without the names: by the first letter that differs from them. */
function allBut(start: string, names: readonly string[]): string[][] {
  const next = new Set(
    names
      .filter((name) => name !== start && name.startsWith(start))
      .map((name) => name.charAt(start.length)),
  );
  const own = names.includes(start) ? [] : [[...start]];
  // A dash means itself only at the end of a class.
  const letters = [...next].sort((one, other) => Number(one === '-') - Number(other === '-'));
  const others = next.size === 0 ? ['?'] : [`[!${letters.join('')}]`];
  const here = [...own, [...start, ...others, '*']];
  return [...here, ...[...next].flatMap((letter) => allBut(start + letter, names))];
}
