import { obeyedNames, secretNames, sharedNames } from '../../contracts/name-lists.ts';

/** The names of `isProtectedPath` as globs, in lower case. */
export const withheldNames: readonly string[] = [...secretNames, ...obeyedNames];

/**
 * The same as patterns of gitattributes(5). What is in a folder of such a name is named only where
 * a folder is called so: git compares each file of a search with each.
 */
const withheldPatterns = withheldNames.flatMap((name) => {
  const pattern = name.includes('/') ? `**/${name}` : name;
  return isFileName(name) ? [pattern] : [pattern, `**/${name}/**`];
});

/** It has an ending; but keys lie in folders called like them, too. */
function isFileName(name: string): boolean {
  return /[^/]\.[\w.*-]+$/.test(name) && !['*.pem', '*.key'].includes(name);
}

/**
 * Attributes that make git hide what a withheld file held in a commit: a difference and
 * a search call it binary, and an archive leaves it out. Later lines count more, so a lifted name
 * is shown again.
 *
 * @param entries of the roots, as `createContentGate` takes them
 */
export function withheldAttributes(entries: Readonly<Record<string, readonly string[]>>): string {
  const all = Object.values(entries).flat();
  const tagged = (tag: string): string[] =>
    all.filter((entry) => entry.startsWith(tag)).map((entry) => entry.slice(tag.length));
  const lines = (patterns: readonly string[], attribute: string): string[] =>
    patterns.map((pattern) => `${quoted(inAnyCase(pattern))} ${attribute}\n`);
  return [
    ...lines(withheldPatterns, '-diff export-ignore'),
    ...lines(sharedNames, '!diff !export-ignore'),
    ...lines(tagged(':add ').flatMap(spellings), '-diff export-ignore'),
    ...lines(tagged(':lift ').flatMap(spellings), '!diff !export-ignore'),
  ].join('');
}

/** A pattern of ours names a folder with what lies in it; one of git's does not. */
function spellings(pattern: string): string[] {
  const body = pattern.replace(/^\//, '').replace(/(?:\/\*\*)?\/?$/, '');
  // As for `compilePattern`: a slash before its end ties a pattern to the root.
  const isTied = pattern.replace(/\/$/, '').includes('/');
  return isTied ? [`/${body}`, `/${body}/**`] : [body, `**/${body}/**`];
}

function inAnyCase(pattern: string): string {
  return pattern.replace(/\p{L}/gu, (letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    return lower === upper ? letter : `[${lower}${upper}]`;
  });
}

/** A pattern with a space would end there. */
function quoted(pattern: string): string {
  return /[\s"#!]/.test(pattern) ? JSON.stringify(pattern) : pattern;
}
