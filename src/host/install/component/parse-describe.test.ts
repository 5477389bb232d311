import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../tests/support/runs.ts';
import { KernelError } from '../../../contracts/error.ts';
import { parseDescribe } from './parse-describe.ts';

const good = {
  name: 'count-file',
  description: 'Number of words in a file.\n\nWords are split at white space.',
  inputSchema: '{"type":"object","properties":{"path":{"type":"string"}}}',
  outputSchema: undefined,
  effect: 'read',
  examples: ['{"path":"work:README.md"}'],
};

function refusal(value: unknown): string | undefined {
  try {
    parseDescribe(value);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof KernelError)) throw thrown;
    expect(thrown.code).toBe('plugin-fault');
    expect(thrown.message).toMatch(/^\P{C}{10,600}$/u);
    return thrown.message;
  }
}

describe('parseDescribe()', () => {
  it('reads tools as the glue delivers them', () => {
    expect(parseDescribe([good, { ...good, name: 'count', outputSchema: '{}' }])).toEqual([
      {
        name: 'count-file',
        description: good.description,
        inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
        effect: 'read',
        examples: [{ path: 'work:README.md' }],
      },
      {
        name: 'count',
        description: good.description,
        inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
        outputSchema: {},
        effect: 'read',
        examples: [{ path: 'work:README.md' }],
      },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['no list', {}, 'no list of tools'],
    ['no tool', [], 'names no tool'],
    [
      '101 tools',
      Array.from({ length: 101 }, (_, i) => ({ ...good, name: `t${i}` })),
      '101 tools, limit 100',
    ],
    ['a tool twice', [good, good], 'names the tool count-file twice'],
    ['a tool that is null', [null], 'tools[0] is missing or of the wrong type'],
    ['an unknown effect', [{ ...good, effect: 'none' }], 'tools[0].effect'],
    ['a missing schema', [{ ...good, inputSchema: undefined }], 'tools[0].inputSchema'],
    ['a name with a dot', [{ ...good, name: 'a.b' }], 'tools[0].name is "a.b", not kebab-case'],
    ['a name that a terminal would execute', [{ ...good, name: 'a\u001b[2J' }], 'a\\u{1b}[2J'],
    ['a name of 65 characters', [{ ...good, name: 'a'.repeat(65) }], 'at most 64'],
    ['an empty description', [{ ...good, description: ' ' }], 'tool count-file has no description'],
    [
      'a description of 4,001 characters',
      [{ ...good, description: 'a'.repeat(4001) }],
      '4001 characters, limit 4000',
    ],
    ['a description that hides', [{ ...good, description: 'a\u202eb' }], 'U+202E'],
    ['a carriage return', [{ ...good, description: 'a\rb' }], 'U+000D'],
    [
      'a schema that is not JSON',
      [{ ...good, inputSchema: '{' }],
      'input-schema of tool count-file is not JSON',
    ],
    [
      'a schema of no object',
      [{ ...good, inputSchema: '{"type":"string"}' }],
      'lacks "type": "object"',
    ],
    [
      'a schema of 65,537 bytes',
      [{ ...good, inputSchema: `{"type":"object"${' '.repeat(65_520)}}` }],
      '65537 bytes, limit 65536',
    ],
    [
      'a schema nested 10,000 times',
      [{ ...good, inputSchema: `{"a":${'['.repeat(10_000)}` }],
      'nested deeper than 64',
    ],
    [
      'an output schema that is a list',
      [{ ...good, outputSchema: '[]' }],
      'output-schema of tool count-file is not a JSON object',
    ],
    ['21 examples', [{ ...good, examples: Array(21).fill('{}') }], '21 examples, limit 20'],
    [
      'an example that is not an object',
      [{ ...good, examples: ['{}', '1'] }],
      'example 2 of tool count-file is not a JSON object',
    ],
    [
      'an example of 16,385 bytes',
      [{ ...good, examples: [`{"a":"${'x'.repeat(16_377)}"}`] }],
      '16385 bytes, limit 16384',
    ],
  ])('refuses %s', (_name, value, sentence) => {
    expect(refusal(value)).toContain(sentence);
  });

  it('reads exactly the limits', () => {
    const tool = {
      ...good,
      name: 'a'.repeat(64),
      description: 'a'.repeat(4_000),
      inputSchema: `{"type":"object"${' '.repeat(65_519)}}`,
      examples: Array(20).fill(`{"a":"${'x'.repeat(16_376)}"}`),
    };
    expect(parseDescribe([tool])).toHaveLength(1);
  });

  it('throws plugin-fault and nothing else', () => {
    const tool = fc.record({
      name: fc.oneof(fc.constant('a'), fc.string({ unit: 'binary' })),
      description: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
      inputSchema: fc.oneof(fc.constant('{"type":"object"}'), fc.json(), fc.string()),
      outputSchema: fc.oneof(fc.constant(undefined), fc.json()),
      effect: fc.oneof(fc.constantFrom('pure', 'read'), fc.anything()),
      examples: fc.oneof(fc.array(fc.json()), fc.anything()),
    });
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.oneof(tool, fc.anything())), fc.anything()), (value) => {
        refusal(value);
      }),
      { seed: 20_261_121, numRuns: runs(2_000) },
    );
  });
});
