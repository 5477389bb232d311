import { quoteValue } from '../../lib/text/quote-value.ts';
import type {
  ArgumentShape,
  Command,
  CommandRule,
  Operands,
  Places,
  ValueKind,
} from './command-rule.ts';
import { anyArgumentProblem, pathProblem, patternProblem, relativeFolder } from './path-problem.ts';
import { type Misfit, readArguments } from './read-arguments.ts';

export type Match = { matches: true } | { matches: false; misfit: string };

/** Folders of the system: a program there is the one that its plain name means. */
const systemFolders: ReadonlySet<string> = new Set(['/bin', '/usr/bin']);

/**
 * Whether a rule is about this command. A rule that allows has to know every argument; one that
 * asks or denies takes a program at any path for the program of that name.
 */
export function matchRule(rule: CommandRule, command: Command, places: Places): Match {
  const allows = rule.decision === 'allow';
  const name = programName(command.program, !allows);
  if (name === undefined || !rule.programs.has(name)) return no('is another program');
  const { args } = command;
  if (!rule.with.every((pattern) => args.some((arg) => pattern.test(arg)))) {
    return no('lacks an argument that the rule needs');
  }
  const stray = args.find((arg) => rule.without.some((pattern) => pattern.test(arg)));
  if (stray !== undefined) return no(`${quoteValue(stray)} is not known to be safe`);
  const misfit = misfitOf(rule.shape, command, allows, places);
  return misfit === undefined ? { matches: true } : no(misfit);
}

/** The plain name of a program; undefined for a path outside the system's folders. */
function programName(program: string, anywhere: boolean): string | undefined {
  const slash = program.lastIndexOf('/');
  if (slash < 0) return program;
  const folder = program.slice(0, slash).replace(/(.)\/+$/, '$1');
  return anywhere || systemFolders.has(folder) ? program.slice(slash + 1) : undefined;
}

function misfitOf(
  shape: ArgumentShape,
  command: Command,
  allows: boolean,
  places: Places,
): string | undefined {
  if (shape.form === 'any') return undefined;
  if (shape.form === 'words') return wordsMisfit(shape.words, command, allows, places);
  const rest = afterSubcommand(shape, command, places);
  if (!Array.isArray(rest)) return rest.misfit;
  const read = readArguments(rest, shape.options, shape.style);
  if ('misfit' in read) return read.misfit;
  const { requires, patternGivenBy } = shape;
  if (requires.length > 0 && !requires.some((name) => read.seen.has(name))) {
    return `none of ${requires.join(', ')} is there`;
  }
  for (const { value, kind } of read.values) {
    const problem = valueProblem(value, kind, command.cwd, places);
    if (problem !== undefined) return problem;
  }
  const given = patternGivenBy.some((name) => read.seen.has(name));
  const operands = given
    ? { ...shape.operands, kinds: shape.operands.kinds.slice(1) }
    : shape.operands;
  return operandsMisfit(read.operands, operands, command.cwd, places);
}

/** The arguments behind the subcommand, where the rule names one. */
function afterSubcommand(
  { before, subcommand }: Extract<ArgumentShape, { form: 'options' }>,
  { args, cwd }: Command,
  places: Places,
): string[] | Misfit {
  let at = 0;
  while (before.size > 0 && args[at]?.startsWith('-')) {
    const name = args[at] ?? '';
    const kind = before.get(name);
    if (kind === undefined) return { misfit: `option ${quoteValue(name)} is not known to be safe` };
    at += 1;
    if (kind === 'flag') continue;
    const problem = valueProblem(args[at] ?? '..', 'path', cwd, places);
    if (problem !== undefined) return { misfit: problem };
    at += 1;
  }
  const differs = subcommand.some((word, index) => args[at + index] !== word);
  if (differs) return { misfit: `${quoteValue(args[at] ?? '')} is not known to be safe` };
  return args.slice(at + subcommand.length);
}

function operandsMisfit(
  values: readonly string[],
  { kinds, rest }: Operands,
  cwd: string,
  places: Places,
): string | undefined {
  for (const [at, value] of values.entries()) {
    const kind = kinds[at] ?? rest;
    if (kind === undefined) return `${quoteValue(value)} is one argument too many`;
    const problem = valueProblem(value, kind, cwd, places);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function wordsMisfit(
  words: readonly string[],
  { args, cwd }: Command,
  allows: boolean,
  places: Places,
): string | undefined {
  const open = words.at(-1) === '...';
  const fixed = open ? words.slice(0, -1) : words;
  if (args.length < fixed.length || (!open && args.length > fixed.length)) {
    return 'has other arguments than the rule';
  }
  for (const [at, arg] of args.entries()) {
    const word = fixed[at] ?? '*';
    if (word === arg) continue;
    if (word !== '*') return `${quoteValue(arg)} is not the argument of the rule`;
    const problem = allows ? anyArgumentProblem(arg, relativeFolder(cwd), places) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueProblem(
  value: string,
  kind: ValueKind,
  cwd: string,
  places: Places,
): string | undefined {
  if (kind === 'pattern') return patternProblem(value, places);
  if (kind instanceof RegExp) {
    return kind.test(value) ? undefined : `${quoteValue(value)} is not known to be safe`;
  }
  if (kind === 'path' && value.startsWith('@')) {
    return `${quoteValue(value)} may name a file with arguments`;
  }
  return pathProblem(value, relativeFolder(cwd), places);
}

function no(misfit: string): Match {
  return { matches: false, misfit };
}
