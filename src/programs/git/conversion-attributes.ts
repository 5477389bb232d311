import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { homeFolder } from '../../lib/files/paths.ts';
import { gitAttributes } from '../exec/bwrap-arguments.ts';
import type { OwnSettings } from './person-answer.ts';

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
