import { quoteText } from '../../lib/text/escape.ts';
import type {
  ArgumentShape,
  Command,
  CommandRule,
  Operands,
  OptionKind,
  OptionTable,
  Places,
  ValueKind,
} from './command-rule.ts';
import { anyArgumentProblem, pathProblem, patternProblem, relativeFolder } from './path-problem.ts';
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
  if (stray !== undefined) return no(`${quoteText(stray)} is not known to be safe`);
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
    if (kind === undefined) return { misfit: `option ${quoteText(name)} is not known to be safe` };
    at += 1;
    if (kind === 'flag') continue;
    const problem = valueProblem(args[at] ?? '..', 'path', cwd, places);
    if (problem !== undefined) return { misfit: problem };
    at += 1;
  }
  const differs = subcommand.some((word, index) => args[at + index] !== word);
  if (differs) return { misfit: `${quoteText(args[at] ?? '')} is not known to be safe` };
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
    if (kind === undefined) return `${quoteText(value)} is one argument too many`;
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
    if (word !== '*') return `${quoteText(arg)} is not the argument of the rule`;
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
    return kind.test(value) ? undefined : `${quoteText(value)} is not known to be safe`;
  }
  if (kind === 'path' && value.startsWith('@')) {
    return `${quoteText(value)} may name a file with arguments`;
  }
  return pathProblem(value, relativeFolder(cwd), places);
}

function no(misfit: string): Match {
  return { matches: false, misfit };
}

/** A value that an option was given, and how it is to be looked at. */
export type OptionValue = { value: string; kind: ValueKind };

export type ReadArguments = {
  operands: readonly string[];
  values: readonly OptionValue[];
  /** options that were there, as the table spells them */
  seen: ReadonlySet<string>;
};

/** The part that was not understood, as a clause. */
export type Misfit = { misfit: string };

/**
 * Takes arguments apart the way the program would. Only what the table spells out is an option:
 * GNU's abbreviations of long names (`--out` for `--output`) are not looked for, they are unknown.
 *
 * @param style as in `ArgumentShape`
 */
function readArguments(
  args: readonly string[],
  table: OptionTable,
  style: 'gnu' | 'words' | 'plain',
): ReadArguments | Misfit {
  if (style === 'plain') return { operands: args, values: [], seen: new Set() };
  const operands: string[] = [];
  const values: OptionValue[] = [];
  const seen = new Set<string>();
  const read = style === 'words' ? readWord : readOption;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (style === 'gnu' && arg === '--') {
      for (const rest of args.slice(at + 1)) operands.push(rest);
      break;
    }
    if (isOperand(arg, table, style)) {
      operands.push(arg);
      continue;
    }
    const option = read(arg, args[at + 1], table);
    if ('misfit' in option) return option;
    for (const name of option.names) seen.add(name);
    if (option.value !== undefined) values.push(option.value);
    if (option.tookNext) at += 1;
  }
  return { operands, values, seen };
}

function isOperand(arg: string, table: OptionTable, style: 'gnu' | 'words'): boolean {
  if (style === 'words' && table.has(arg)) return false;
  return !arg.startsWith('-') || arg === '-';
}

type Option = { names: readonly string[]; value?: OptionValue; tookNext: boolean };

/** `-name value`, as `find` and `test` have it. */
function readWord(arg: string, next: string | undefined, table: OptionTable): Option | Misfit {
  const kind = table.get(arg);
  if (kind === undefined) return unknown(arg);
  if (!takesValue(kind)) return { names: [arg], tookNext: false };
  return withNext([arg], arg, next, kind);
}

function readOption(arg: string, next: string | undefined, table: OptionTable): Option | Misfit {
  if (/^-\d+$/.test(arg) && table.has('-NUM')) return { names: ['-NUM'], tookNext: false };
  if (!arg.startsWith('--')) return readCluster(arg, next, table);
  const equals = arg.indexOf('=');
  const name = equals < 0 ? arg : arg.slice(0, equals);
  const kind = table.get(name);
  if (kind === undefined) return unknown(name);
  if (equals >= 0) {
    if (kind === 'flag') return { misfit: `${name} takes no value` };
    const value = arg.slice(equals + 1);
    return {
      names: [name],
      value: { value, kind: kind === 'optional' ? 'text' : kind },
      tookNext: false,
    };
  }
  return readWord(name, next, table);
}

/** `-la`, `-n5`, `-n 5`: the first letter that takes a value takes all that follows. */
function readCluster(arg: string, next: string | undefined, table: OptionTable): Option | Misfit {
  const names: string[] = [];
  for (let at = 1; at < arg.length; at += 1) {
    const name = `-${arg.charAt(at)}`;
    const rest = arg.slice(at + 1);
    const kind = table.get(name);
    if (kind === undefined) return unknown(arg.length === 2 ? arg : `${name} in ${arg}`);
    names.push(name);
    if (kind === 'flag') continue;
    if (kind === 'optional') {
      return { names, value: { value: rest, kind: 'text' }, tookNext: false };
    }
    if (rest !== '') return { names, value: { value: rest, kind }, tookNext: false };
    return withNext(names, name, next, kind);
  }
  return { names, tookNext: false };
}

/**
 * The next argument as a value. It must not look like an option: another version of the program may
 * know this option without a value, and would obey the next one.
 */
function withNext(
  names: readonly string[],
  name: string,
  next: string | undefined,
  kind: ValueKind,
): Option | Misfit {
  if (next === undefined) return { misfit: `${name} has no value` };
  if (/^-[^\d]/.test(next)) return { misfit: `${quoteText(next)} behind ${name} may be an option` };
  return { names, value: { value: next, kind }, tookNext: true };
}

function takesValue(kind: OptionKind): kind is Exclude<OptionKind, 'flag' | 'optional'> {
  return kind !== 'flag' && kind !== 'optional';
}

function unknown(option: string): Misfit {
  return { misfit: `option ${quoteText(option)} is not known to be safe` };
}
