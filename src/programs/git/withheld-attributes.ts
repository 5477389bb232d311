import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { obeyedNames, secretNames, sharedNames } from '../../contracts/name-lists.ts';
import { homeFolder } from '../../lib/files/paths.ts';
import { gitAttributes } from '../exec/bwrap-arguments.ts';
import type { OwnSettings } from './person-git.ts';

const maxLength = 256 * 1024;

/** Attributes by which git makes other bytes of a file, and those that stand for several. */
const converting =
  /^[-!]?(?:text|crlf|eol|ident|filter|working-tree-encoding|binary|merge)(?:=.*)?$/;

/**
 * The lines on conversions in the files of attributes that the sandbox covers: those of the machine
 * and the person, and the folder `info` of a repository. All other lines are left out: a repository
 * may name any file of the person as one of attributes.
 *
 * @param common absolute: the folder of the repository's configuration; undefined without one
 * @param ownFile absolute: what counts where no setting names another
 * @throws {ServiceError} `limit` for a file that is too long
 */
export function conversionAttributes(
  settings: OwnSettings,
  { top, common, ownFile }: { top: string; common: string | undefined; ownFile: string },
): { everywhere: string; info: string } {
  const named = settings.get('core.attributesfile');
  const file =
    named === undefined
      ? ownFile
      : resolve(
          top,
          named.replace(/^~(?=\/)/, () => homeFolder()),
        );
  return {
    everywhere: linesOf(gitAttributes) + linesOf(file),
    info: common === undefined ? '' : linesOf(join(common, 'info/attributes')),
  };
}

function linesOf(path: string): string {
  const text = textOf(path);
  if (text.length > maxLength) {
    const said = `a file of git attributes has ${text.length} characters, limit ${maxLength}`;
    throw new ServiceError('limit', said, '', `Make it shorter: ${path}`);
  }
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const parsed = lines.flatMap((line) => {
    const found =
      /^[ \t\r]*((?:\[attr\])?(?:"(?:[^"\\]|\\.)*"|[^\s#"][^ \t\r]*))[ \t\r]+(.*)$/.exec(line);
    return found === null
      ? []
      : [{ pattern: found[1] as string, words: (found[2] as string).split(/[ \t\r]+/) }];
  });
  const macros = parsed.flatMap(({ pattern }) => /^\[attr\](.+)$/.exec(pattern)?.[1] ?? []);
  return parsed
    .map(({ pattern, words }) => ({
      pattern,
      kept: words.filter(
        (word) => converting.test(word) || macros.includes(word.replace(/^[-!]/, '')),
      ),
    }))
    .filter(({ kept }) => kept.length > 0)
    .map(({ pattern, kept }) => `${pattern} ${kept.join(' ')}\n`)
    .join('');
}

/** A pipe has no end; a file that may not be read says nothing to git either. */
function textOf(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}

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
