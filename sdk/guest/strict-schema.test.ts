import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { strictSchema } from './strict-schema.ts';
import { reasonOf } from './unknown-fields.ts';

const a = v.object({ a: v.optional(v.number()) });
const b = v.object({ b: v.optional(v.number()) });
const tree: v.GenericSchema = v.object({ of: v.optional(v.lazy(() => tree)) });

/** What is said of `{"in": value}`. */
function says(schema: v.GenericSchema, value: unknown): string {
  const strict = strictSchema(v.object({ in: schema }));
  const parsed = v.safeParse(strict, { in: value });
  return parsed.success ? '' : reasonOf('tool', parsed.issues[0]);
}

const kind = (name: string) => v.object({ kind: v.literal(name), [name]: v.number() });

describe('strictSchema()', () => {
  it.each<[string, v.GenericSchema, unknown, string]>([
    ['an object', a, { x: 1 }, 'in: unknown field "x"; in takes a'],
    ['an object without fields', v.object({}), { x: 1 }, 'in: unknown field "x"; in takes none'],
    ['a list', v.array(a), [{}, { x: 1 }], 'in.1: unknown field "x"; in.1 takes a'],
    ['a pair', v.tuple([a, b]), [{}, { a: 1 }], 'in.1: unknown field "a"; in.1 takes b'],
    ['a record', v.record(v.string(), a), { k: { x: 1 } }, 'in.k: unknown field "x"'],
    ['other fields', v.objectWithRest({}, a), { k: { x: 1 } }, 'in.k: unknown field "x"'],
    ['an optional object', v.optional(a), { x: 1 }, 'in: unknown field "x"'],
    ['one that may be null', v.nullish(v.nullable(a)), { x: 1 }, 'in: unknown field "x"'],
    ['a field of a loose object', v.looseObject({ k: a }), { k: { x: 1 } }, 'in.k: unknown'],
    ['a pipe', v.pipe(a, v.title('A')), { x: 1 }, 'in: unknown field "x"'],
    ['what is transformed', v.pipe(a, v.transform(String)), { x: 1 }, 'in: unknown field "x"'],
    ['one with a message', v.message(a, 'no'), { x: 1 }, 'in: unknown field "x"'],
    ['one with a fallback', v.fallback(a, {}), { x: 1 }, 'in: unknown field "x"'],
    ['one that holds itself', tree, { of: { of: { x: 1 } } }, 'in.of.of: unknown field "x"'],
    ['one of two', v.union([v.string(), a]), { x: 1 }, 'in: unknown field "x"; in takes a'],
    [
      'a variant',
      v.variant('kind', [kind('n'), kind('m')]),
      { kind: 'm', m: 1, n: 1 },
      'in: unknown field "n"; in takes kind, m',
    ],
    [
      'an intersection',
      v.intersect([a, b]),
      { a: 1, x: 1 },
      'in: unknown field "x"; in takes a, b',
    ],
    [
      'an object in an intersection',
      v.intersect([v.object({ k: a }), b]),
      { k: { b: 1 } },
      'in.k: unknown field "b"; in.k takes a',
    ],
  ])('names the unknown field of %s', (_, schema, value, reason) => {
    expect(says(schema, value)).toContain(reason);
  });

  it.each<[string, v.GenericSchema, unknown]>([
    ['a loose object', v.looseObject({}), { x: 1 }],
    ['a record', v.record(v.string(), v.number()), { x: 1 }],
    ['an object with rest', v.objectWithRest({}, v.number()), { x: 1 }],
    ['what takes any', v.unknown(), { x: { y: 1 } }],
    ['an intersection', v.intersect([a, b]), { a: 1, b: 1 }],
    ['an intersection with a record', v.intersect([a, v.looseObject({})]), { x: 1 }],
    ['the second of two', v.union([a, v.object({ a: v.number(), b: v.number() })]), { a: 1, b: 1 }],
    ['one that holds itself', tree, { of: { of: {} } }],
    ['what a pipe drops', v.pipe(v.looseObject({}), a), { x: 1 }],
  ])('lets other fields of %s through', (_, schema, value) => {
    expect(says(schema, value)).toBe('');
  });

  it('hands on what the schema makes of a value', () => {
    const schema = v.object({ in: v.union([a, v.object({ a: v.number(), b: v.number() })]) });
    const value = { in: { a: 1, b: 2 } };
    expect(v.parse(strictSchema(schema), value)).toEqual(value);
    const added = v.object({ in: v.optional(v.object({ mode: v.optional(v.string(), 'x') }), {}) });
    expect(v.parse(strictSchema(added), {})).toEqual({ in: { mode: 'x' } });
  });

  it('changes nothing of the author’s own schema, and copies none without an object', () => {
    const own = v.object({ in: a });
    strictSchema(own);
    expect(v.parse(own, { in: { x: 1 }, y: 1 })).toEqual({ in: {} });
    const text = v.message(v.pipe(v.string(), v.email()), 'no mail');
    expect(strictSchema(text)).toBe(text);
  });
});
