import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Plugin } from '../define-plugin.ts';
import { describe as describeDefinition } from './describe-definition.ts';

const tool = {
  name: 'count',
  description: 'Counts.',
  effect: 'pure',
  input: v.object({}),
  examples: [{}],
  run: () => ({ content: '', summary: '' }),
} as const;

const plugin = {
  name: 'words',
  version: '0.1.0',
  description: 'Counts words.',
  wants: [{ capability: 'fs', why: 'reads' }],
  tools: [tool],
} as const;

const describeWith = (change: object, changeTool: object = {}) => {
  const changed = { ...plugin, tools: [{ ...tool, ...changeTool }], ...change };
  return () => describeDefinition(changed as unknown as Plugin);
};

describe('describe()', () => {
  it('tells manifest and tools', () => {
    expect(describeWith({})()).toMatchObject({
      manifest: { name: 'words', wants: plugin.wants },
      tools: [{ name: 'count', examples: ['{}'] }],
    });
  });

  it.each(['name', 'version', 'description', 'wants'])('names a missing %s', (field) => {
    expect(describeWith({ [field]: undefined })).toThrow(`the plugin has no "${field}"`);
  });

  it.each(['description', 'effect', 'input', 'examples', 'run'])(
    'names the tool that has no %s',
    (field) => {
      expect(describeWith({}, { [field]: undefined })).toThrow(`count has no "${field}"`);
    },
  );

  it('names a field that nothing reads, and what it may be meant for', () => {
    expect(describeWith({ license: 'MIT' })).toThrow(
      'the plugin has the unknown field "license": is it "licence" or "homepage" or "limits"?',
    );
    expect(describeWith({}, { outputs: v.string() })).toThrow(
      'count has the unknown field "outputs": is it "output"?',
    );
    const want = { capability: 'fs', why: 'reads', because: '' };
    expect(describeWith({ wants: [want] })).toThrow('wants[0] has the unknown field "because"');
  });

  it('names the place of a thing without a name', () => {
    expect(describeWith({}, { name: undefined })).toThrow('tools[0] has no "name"');
    expect(describeWith({ wants: [{ capability: 'fs' }] })).toThrow('wants[0] has no "why"');
  });

  it('says what a field is that is of the wrong kind', () => {
    expect(describeWith({}, { effect: 'reads' })).toThrow(
      'count: "effect" is "reads", not one of pure, read, write, external',
    );
    expect(describeWith({}, { input: { text: 'string' } })).toThrow('not a valibot schema');
    expect(describeWith({}, { examples: {} })).toThrow('"examples" is not a list');
    expect(describeWith({ version: 1 })).toThrow('the plugin: "version" is 1, not text');
  });

  it.each([
    ['object', v.object({ a: v.number() }), false],
    ['strictObject', v.strictObject({ a: v.number() }), false],
    ['looseObject', v.looseObject({ a: v.number() }), undefined],
    ['objectWithRest', v.objectWithRest({ a: v.number() }, v.string()), { type: 'string' }],
    ['record', v.record(v.string(), v.number()), { type: 'number' }],
    ['record in an object', v.optional(v.object({ a: v.record(v.string(), v.any()) })), false],
    ['looseObject in a pipe', v.pipe(v.looseObject({}), v.title('x')), undefined],
  ])('says which other fields an input takes: %s', (_, input, additionalProperties) => {
    const [described] = describeWith({}, { input, examples: [] })().tools;
    const schema = JSON.parse(described?.inputSchema ?? '');
    expect(schema.additionalProperties).toEqual(additionalProperties);
  });

  it('says at every depth that an input takes no other fields, but not of one that is shared', () => {
    const inner = v.object({ a: v.number() });
    const input = v.object({
      list: v.array(inner),
      both: v.intersect([inner, v.object({ inner })]),
    });
    const [described] = describeWith({}, { input, examples: [] })().tools;
    const { list, both } = JSON.parse(described?.inputSchema ?? '').properties;
    expect(list.items.additionalProperties).toBe(false);
    expect(both.allOf[0]).not.toHaveProperty('additionalProperties');
    expect(both.allOf[1].properties.inner.additionalProperties).toBe(false);
  });

  it('names the unknown field of an example', () => {
    const input = v.object({ list: v.array(v.object({ a: v.number() })) });
    expect(describeWith({}, { input, examples: [{ list: [{ a: 1, b: 2 }] }] })).toThrow(
      'does not pass "input": list.0: unknown field "b"; list.0 takes a',
    );
    expect(describeWith({}, { examples: [{ text: '' }] })).toThrow(
      'does not pass "input": unknown field "text"; count takes none',
    );
  });

  it('names the example and its field that cannot be an input', () => {
    const input = v.object({ since: v.date() });
    expect(describeWith({}, { input, examples: [{ since: new Date(0) }] })).toThrow(
      'count: the example {"since":"1970-01-01T00:00:00.000Z"} does not pass "input": since: Invalid',
    );
    expect(describeWith({}, { examples: [{ size: 1n }] })).toThrow('count: an example is not JSON');
  });

  it.each([
    ['v.intersect', v.intersect([v.object({}), v.object({})]), '{ ...first.entries, ...second'],
    ['v.variant', v.variant('a', []), 'put it into a field: v.object({ value: v.variant(…) })'],
    ['v.union', v.union([v.object({})]), 'put it into a field: v.object({ value: v.union(…) })'],
    ['v.strictTuple', v.strictTuple([]), 'v.object({ value: v.strictTuple(…) })'],
    ['v.lazy', v.lazy(() => v.object({})), 'write the v.object(…) itself, and v.lazy where'],
  ])('says what to write in place of an input that is %s', (name, input, instead) => {
    const described = describeWith({}, { input, examples: [] });
    expect(described).toThrow(`count: "input" is ${name}, not an object schema: `);
    expect(described).toThrow(instead);
  });

  it('says what to write for an input that holds itself', () => {
    const input: v.GenericSchema = v.object({
      get inner() {
        return v.optional(input);
      },
    });
    const examples = [{ inner: {} }];
    expect(describeWith({}, { input, examples })).toThrow(
      'count: "input" holds itself: put v.lazy(() => …) around it where it does',
    );
    const lazy: v.GenericSchema = v.object({ inner: v.optional(v.lazy(() => lazy)) });
    const [described] = describeWith({}, { input: lazy, examples })().tools;
    expect(JSON.parse(described?.inputSchema ?? '')).toHaveProperty('$defs');
  });

  const late = v.pipeAsync(
    v.string(),
    v.checkAsync(() => true),
  ) as never;

  it.each([
    ['as a whole', v.objectAsync({})],
    ['in a field', v.object({ a: late })],
    ['in a list', v.object({ a: v.array(late) })],
    ['in an optional object', v.object({ a: v.optional(v.object({ b: late })) })],
    ['in one of two', v.object({ a: v.union([v.number(), late]) })],
    ['in a pair', v.object({ a: v.tuple([v.number(), late]) })],
    ['in a pipe', v.object({ a: v.pipe(v.string(), late) })],
    ['in a record', v.record(v.string(), late)],
    ['in other fields', v.objectWithRest({}, late)],
  ])('refuses an input that is async %s', (_, input) => {
    expect(describeWith({}, { input, examples: [] })).toThrow('count: "input" has an async schema');
  });
});
