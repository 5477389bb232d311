import { quoteValue } from '../../lib/text/quote-value.ts';
import type { OptionKind, OptionTable, ValueKind } from './command-rule.ts';

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
export function readArguments(
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
  if (/^-[^\d]/.test(next))
    return { misfit: `${quoteValue(next)} behind ${name} may be an option` };
  return { names, value: { value: next, kind }, tookNext: true };
}

function takesValue(kind: OptionKind): kind is Exclude<OptionKind, 'flag' | 'optional'> {
  return kind !== 'flag' && kind !== 'optional';
}

function unknown(option: string): Misfit {
  return { misfit: `option ${quoteValue(option)} is not known to be safe` };
}
