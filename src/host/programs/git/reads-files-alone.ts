import { subcommandAt } from './harden-git.ts';

/** They read the files that they are told, and nothing that git keeps. */
const ofFiles: ReadonlySet<string> = new Set([
  ...['apply', 'column', 'interpret-trailers', 'merge-file', 'patch-id', 'stripspace'],
]);

/**
 * Whether a git needs no content of commits: it gets none to see. A patch may name any object as
 * what it makes, and a difference of two folders looks into a `.git` that lies in them.
 *
 * @param args of git
 */
export function readsFilesAlone(args: readonly string[]): boolean {
  const at = subcommandAt(args);
  const subcommand = args[at] ?? '';
  const after = args.slice(at + 1);
  // Of two paths, of which one lies outside, git makes such a difference unasked.
  const isOfFiles = (arg: string): boolean =>
    /^--no-ind/.test(arg) || /^(?:\/|\.\.(?:\/|$))/.test(arg) || /^[^-].*\/\.\.(?:\/|$)/.test(arg);
  return ofFiles.has(subcommand) || (subcommand === 'diff' && after.some(isOfFiles));
}
