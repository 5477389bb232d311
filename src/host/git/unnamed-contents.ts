import { subcommandAt } from './harden-git.ts';

/** Subcommands that show the content of an object. */
const showing: ReadonlySet<string> = new Set(['show', 'diff', 'cat-file', 'grep', 'log']);

/**
 * What a git that only looks is asked to show of a file by its hash: git then tells of no path, and
 * a withheld file would be shown like any other.
 *
 * @param args of git, as they were asked for
 * @param typesOf the types of objects, in order; undefined for what is none
 */
export async function unnamedContents(
  args: readonly string[],
  typesOf: (names: readonly string[]) => Promise<(string | undefined)[]>,
): Promise<string[]> {
  const at = subcommandAt(args);
  if (at < 0 || !showing.has(args[at] as string)) return [];
  const end = args.indexOf('--');
  const operands = args.slice(at + 1, end < 0 ? undefined : end);
  const names = operands
    .filter((operand) => !operand.startsWith('-') && !operand.includes(':'))
    .flatMap((operand) => operand.split(/\.{2,3}/))
    .filter((name) => /^[0-9a-f]{4,64}$/i.test(name) || /^[^\n]+\^\{/.test(name));
  if (names.length === 0) return [];
  const types = await typesOf(names);
  return names.filter((_, index) => types[index] === 'blob');
}
