import { join, relative, resolve } from 'node:path';
import { isStoredContent } from '../../contracts/stored-content.ts';
import { isBelow } from '../../lib/files/paths.ts';
import { existsSync, realpathSync } from '../../lib/files/raw-fs.ts';
import { rootPlace } from '../exec/bwrap-arguments.ts';
import type { GitPlace } from './git-place.ts';
import { subcommandAt } from './harden-git.ts';
import { optionValues } from './operand-names.ts';
import { repositoryAt } from './read-configuration.ts';

/** They read the files that they are told, and nothing that git keeps. */
const ofFiles: ReadonlySet<string> = new Set([
  ...['apply', 'column', 'interpret-trailers', 'merge-file', 'patch-id', 'stripspace'],
]);

/** Folders of a sandbox that need not be there outside. */
const inside = /^\/(?:caches|dev|proc|roots|tmp)(?:\/|$)/;

/**
 * Whether a git needs nothing of what commits hold, so that it gets none of it to see: a patch may
 * name any object as what it makes, and a difference of two folders looks into a `.git` in them.
 *
 * @param args of git
 * @param folder absolute, of the root
 */
export function readsFilesAlone(args: readonly string[], folder: string, place: GitPlace): boolean {
  const at = subcommandAt(args);
  const subcommand = args[at] ?? '';
  if (ofFiles.has(subcommand)) return true;
  if (subcommand !== 'diff') return false;
  // git makes such a diff unasked if one of two paths lies outside of the work tree.
  const leads = (arg: string): boolean => {
    const path = pathOf(arg, folder, place);
    const isOutside = !isBelow(path, join(folder, ...place.top));
    return isOutside && (inside.test(arg) || existsSync(path));
  };
  const after = args.slice(at + 1);
  return (
    after.some((arg) => /^--no-ind/.test(arg) || leads(arg)) ||
    repositoryAt(folder, place.cwd) === undefined
  );
}

/**
 * The argument by which a git would read a file that git keeps content in as if it were any other,
 * also through a link: a message, a list of paths, one side of a difference.
 *
 * @param args of git
 * @param folder absolute, of the root
 */
export function findStored(
  args: readonly string[],
  folder: string,
  place: GitPlace,
): string | undefined {
  const isStored = (path: string): boolean => {
    try {
      const real = relative(realpathSync(folder), realpathSync(path));
      return !real.startsWith('..') && isStoredContent(real);
    } catch {
      // Nothing there could be read.
      return false;
    }
  };
  return args
    .slice(subcommandAt(args) + 1)
    .find((arg) =>
      [arg, ...optionValues(arg)].some((value) => isStored(pathOf(value, folder, place))),
    );
}

function pathOf(text: string, folder: string, { root, cwd }: GitPlace): string {
  const top = rootPlace(root);
  return isBelow(text, top) ? join(folder, relative(top, text)) : resolve(folder, ...cwd, text);
}
