import { isObject } from '../../contracts/tool.ts';

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
