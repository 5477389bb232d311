import { describe, expect, it } from 'vitest';
import type { ManifestTool } from '../../../contracts/capability.ts';
import { type DerivedTools, withManifestTools } from './manifest-tools.ts';

const input = { type: 'object', properties: { text: { type: 'string' } } };
const run = {
  name: 'run',
  description: 'Runs.',
  inputSchema: {},
  effect: 'write',
  examples: [],
} as const;
const program: DerivedTools = {
  tools: [{ ...run, examples: [] }],
  adapter: { run: { kind: 'command', instance: 'wasi:cli/run@0.2.0', program: 'words' } },
  withheld: [],
  reasons: [],
};
const functions: DerivedTools = {
  tools: ['add', 'halve'].map((name) => ({
    name,
    description: `${name}(n: u32)`,
    inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
    effect: 'pure',
    examples: [],
  })),
  adapter: {
    add: { kind: 'function', name: 'add', params: [] },
    halve: { kind: 'function', name: 'halve', params: [] },
  },
  withheld: [],
  reasons: [],
};

describe('withManifestTools()', () => {
  it('makes each named tool of a program, and not the program itself', () => {
    const count = { name: 'count', description: 'Counts.', effect: 'pure', input } as const;
    const { tools, adapter, reasons } = withManifestTools(program, [count]);
    expect(reasons).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(['count']);
    expect(adapter).toEqual({
      count: { kind: 'tool', instance: 'wasi:cli/run@0.2.0', program: 'words' },
    });
  });

  it.each(['description', 'effect', 'input'])('names a tool of a program without %s', (field) => {
    const whole = { name: 'count', description: 'Counts.', effect: 'pure', input } as const;
    const told = { ...whole, [field]: undefined } as unknown as ManifestTool;
    expect(withManifestTools(program, [told]).reasons).toEqual([
      `manifest: tool count has no ${field}, and nothing else says it`,
    ]);
  });

  it('gives a function the words of the manifest and leaves the types to the binary', () => {
    const { tools, withheld } = withManifestTools(functions, [
      { name: 'add', description: 'Adds one.' },
    ]);
    expect(tools).toMatchObject([
      { name: 'add', description: 'Adds one.', inputSchema: functions.tools[0]?.inputSchema },
    ]);
    expect(withheld).toEqual(['halve: the manifest does not name it']);
  });

  it('refuses a tool that is no function, and an input beside the types', () => {
    expect(withManifestTools(functions, [{ name: 'sub' }]).reasons).toEqual([
      'manifest: there is no function for the tool sub; the binary has add, halve',
    ]);
    expect(withManifestTools(functions, [{ name: 'add', input }]).reasons[0]).toContain(
      'leave input out',
    );
  });

  it('refuses two tools of one name, and names that are none', () => {
    const count = { name: 'count', description: 'Counts.', effect: 'pure', input } as const;
    expect(withManifestTools(program, [count, count]).reasons[0]).toContain(
      'names the tool count twice',
    );
    expect(withManifestTools(program, [{ ...count, name: 'A b' }]).reasons[0]).toContain(
      'not kebab-case',
    );
    expect(withManifestTools(program, []).reasons[0]).toContain('names no tool');
  });
});
