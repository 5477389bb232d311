import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { isObject } from '../../contracts/tool.ts';
import { quoteText } from '../../lib/text/escape.ts';
import { parseToml } from '../parse-toml.ts';
import type {
  ArgumentShape,
  CommandRule,
  Operands,
  OptionKind,
  OptionTable,
  ValueKind,
} from './command-rule.ts';

const maxFileLength = 256 * 1024;

export type RuleFile = { name: string; text: string };

/** A rule with the commands that show what it is about. */
export type RuleWithExamples = {
  rule: CommandRule;
  match: readonly string[];
  notMatch: readonly string[];
};

const text = v.string('is not a string');
const line = v.pipe(
  text,
  v.check((value) => value.trim() !== '' && !/[\p{Cc}]/u.test(value), 'is not a line of text'),
);
const words = v.pipe(
  text,
  v.transform((value) => value.split(/\s+/).filter((word) => word !== '')),
);
const names = v.pipe(
  v.union(
    [
      v.array(text),
      v.pipe(
        text,
        v.transform((one) => [one]),
      ),
    ],
    'is neither a name nor a list',
  ),
  v.check((list) => list.length > 0, 'names no program'),
  v.check(
    (list) => list.every((name) => /^[^\s/\\]+$/.test(name)),
    'is not the plain name of a program, without a path',
  ),
);
const pattern = v.pipe(
  text,
  v.rawTransform<string, RegExp>(({ dataset, addIssue, NEVER }) => {
    try {
      return new RegExp(dataset.value, 'u');
    } catch {
      addIssue({ message: `${quoteText(dataset.value)} is not a regular expression` });
      return NEVER;
    }
  }),
);

const name = v.pipe(text, v.regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'is not a name like my-rule'));

const ruleSchema = v.strictObject({
  name,
  set: v.exactOptional(name),
  decision: v.picklist(['allow', 'ask', 'deny'], 'is not one of allow, ask, deny'),
  reason: line,
  program: names,
  args: v.exactOptional(v.array(text, 'is not a list of words')),
  style: v.exactOptional(v.picklist(['gnu', 'words', 'plain'], 'is not one of gnu, words, plain')),
  subcommand: v.exactOptional(words),
  before: v.exactOptional(words),
  before_path: v.exactOptional(words),
  flags: v.exactOptional(words),
  optional: v.exactOptional(words),
  pattern_options: v.exactOptional(words),
  text_options: v.exactOptional(words),
  path_options: v.exactOptional(words),
  operands: v.exactOptional(v.array(text, 'is not a list')),
  pattern_given_by: v.exactOptional(words),
  requires: v.exactOptional(words),
  with: v.exactOptional(v.array(pattern, 'is not a list')),
  without: v.exactOptional(v.array(pattern, 'is not a list')),
});

const examples = v.pipe(v.array(line, 'is not a list'), v.minLength(1, 'has no example'));

/** A person shows what a rule is about. The examples of shipped rules are test data. */
const ownRuleSchema = v.strictObject({
  ...ruleSchema.entries,
  match: examples,
  not_match: examples,
});

const fileSchema = v.strictObject({
  shared: v.exactOptional(v.record(v.string(), v.unknown(), 'is not a table')),
  rule: v.exactOptional(v.array(v.unknown(), 'is not a list of [[rule]]')),
});

const ownRules = v.object({ rule: v.array(ownRuleSchema) });
const shippedRules = v.object({ rule: v.array(ruleSchema) });

type ParsedRule = v.InferOutput<typeof ruleSchema>;

/** Fields that say what the arguments of an allowed command look like. */
const shapeFields = [
  ...(['style', 'subcommand', 'before', 'before_path', 'flags', 'optional', 'operands'] as const),
  ...(['pattern_options', 'text_options', 'path_options'] as const),
  ...(['pattern_given_by', 'requires'] as const),
];

/**
 * Rules as a person or this program writes them. A rule takes over the fields of the tables
 * `[shared.NAME]` that its `uses` names. A file that cannot be read to its last field is an
 * error: a rule that denies must not get lost.
 *
 * @param source told apart, because a rule of the user stands above one that is shipped
 * @throws {KernelError} `invalid-argument` with the rule and its field
 */
export function parseRules(
  { name: fileName, text: toml }: RuleFile,
  source: CommandRule['source'],
): RuleWithExamples[] {
  if (toml.length > maxFileLength) {
    throw invalid(fileName, `has ${toml.length} characters, limit ${maxFileLength}`);
  }
  const raw = parseToml(toml, (what) => invalid(fileName, what));
  const { rule = [], shared = {} } = checked(fileSchema, raw, fileName);
  const whole = rule.map((each) =>
    shareFields(each, shared, (missing) =>
      invalid(fileName, `${nameOf(each)} uses ${quoteText(missing)}, and there is no such table`),
    ),
  );
  const rules: readonly (ParsedRule & { match?: string[]; not_match?: string[] })[] = checked(
    source === 'user' ? ownRules : shippedRules,
    { rule: whole },
    fileName,
  ).rule;
  const seen = new Set<string>();
  return rules.map((each) => {
    if (seen.has(each.name)) throw invalid(fileName, `rule ${each.name} is there twice`);
    seen.add(each.name);
    const { match = [], not_match: notMatch = [] } = each;
    return { rule: toRule(each, source, fileName), match, notMatch };
  });
}

function checked<T>(schema: v.GenericSchema<unknown, T>, value: unknown, fileName: string): T {
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw invalid(fileName, describeIssue(parsed.issues[0]));
}

function nameOf(rule: unknown): string {
  const name = typeof rule === 'object' && rule !== null && 'name' in rule ? rule.name : undefined;
  return typeof name === 'string' ? `rule ${quoteText(name)}` : 'a rule';
}

function toRule(each: ParsedRule, source: CommandRule['source'], fileName: string): CommandRule {
  const { name, decision, reason, program, set } = each;
  return {
    name,
    decision,
    reason,
    source,
    ...(set === undefined ? {} : { set }),
    programs: new Set(program),
    shape: shapeOf(each, fileName),
    with: each.with ?? [],
    without: each.without ?? [],
  };
}

function shapeOf(each: ParsedRule, fileName: string): ArgumentShape {
  const shaped = shapeFields.filter((field) => each[field] !== undefined);
  if (each.args !== undefined) {
    const [stray] = shaped;
    if (stray !== undefined)
      throw invalid(fileName, `rule ${each.name}: ${stray} cannot be used without args`);
    return { form: 'words', words: each.args };
  }
  if (shaped.length === 0) {
    if (each.decision !== 'allow') return { form: 'any' };
    const message = `rule ${each.name} allows but does not say which arguments`;
    throw invalid(fileName, message, 'args = ["..."] allows any that stay in the workspace');
  }
  return {
    form: 'options',
    style: each.style ?? 'gnu',
    before: table([each.before, 'flag'], [each.before_path, 'path']),
    subcommand: each.subcommand ?? [],
    options: table(
      [each.flags, 'flag'],
      [each.optional, 'optional'],
      [each.pattern_options, 'pattern'],
      [each.text_options, 'text'],
      [each.path_options, 'path'],
    ),
    operands: operandsOf(each, fileName),
    patternGivenBy: each.pattern_given_by ?? [],
    requires: each.requires ?? [],
  };
}

function table(...groups: [readonly string[] | undefined, OptionKind][]): OptionTable {
  return new Map(
    groups.flatMap(([options, kind]) =>
      (options ?? []).map((option): [string, OptionKind] => [option, kind]),
    ),
  );
}

function operandsOf(each: ParsedRule, fileName: string): Operands {
  const kinds: ValueKind[] = [];
  let rest: ValueKind | undefined;
  for (const written of each.operands ?? []) {
    if (rest !== undefined) {
      throw invalid(fileName, `rule ${each.name}: operands go on behind ...`);
    }
    const kind = operandKind(written.replace(/\.\.\.$/, ''));
    if (kind === undefined) {
      const what = `${quoteText(written)} is not one of pattern, text, path, /regex/`;
      throw invalid(fileName, `rule ${each.name}: operand ${what}`);
    }
    if (written.endsWith('...')) rest = kind;
    else kinds.push(kind);
  }
  return { kinds, rest };
}

function operandKind(written: string): ValueKind | undefined {
  if (written === 'pattern' || written === 'text' || written === 'path') return written;
  const source = /^\/(.*)\/$/s.exec(written)?.[1];
  if (source === undefined) return undefined;
  try {
    return new RegExp(`^(?:${source})$`, 'u');
  } catch {
    return undefined;
  }
}

/** `rule "my-rule": decision is not one of allow, ask, deny`. */
function describeIssue(issue: v.BaseIssue<unknown>): string {
  const [, index, field] = issue.path ?? [];
  const found = index?.value;
  const name =
    typeof found === 'object' && found !== null && 'name' in found ? found.name : undefined;
  const rule = typeof index?.key === 'number' ? `rule ${index.key + 1}` : 'the file';
  const place = typeof name === 'string' ? `rule ${quoteText(name)}` : rule;
  const key = field === undefined ? '' : ` ${quoteText(`${field.key}`).slice(1, -1)}`;
  return `${place}:${key} ${messageOf(issue)}`;
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type !== 'strict_object') return issue.message;
  if (issue.expected === 'never') return 'is not a field of a rule';
  return issue.received === 'undefined' ? 'is missing' : 'is not a table';
}

function invalid(fileName: string, message: string, hint?: string): KernelError {
  return new KernelError('invalid-argument', `${fileName}: ${message}`, {
    hint: hint ?? `Fix ${fileName}; until then no program runs.`,
  });
}

/** Fields that are joined from a rule and the tables that it uses. */
const texts = [
  ...['before', 'before_path', 'flags', 'optional'],
  ...['pattern_options', 'text_options', 'path_options'],
];
const lists = ['with', 'without'];

type Table = Readonly<Record<string, unknown>>;

/**
 * A rule with what `uses = 'name name'` takes over from `[shared.name]`: options and tests are
 * joined; in any other field the rule's own value counts.
 *
 * @param refuse makes the error for a name that no table has
 * @returns the value as it is where it uses nothing; its fields are checked afterwards
 */
export function shareFields(
  rule: unknown,
  shared: Table,
  refuse: (name: string) => Error,
): unknown {
  if (!isObject(rule) || typeof rule.uses !== 'string') return rule;
  const { uses, ...own } = rule;
  const names = uses.split(/\s+/).filter((name) => name !== '');
  return names.reduce<Table>((into, name) => {
    const table = Object.hasOwn(shared, name) ? shared[name] : undefined;
    if (!isObject(table)) throw refuse(name);
    return join(into, table);
  }, own);
}

function join(into: Table, table: Table): Table {
  const joined = { ...table, ...into };
  for (const field of texts) {
    const parts = [into[field], table[field]].filter((part) => part !== undefined);
    if (parts.length === 2 && parts.every(isText)) joined[field] = parts.join(' ');
  }
  for (const field of lists) {
    const [one, other] = [into[field], table[field]];
    if (Array.isArray(one) && Array.isArray(other)) joined[field] = [...one, ...other];
  }
  return joined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
