import * as v from 'valibot';
import { isSchema, type Part } from './schema-part.ts';

/** @returns a copy of a part that has an issue where the value has other fields than these */
export function refuseOthers(part: Part, fields: ReadonlySet<string>): Part {
  const run = part['~run'];
  return {
    ...part,
    // The JSON Schema is made from this type; it cannot close an intersection.
    type: part.type === 'object' ? 'strict_object' : part.type,
    requirement: fields,
    '~run'(dataset, config) {
      const input = dataset.value;
      const result = run.call(this, dataset, config) as { typed: boolean };
      const key = isObject(input) && Object.keys(input).find((name) => !fields.has(name));
      if (typeof key !== 'string') return result;
      const { typed } = result;
      const path = [{ type: 'object', origin: 'key', input, key, value: undefined }];
      v._addIssue(this as never, 'key', result as never, config, {
        expected: 'never',
        path,
      } as never);
      // When no option of a union passes, it reports the one that only this field keeps from passing.
      result.typed = typed;
      return result;
    },
  };
}

/** @returns the names of all fields that a part takes; undefined where it takes any */
export function fieldsOf(part: Part): ReadonlySet<string> | undefined {
  const { type, entries = {}, options = [], wrapped } = part;
  if (type === 'object' || type === 'strict_object') return new Set(Object.keys(entries));
  const inner = [wrapped, ...options].filter(isSchema).map(fieldsOf);
  if (inner.length === 0 || inner.includes(undefined)) return undefined;
  return new Set(inner.flatMap((names) => [...(names ?? [])]));
}

/** @param owner what takes the fields of the input itself: the name of the tool */
export function reasonOf(owner: string, issue: v.BaseIssue<unknown>): string {
  const { requirement, expected, message, path = [] } = issue;
  if (expected !== 'never' || !(requirement instanceof Set)) return placed(path, message);
  const outer = path.slice(0, -1);
  const taken = [...requirement].join(', ') || 'none';
  const reason = `unknown field "${path.at(-1)?.key}"; ${placeOf(outer) || owner} takes ${taken}`;
  return placed(outer, reason);
}

type Path = readonly v.IssuePathItem[];

function placeOf(path: Path): string {
  return path.map(({ key }) => key).join('.');
}

function placed(path: Path, reason: string): string {
  return path.length === 0 ? reason : `${placeOf(path)}: ${reason}`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
