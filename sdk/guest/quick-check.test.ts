import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { quickCheck } from './quick-check.ts';

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(5), v.description('a text'));
const known = {
  text,
  number: v.pipe(v.number(), v.integer(), v.minValue(-2), v.maxValue(9)),
  object: v.object({
    path: text,
    limit: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(9))),
    hidden: v.optional(v.boolean()),
    kind: v.picklist(['file', 'folder']),
  }),
  'object of optional fields': v.object({
    where: v.optional(v.object({ kind: v.optional(v.string()) })),
  }),
  array: v.pipe(v.array(v.object({ path: text })), v.minLength(1), v.maxLength(2)),
  'pipe in a pipe': v.pipe(v.pipe(v.string(), v.minLength(2)), v.maxLength(3)),
};

/** A schema of the kinds that are known, and a value that is made for it. */
type Pair = { schema: v.GenericSchema; value: unknown };

const leaf = fc.oneof(
  fc
    .record({ least: fc.constantFrom(0, -1, 1.5, -Infinity, Infinity), value: fc.integer() })
    .map(({ least, value }): Pair => ({ schema: v.pipe(v.number(), v.minValue(least)), value })),
  fc.string().map((value): Pair => ({ schema: v.picklist([value, '\u2028', '"']), value })),
  fc.constant<Pair>({ schema: v.boolean(), value: true }),
);

const field = (pair: fc.Arbitrary<Pair>) =>
  fc.record({ name: fc.constantFrom('a', 'b', '\u2028', "it's", 'found0'), pair, way: fc.nat(3) });

const { pair: pairs } = fc.letrec<{ pair: Pair }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 4 },
    leaf,
    tie('pair').map(({ schema, value }) => ({ schema: v.array(schema), value: [value, value] })),
    fc.uniqueArray(field(tie('pair')), { selector: ({ name }) => name }).map((fields) => ({
      schema: v.object(
        Object.fromEntries(
          fields.map(({ name, pair, way }) => [
            name,
            way < 2 ? pair.schema : v.optional(pair.schema),
          ]),
        ),
      ),
      value: Object.fromEntries(
        fields.filter(({ way }) => way < 3).map(({ name, pair }) => [name, pair.value]),
      ),
    })),
  ),
}));

const isLong = (path: string | undefined): boolean => (path ?? '').length > 2;

const fields = (strange: boolean) =>
  fc.record(
    {
      path: fc.oneof(fc.string({ minLength: 1, maxLength: 5 }), fc.string({ maxLength: 6 })),
      kind: fc.constantFrom('file', 'folder', ...(strange ? ['link'] : [])),
      limit: fc.oneof(fc.integer({ min: 0, max: 10 }), fc.constant(null)),
      hidden: fc.oneof(fc.boolean(), fc.constant('no')),
      ...(strange ? { ['__proto__']: fc.constant({}), other: fc.constant(1) } : {}),
    },
    { requiredKeys: strange ? [] : ['path', 'kind'] },
  );

const value = fc.oneof(
  fc.jsonValue(),
  fc.string({ maxLength: 6 }),
  fc.integer({ min: -4, max: 11 }),
  fc.record({ where: fc.constantFrom([], {}, { kind: 'x' }, [{ kind: 'x' }], 'x') }),
  fc.array(fc.record({ path: fc.string({ maxLength: 6 }) }), { maxLength: 3 }),
  fields(false),
  fields(true),
);

describe('quickCheck()', () => {
  it.each(Object.entries(known))('accepts of %s only what comes out as it went in', (_, schema) => {
    const check = quickCheck(schema);
    let accepted = 0;
    fc.assert(
      fc.property(value, (made) => {
        const input: unknown = JSON.parse(JSON.stringify(made));
        if (check?.(input) !== true) return;
        accepted += 1;
        const { success, output } = v.safeParse(schema, input);
        expect({ success, output }).toEqual({ success: true, output: input });
      }),
      { numRuns: 2000, seed: 1 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it('accepts what a schema of its kind accepts, but for fields that would be dropped', () => {
    fc.assert(
      fc.property(value, (made) => {
        const input: unknown = JSON.parse(JSON.stringify(made));
        for (const schema of Object.values(known)) {
          const parsed = v.safeParse(schema, input);
          const isSame = parsed.success && isDeepStrictEqual(parsed.output, input);
          if (isSame) expect(quickCheck(schema)?.(input)).toBe(true);
        }
      }),
      { numRuns: 2000, seed: 2 },
    );
  });

  it('is as sure as the schema, however objects and arrays stand in and beside each other', () => {
    let accepted = 0;
    fc.assert(
      fc.property(pairs, ({ schema, value }) => {
        const { success } = v.safeParse(schema, value);
        expect(quickCheck(schema)?.(value)).toBe(success);
        if (success) accepted += 1;
      }),
      { numRuns: 2000, seed: 3 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  it('leaves to the schema whatever may change a value, and what it does not know', () => {
    const inherited = Object.create({ path: v.string() }) as { path: ReturnType<typeof v.string> };
    const left = [
      v.fallback(v.string(), 'safe'),
      v.object({ mode: v.fallback(v.optional(v.string()), 'safe') }),
      v.object({ constructor: v.optional(v.string()) }),
      v.object(inherited),
      v.objectAsync({ path: v.string() }),
      v.pipeAsync(v.string(), v.minLength(2)),
      v.arrayAsync(v.objectAsync({ path: v.string() })),
      v.pipe(v.string(), v.trim()),
      v.pipe(v.string(), v.regex(/^a/)),
      v.object({ path: v.optional(v.string(), 'README.md') }),
      v.object({ path: v.pipe(v.optional(v.string()), v.check(isLong)) }),
      v.looseObject({ path: v.string() }),
      v.record(v.string(), v.string()),
      v.picklist(Array.from({ length: 21 }, (_, at) => `${at}`)),
      v.picklist([1, 2]),
      v.union([v.string(), v.number()]),
      v.array(v.nullable(v.string())),
      v.pipe(v.string(), v.minLength(1), v.transform(Number)),
    ];
    expect(left.map(quickCheck)).toEqual(left.map(() => undefined));
  });
});
